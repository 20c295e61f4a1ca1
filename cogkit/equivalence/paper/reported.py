"""The article's printed numbers, and our runs for each cell (Carrillo & Betancort 2024, Tables 1 and A4)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.core.presets import choose
from cogkit.core.records import RESULT_COLUMNS
from cogkit.data.facts import facts
from cogkit.data.rows import placed
from cogkit.equivalence.problems.records import TYPES, Design
from cogkit.equivalence.scoring import RULES
from cogkit.stats.intervals import next_run

PRINTED = "Carrillo & Betancort 2024"
GROUPS = ("trained", *TYPES[1:])  # the article measures its baseline on training trials
METRICS = ("accuracy", "hallucinations", "hallucinations among errors")
PER_PAIR = 1260  # trials of one pair of members in one class: the article's random limit is for this number
_KEYS = ["who", "structure", "relation", "group", "metric"]
_SEED = 183  # from the authors' program; the article does not name one
_TASK = r"^(?P<structure>[^/]+)/(?P<relation>[^/]+)/(?P<group>[^/]+)$"


def published() -> pd.DataFrame:
    """Return every number of Tables 1 and A4: 144 rows.

    Columns: simulation (1 to 12), transformer, structure, relation, group (``trained`` is the article's baseline),
    metric (accuracy; hallucinations, of all answers; hallucinations among errors), value.

    Examples
    --------
    >>> published().query("simulation == 9 and metric == 'hallucinations'").value.tolist()
    [0.001, 0.794, 0.539, 0.832]
    """
    return facts(__file__, "printed")


def result_rows() -> pd.DataFrame:
    """Return the article's numbers as result rows, so that code for our runs can read them.

    Examples
    --------
    >>> result_rows().iloc[0][["cell", "task", "metric"]].tolist()
    ['equivalence/gpt/LS/select-reject', 'LS/select-reject/trained', 'accuracy, as published']
    """
    table, counts = published(), Design().pairs().type.value_counts() * PER_PAIR * Design().classes
    condition = table.structure + "/" + table.relation
    rows = table.assign(
        cell="equivalence/" + table.transformer.str.lower() + "/" + condition, instrument="equivalence", kind="model",
        profile="as_published", preset="paper", task=condition + "/" + table.group, who=table.transformer,
        inputs="symbols", seed=_SEED, metric=table.metric + ", as published", interval="", source=PRINTED,
        n=table.group.replace("trained", "baseline").map(counts), supervision="answers",
    )  # fmt: skip
    return placed(rows).reindex(columns=list(RESULT_COLUMNS))


def simulated(rows: pd.DataFrame, rule: str = "as published") -> pd.DataFrame:
    """Return the numbers of result rows under one answer rule, by agent, condition, group and metric.

    ``rule`` is ``as published``, ``argmax``, ``forced choice`` or ``expected``. Columns: who, structure, relation,
    group (a type of trial, ``trained``, or a pair such as ``AB``), metric, preset, seed, value, n. Conditions with
    ``standard`` wrong comparisons are left out.
    """
    choose(rule, {name for names in RULES.values() for name in names}, "answer rule")
    selection = rows[rows.metric.isin([f"{metric}, {rule}" for metric in METRICS])].reset_index(drop=True)
    parts = selection.task.str.extract(_TASK).dropna()
    selection = selection.loc[parts.index].assign(**parts, metric=selection.metric.str.removesuffix(f", {rule}"))
    runs = selection.groupby([*_KEYS, "preset", "seed"], as_index=False, sort=False)
    return runs.agg(value=("value", "mean"), n=("n", "first"))


def matrix(rows: pd.DataFrame, who: str, design: Design, rule: str = "as published") -> np.ndarray:
    """Return the share of right answers by sample (row) and comparison, (members, members), mean over seeds.

    It is NaN for missing pairs. ``rows`` are of one preset. Agents that always choose an option have pair rows only for
    the ``rule`` ``expected``.
    """
    selection = rows[(rows.who == who) & (rows.metric == f"accuracy, {rule}")]
    shares = selection.groupby("task").value.mean()
    pairs = [f"{design.condition}/{pair}" for pair in design.pair_names]
    return shares.reindex(pairs).to_numpy(dtype=float).reshape(design.members, design.members)


def means(rows: pd.DataFrame, rule: str = "as published", preset: str = "paper") -> pd.Series:
    """Return the mean over seeds of every number of one preset, by who, structure, relation, group and metric."""
    runs = simulated(rows, rule)
    return runs[runs.preset == preset].groupby(_KEYS).value.mean().dropna()


def against(rows: pd.DataFrame) -> pd.DataFrame:
    """Return our numbers and the article's, cell by cell, as published and of the article's size.

    Parameters
    ----------
    rows : DataFrame
        Result rows, with any cells and seeds.

    Returns
    -------
    DataFrame
        The columns of `published` with its value as ``published``, then

        - ours (mean over seeds), seeds, n (trials);
        - low, high: 95 % prediction interval for one more run; spread: the runs behind this interval.

    Notes
    -----
    The limits are those of `stats.limits.next_run`. With one seed, the standard deviation comes from the runs of
    ``lab`` size, if there are any: smaller networks with a shorter training. If the one run lies outside the limits for
    one more of these, there is no interval: their spread says nothing about it.
    """
    runs = simulated(rows)
    ours, lab = (dict(list(runs[runs.preset == size].groupby(_KEYS))) for size in ("paper", "lab"))
    empty, table = runs.iloc[:0], published().rename(columns={"value": "published"})
    cells = table[["transformer", *_KEYS[1:]]].itertuples(index=False, name=None)
    return table.join(pd.DataFrame([_beside(ours.get(cell, empty), lab.get(cell, empty)) for cell in cells]))


def _beside(here: pd.DataFrame, lab: pd.DataFrame) -> dict:
    """Return our part of a row: a mean, its limits, and their source."""
    values, lab_values = here.value.dropna(), lab.value.dropna()
    ours, seeds = values.mean(), len(values)
    low, high, spread = np.nan, np.nan, ""
    sample, size = (values, "paper") if seeds > 1 else (lab_values, "lab")
    if seeds and len(sample) > 1:
        least, most = next_run(sample.mean(), sample.std(), len(sample))
        spread = f"one run, far from {len(sample)} of {size} size"
        if least <= ours <= most:  # as several runs always are
            low, high = np.clip(next_run(ours, sample.std(), len(sample), seeds), 0, 1)
            spread = f"{len(sample)} seeds of {size} size"
    n = int(here.n.max()) if seeds else 0
    return {"ours": ours, "seeds": seeds, "low": low, "high": high, "spread": spread, "n": n}
