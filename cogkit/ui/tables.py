"""Readable tables: the form in which notebooks show a tidy frame."""

from __future__ import annotations

import numbers

import numpy as np
import pandas as pd


def readable(frame: pd.DataFrame, digits: int = 2) -> pd.DataFrame:
    """Return a frame as text: rounded numbers, p-values with two significant digits, yes and no, "" for missing values.

    Parameters
    ----------
    frame : DataFrame
        Any table; it is not changed.
    digits : int
        Decimals for numbers that are not whole.

    Examples
    --------
    >>> readable(pd.DataFrame({"t": [1.234, np.nan], "p": [1.2e-9, 0.5], "holds": [True, False]})).values.tolist()
    [['1.23', '1.2e-09', 'yes'], ['', '0.5', 'no']]
    """
    table = frame.copy().astype(object)
    for place, name in enumerate(frame.columns):
        is_p = name == "p" or str(name).endswith("_p")
        table.isetitem(place, [_text(value, digits, is_p) for value in frame.iloc[:, place]])
    return table


def _text(value, digits: int, is_p: bool) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, numbers.Integral) or not isinstance(value, numbers.Real):
        return str(value)
    if is_p:
        return f"{value:.2g}"
    return f"{value:.0f}" if float(value).is_integer() and abs(float(value)) >= 1 else f"{value:.{digits}f}"
