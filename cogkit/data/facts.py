"""Tables of facts and texts that come with the package, such as the numbers that a paper prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd


def facts(module: str, name: str, dtype: type | None = None) -> pd.DataFrame:
    """Return a table of facts.

    Parameters
    ----------
    module : str
        The ``__file__`` of a module; the table is in the folder ``facts`` beside it. Lines with ``#`` are comments.
    name : str
        The name of the table's file without ``.csv``.
    dtype : type, optional
        ``str`` leaves every cell as it is printed.
    """
    path = Path(module).with_name("facts") / f"{name}.csv"
    return pd.read_csv(path, comment="#", dtype=dtype, keep_default_na=False)


def texts(module: str) -> dict[str, Any]:
    """Return the texts of a module, from the JSON file of its name beside it; ``module`` is its ``__file__``."""
    return json.loads(Path(module).with_suffix(".json").read_text(encoding="utf-8"))
