"""Which players may be ranked at all: only those whose intervals do not overlap."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from cogkit.core.contracts import InputError


def rankable(table: pd.DataFrame, component: str = "A_c") -> pd.DataFrame:
    """Return which two players may be ranked: same task, same inputs, and intervals that do not overlap.

    Parameters
    ----------
    table : DataFrame
        Columns instrument and those of `scale.COLUMNS`, of one instrument or several.
    component : str
        What they would be ranked by.

    Returns
    -------
    DataFrame
        One row a pair and task: instrument, task, component, first, first_inputs, second, second_inputs, difference
        (first less second, of means over seeds), rankable, higher ("" where nobody is), reason ("" where they may be
        ranked). The interval of several seeds is from their lowest limit to their highest. Two players of one
        instrument who never met have one row, with the task "".

    Examples
    --------
    >>> known = {"instrument": "mewl", "task": "shape", "inputs": "pixels", "component": "A_c"}
    >>> one, two = ({"who": who, "value": v, "low": v - 0.1, "high": v + 0.1} for who, v in (("a", 0.3), ("b", 0.6)))
    >>> rankable(pd.DataFrame([known | one, known | two])).higher.tolist()
    ['b']
    """
    part = table[table.component == component]
    if part.empty:
        raise InputError(f"no component {component!r}", f"one of {', '.join(table.component.unique()) or 'a table'}")
    rows = []
    for instrument, theirs in part.groupby("instrument", sort=False):
        left = set(combinations(dict.fromkeys(zip(theirs.who, theirs.inputs, strict=True)), 2))
        for task, here in theirs.groupby("task", sort=False):
            players = {player: _over_seeds(runs) for player, runs in here.groupby(["who", "inputs"], sort=False)}
            for one, two in combinations(players, 2):
                left -= {(one, two), (two, one)}
                gap = players[one]["value"] - players[two]["value"]
                reason = _against(one, two, players, component)
                rows.append(_pair(instrument, task, component, one, two, gap, reason))
        for one, two in sorted(left):
            rows.append(_pair(instrument, "", component, one, two, np.nan, "no task in common"))
    names = ["first", "first_inputs", "second", "second_inputs", "difference", "rankable", "higher", "reason"]
    return pd.DataFrame(rows, columns=["instrument", "task", "component", *names])


def _over_seeds(runs: pd.DataFrame) -> dict[str, float]:
    low, high = runs.low.min(skipna=False), runs.high.max(skipna=False)
    return {"value": runs.value.mean(skipna=False), "low": low, "high": high}


def _against(one, two, players: dict, component: str) -> str:
    """Return why two players, each (who, inputs), may not be ranked; "" where they may."""
    if one[1] != two[1]:
        return f"different inputs: {one[1]} and {two[1]}"
    for player in (one, two):
        if np.isnan(players[player]["value"]):
            return f"no {component} of {player[0]}"
        if np.isnan([players[player]["low"], players[player]["high"]]).any():
            return f"no interval of {player[0]}"
    first, second = players[one], players[two]
    return "intervals overlap" if first["low"] <= second["high"] and second["low"] <= first["high"] else ""


def _pair(instrument: str, task: str, component: str, one, two, gap: float, reason: str) -> tuple:
    higher = "" if reason else (one if gap > 0 else two)[0]
    return instrument, task, component, *one, *two, gap, not reason, higher, reason
