"""Whether players err on the same items, as result rows: a cell makes them, and every table of pairs reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core.instruments import Cell
from cogkit.core.presets import PRESETS
from cogkit.core.records import result_row

SAME, MOST = "error consistency with ", "most error consistency with "  # metrics: kappa, and its ceiling
_INTERVAL = "95% bootstrap, clusters"


@dataclass(frozen=True)
class ErrorsConfig:
    """How many items are asked: of each task, or as the instrument counts them."""

    n: int


def errors_cell(instrument: str, errors: Callable[[ErrorsConfig, str, int], list[dict]], *sizes: int) -> Cell:
    """Return the cell of an instrument that compares errors; ``sizes`` are numbers of items at quick, lab and paper."""
    return Cell(f"{instrument}/errors", errors, dict(zip(PRESETS, map(ErrorsConfig, sizes), strict=True)))


def is_errors(rows: pd.DataFrame) -> pd.Series:
    """Return which result rows are about shared errors."""
    return rows.metric.str.startswith((SAME, MOST))


def error_rows(
    right: pd.DataFrame, players: Mapping[str, Mapping[str, Any]], task: str, rng: np.random.Generator,
    source: str = "cogkit",
) -> list[dict]:  # fmt: skip
    """Return two result rows for each pair of players: how alike their errors are, and how alike they could be.

    Parameters
    ----------
    right : DataFrame
        An item a row, a player a column: whether the player was right. The first level of the index is the cluster of
        an item; whole clusters are resampled.
    players : mapping
        who, kind, inputs and supervision of each column.
    task, source : str
        The task and the source of the rows.
    rng : numpy.random.Generator
        Source of the bootstrap.

    Examples
    --------
    >>> index = pd.MultiIndex.from_product([range(4), range(2)])
    >>> right = pd.DataFrame({"a": [1, 0, 1, 0, 1, 1, 1, 0], "b": [1, 0, 1, 0, 1, 1, 1, 1]}, index)
    >>> who = {name: dict(who=name, kind="model", inputs="pixels", supervision="") for name in right}
    >>> [row["metric"] for row in error_rows(right, who, "all", np.random.default_rng(0))]
    ['error consistency with b', 'most error consistency with b']
    """
    from cogkit.stats import error_consistency_table  # brings scipy, which listing the cells does not need

    rows = []
    table = error_consistency_table(right, rng, clusters=right.index.get_level_values(0))
    for pair in table.itertuples():
        who = players[str(pair.first)]
        limits = None if np.isnan([pair.low, pair.high]).any() else (pair.low, pair.high)
        for metric, value, ends in ((SAME, pair.kappa, limits), (MOST, pair.kappa_max, None)):
            number = None if np.isnan(value) else value
            rows.append(result_row(who, task, f"{metric}{pair.second}", number, pair.n, ends, _INTERVAL, source))
    return rows


def pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of players from the result rows of `error_rows`, in their order.

    Columns instrument, first, second, kappa, low, high, kappa_max, n.
    """
    key = ["instrument", "who", "other"]
    tables = []
    for metric in (SAME, MOST):
        part = rows[rows.metric.str.startswith(metric)]
        tables.append(part.assign(other=part.metric.str.removeprefix(metric)).set_index(key))
    same, most = tables
    table = same[["value", "low", "high", "n"]].assign(kappa_max=most.value).reset_index()
    table = table.rename(columns={"who": "first", "other": "second", "value": "kappa"})
    return table[["instrument", "first", "second", "kappa", "low", "high", "kappa_max", "n"]]
