"""Tables of facts and texts that come with the package, such as the numbers that a paper prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd


def facts(module: str, name: str, dtype: type | None = None) -> pd.DataFrame:
    """Return a table of facts.

    The table is ``name``.csv in the folder ``facts`` beside the module whose ``__file__`` is given; lines with ``#``
    are comments. With the dtype ``str`` every cell stays as it is printed.
    """
    path = Path(module).with_name("facts") / f"{name}.csv"
    return pd.read_csv(path, comment="#", dtype=dtype, keep_default_na=False)


def texts(module: str) -> dict[str, Any]:
    """Return the texts of a module, from the JSON file of its name beside it; ``module`` is its ``__file__``."""
    return json.loads(Path(module).with_suffix(".json").read_text(encoding="utf-8"))
