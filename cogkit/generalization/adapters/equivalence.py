"""Stimulus equivalence: three options a trial, answers that are no option, and an order that is really there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pandas as pd

from cogkit.generalization.adapters import shares
from cogkit.generalization.metric import calibrated

CHANCE = 1 / 3
RULES = ("argmax", "forced choice", "as published", "expected")
FEWEST_DISTANCES = 3
WITHOUT_GR_STAR = (
    "far below one half its Acc (1 - U) rises as accuracy falls: GPT, right in .016 of symmetry after OTM select-only, "
    "would come out above BERT at .469 on reflexivity after OTM select-reject, where chance is .333"
)
_PAIR = r"/[A-Z]{2}$"
_NODES = r"^(?P<condition>.+)/nodes (?P<nodes>\d+)$"
_ALL_ORDERS = 7  # distances up to which all orders are tried


def components(rows: pd.DataFrame, rule: str, **_) -> Iterator[dict]:
    """Yield the components of each condition and type of pair under one answer rule; single pairs are left out.

    Accuracy counts an answer that is no option as wrong. ``hallucinations`` is the share of such answers, and
    ``nodal alignment`` (1 + r) / 2, r the correlation over nodal distances of accuracy with a line that falls.
    """
    rows = rows[~rows.task.str.contains(_PAIR)]
    person, counted = rows.kind == "person", rule != "expected"
    theirs = rows.metric.isin(["accuracy", "accuracy, forced choice"])
    asked = shares.asked(rows, (rows.metric == f"accuracy, {rule}").mask(person, theirs), f"accuracy, {rule}")
    for row, *limits in shares.limited(asked, counted):
        yield from shares.three(row, *limits, CHANCE)
    for row, limits, interval, note in shares.limited(rows[rows.metric == f"hallucinations, {rule}"], counted):
        note = note or "of all answers; each is an error in accuracy too"
        yield shares.component(row, "hallucinations", row.value, limits, interval, np.nan, note)
    nodes = asked.task.str.extract(_NODES).dropna()
    known = asked.loc[nodes.index].assign(task=nodes.condition + "/nodes", nodes=nodes.nodes.astype(int))
    for _, told in known.groupby(list(shares.WHO), sort=False):
        yield _alignment(told)


def _alignment(told: pd.DataFrame) -> dict:
    """Return how well accuracy falls with distance, of the rows of one run, a row a distance."""
    accuracy, line, value = told.value.to_numpy(), -told.nodes.to_numpy(dtype=float), np.nan
    r = calibrated.correlations(accuracy[None], line)[0]
    if len(told) < FEWEST_DISTANCES:
        note = f"not there: {len(told)} nodal distance{'s' * (len(told) > 1)}, {FEWEST_DISTANCES} are needed"
    elif np.isnan(r):
        note = "not there: accuracy is the same at every nodal distance"
    else:
        value, note = (1 + r) / 2, f"no interval: {len(told)} distances alone; 0.5 tells nothing"
        if len(told) <= _ALL_ORDERS:
            others = calibrated.correlations(np.array(list(permutations(accuracy))), line)
            note += f"; {np.mean(others >= r - 1e-12):.2g} of all orders align as well"
    row = told.iloc[0].to_dict() | {"n": told.n.sum()}
    return shares.component(row, "nodal alignment", value, shares.NOWHERE, "", np.nan, note)
