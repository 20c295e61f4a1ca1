"""Components from result rows: accuracy with three options, hallucinations, and nodal alignment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.core import presets
from cogkit.equivalence.problems.records import CHANCE
from cogkit.equivalence.scoring import RULES
from cogkit.stats import scale

FEWEST_DISTANCES = 3
_PAIR = r"/[A-Z]{2}$"
_NODES = r"^(?P<condition>.+)/nodes (?P<nodes>\d+)$"
_ALL_ORDERS = 7  # most distances for which all orders are tried


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None, rule: str = "argmax") -> Iterator[dict]:
    """Yield the components of each condition and type of pair under one answer rule, without single pairs.

    Accuracy counts hallucinations as wrong. A hallucination is an answer that is not an option; ``hallucinations`` is
    their share. ``nodal alignment`` is (1 + r) / 2, where r is the correlation of accuracy with a falling line over
    nodal distances. ``trials`` are not used. ``rule`` is one of `scoring.RULES`; people always answer with an option,
    under every rule.
    """
    rows = rows[~rows.task.str.contains(_PAIR)]
    presets.choose(rule, chain.from_iterable(RULES.values()), "answer rule")
    person, is_count = rows.kind == "person", rule != "expected"
    of_people = rows.metric.isin(["accuracy", "accuracy, forced choice"])
    metric = f"accuracy, {rule}"
    shares = scale.selected(rows, (rows.metric == metric).mask(person, of_people), metric)
    for row, limits, interval, note in scale.with_limits(shares, is_count):
        yield from scale.of_share(row, limits, interval, note, CHANCE)
    for row, limits, interval, note in scale.with_limits(rows[rows.metric == f"hallucinations, {rule}"], is_count):
        note = note or "of all answers; each is an error in accuracy too"
        yield scale.component(row, "hallucinations", row.value, limits, interval, np.nan, note)
    nodes = shares.task.str.extract(_NODES).dropna()
    distances = shares.loc[nodes.index].assign(task=nodes.condition + "/nodes", nodes=nodes.nodes.astype(int))
    for _, part in distances.groupby(list(scale.RUN), sort=False):
        yield _alignment(part)


def _alignment(run: pd.DataFrame) -> dict:
    """Return the component for how well accuracy falls with distance, from one run's rows, one for each distance."""
    accuracy, line, n = run.value.to_numpy(), -run.nodes.to_numpy(dtype=float), len(run)
    r = stats.correlations(accuracy[None], line)[0] if n >= FEWEST_DISTANCES else np.nan
    note = f"no interval: {n} distances alone; 0.5 tells nothing"
    if n < FEWEST_DISTANCES:
        note = f"not there: {n} nodal distance{'s' * (n > 1)}, {FEWEST_DISTANCES} are needed"
    elif np.isnan(r):
        note = "not there: accuracy is the same at every nodal distance"
    elif n <= _ALL_ORDERS:
        correlations = stats.correlations(np.array(list(permutations(accuracy))), line)
        note += f"; {np.mean(correlations >= r - 1e-12):.2g} of all orders align as well"
    row = run.iloc[0].to_dict() | {"n": run.n.sum()}
    return scale.component(row, "nodal alignment", (1 + r) / 2, scale.NOWHERE, "", np.nan, note)
