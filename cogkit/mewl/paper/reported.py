"""Results of models and people that the article prints (Jiang et al. 2023, Table 2 and appendix D)."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from cogkit.core.records import RESULT_COLUMNS
from cogkit.data.facts import facts
from cogkit.data.rows import placed
from cogkit.mewl.problems.episodes import TASKS
from cogkit.stats import wilson

PRINTED = "Jiang et al. 2023"
# GPT-3.5 was only asked; the others learnt from answers.
_TAUGHT = {"Aloe": "answers and pictures", "GPT-3.5": "", "people": ""}
EPISODES = 600  # test episodes of a task; every model answered all of them
ANSWERS = 10  # of a person, without attention checks
PEOPLE = 24  # of a task, approximately: 217 in nine tasks
ALPHA = 0.05  # level of the article's t tests


def published() -> pd.DataFrame:
    """Return every accuracy of Table 2: 63 rows.

    Columns: who, kind (``model`` or ``person``), inputs, task, value (a share). The printed means of the nine tasks are
    left out.

    Examples
    --------
    >>> table = published().set_index(["who", "task"])
    >>> table.value["people", "shape"], table.inputs["Aloe", "shape"]
    (np.float64(0.924), 'learned slots')
    """
    long = facts(__file__, "table2", str).melt(
        ["who", "kind", "inputs"], list(TASKS), var_name="task", value_name="percent"
    )
    return long.assign(value=(long.percent.astype(float) / 100).round(6)).drop(columns="percent")


def study() -> pd.Series:
    """Return the printed numbers of the study of people, by what they count.

    Examples
    --------
    >>> counts = study()
    >>> float(counts["recruited"] - counts[["failed familiarisation", "failed attention", "outliers"]].sum())
    217.0
    """
    return facts(__file__, "study", str).set_index("what").value.astype(float)


def result_rows() -> pd.DataFrame:
    """Return Table 2 as result rows, so that code for our rows can read them.

    ``n`` is the number of answers: 600 per task for a model. The number of people per task is not printed; for people
    n is 240, the answers of 24 people.

    Notes
    -----
    Intervals are Wilson's. For people they are too narrow, because ten answers of one person are not independent;
    `reanalysis.implied` estimates by how much.

    Examples
    --------
    >>> rows = result_rows()
    >>> rows[rows.kind == "person"].source.unique().tolist()
    ['Jiang et al. 2023, Table 2']
    """
    table = published()
    person = table.kind == "person"
    n = np.where(person, PEOPLE * ANSWERS, EPISODES)
    low, high = wilson(table.value * n, n)
    names = [re.sub(r"[^a-z0-9.]+", "-", player.lower()).strip("-") for player in table.who]
    rows = table.assign(
        cell=[f"mewl/{name}/{task}" for name, task in zip(names, table.task, strict=True)], instrument="mewl",
        profile="as_published", preset="paper", seed=0, metric="accuracy", low=low, high=high, n=n,
        interval=np.where(person, "95% Wilson, about 240 answers", "95% Wilson, episodes"),
        source=f"{PRINTED}, Table 2",
        supervision=table.who.map(_TAUGHT).fillna("answers"),
    )  # fmt: skip
    return placed(rows)[list(RESULT_COLUMNS)]


def pairs() -> pd.DataFrame:
    """Return Table A2: the printed tests of all pairs of tasks, 36 rows.

    Columns: first, second, difference (of the printed means of people, first minus second), easier (the one with the
    higher mean), p (one-tailed), below (p is printed as less than that), significant (p < .05).

    Notes
    -----
    The article prints neither t nor the number of people in a task; `reanalysis` estimates what follows.

    Examples
    --------
    >>> table = pairs().set_index(["first", "second"])
    >>> table.p["material", "composite"], table.significant["material", "composite"]
    (np.float64(0.082), np.False_)
    """
    table, results = facts(__file__, "table_a2", str), published()
    means = results[results.kind == "person"].set_index("task").value
    p = table.p.str.removeprefix("< ").astype(float)
    difference = (table["first"].map(means) - table.second.map(means)).round(6)
    return table.assign(
        difference=difference, easier=table["first"].where(difference > 0, table.second), p=p,
        below=table.p.str.startswith("<"), significant=p < ALPHA,
    )[["first", "second", "difference", "easier", "p", "below", "significant"]]  # fmt: skip
