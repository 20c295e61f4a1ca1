"""Common parts of the figures: marks of sides, empty panels, checks of tables, words for numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.generalization.suites import SIDES
from cogkit.ui import theme

KINDS = {name: kind for kind, name in SIDES.items()}
MARKS = {name: theme.WHO[kind] for name, kind in KINDS.items()}
THIN = theme.stroke("floor")
ZERO = {"zeroline": True, "zerolinecolor": theme.QUIET, "zerolinewidth": 1}  # for x axes; y axes have their own
STROKE = {"color": theme.INK, "line": {"width": 2}}
GLYPHS = {"floor": "|", "proxy": "○", "model": "◆", "person": "●", "observer": "|"}  # in the order of their rows
CONSTANTS = {
    "alpha": ("α", "sample cost"), "beta": ("β", "scale cost"), "gamma": ("γ", "abstraction cost"),
    "tau": ("τ", "alignment for all"), "c0": ("c₀", "baseline cost"),
}  # fmt: skip
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def sign(kind: str) -> str:
    """Return the mark of a kind of player as a coloured character, for notes and labels."""
    return theme.coloured(theme.WHO[kind].colour, GLYPHS[kind])


def key(kinds: Iterable[str]) -> str:
    """Return the marks of several kinds of players and their names, for a note."""
    return "&nbsp; ".join(f"{sign(kind)} {SIDES.get(kind, theme.WHO[kind].label)}" for kind in kinds)


SIGNS = {name: sign(kind) for kind, name in SIDES.items()}
KEY = key(SIDES)


def check_table(table: pd.DataFrame, columns: Sequence[str], what: str) -> pd.DataFrame:
    """Return a table that has rows, these columns, and no side but the two; `InputError` says what it has not.

    Examples
    --------
    >>> check_table(pd.DataFrame({"rho": []}), ["rho"], "a table")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted rows with the columns rho, got a table without a row
    """
    expected = f"rows with the columns {', '.join(columns)}"
    if not isinstance(table, pd.DataFrame):
        raise InputError(f"{type(table).__name__} for {what}", f"a DataFrame of {expected}")
    if missing := [name for name in columns if name not in table.columns]:
        raise InputError(f"{what} without {', '.join(missing)}", expected)
    if table.empty:
        raise InputError(f"{what} without a row", expected)
    if "side" in columns:
        for name in dict.fromkeys(table.side):
            presets.choose(name, MARKS, "side")
    return table


def mark(side: str, size: int = 8) -> dict:
    """Return the marker of a side."""
    return theme.mark(KINDS[side], size)


def spread(n: int, width: float) -> np.ndarray:
    """Return n fixed offsets that are spread over a width around 0."""
    golden = (np.sqrt(5) - 1) / 2  # of all steps, its multiples stay farthest apart
    return ((0.5 + golden * np.arange(n)) % 1 - 0.5) * width


def p_in_words(p: float) -> str:
    """Return a p value in words.

    Examples
    --------
    >>> p_in_words(0.0123), p_in_words(2.09e-8)
    ('p = .012', 'p = 2.1·10⁻⁸')
    """
    if not p > 0:
        return "p = 0" if p == 0 else "no p"
    if p >= 0.001:
        return f"p = {p:.3f}".replace("= 0", "= ")
    digits, power = f"{p:.1e}".split("e")
    return f"p = {digits}·10{str(int(power)).translate(_RAISED)}"
