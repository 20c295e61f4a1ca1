"""How far a learner is above what memory of its training items gets on the same test, and what counts as learnt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core.records import result_row
from cogkit.core.splits import HIGHER, RUNGS, Split
from cogkit.stats.intervals import RunsMean, mean_of_rows, mean_over_runs

ABOVE = "above memory"
"""The metric of result rows that hold `above_memory`."""
TOO_HIGH = 0.8
"""Where the best floor has more of the way to the ideal than this, nothing is left to tell a rule by."""
LEARNT = 0.5
"""The part of what is left above memory from which a rule counts as learnt."""
_STEP = ["split", "rung", "who", "kind"]
STEPS = (*_STEP, "value", "low", "high", "n")
"""The columns of the table of a staircase. ``n`` counts runs; it is 1 for floors and observers."""


@dataclass(frozen=True, eq=False)
class References:
    """What stands beside a learner on the test of a split.

    Attributes
    ----------
    zero : (items,) array or float
        The score that counts as nothing, such as guessing.
    observers, floors : DataFrame
        A row for each: who, inputs, and scores, an (items,) array where higher is better. The first observer is the
        ideal one of the task, and the last knows what is held out. The best floor comes first.
    """

    split: Split
    zero: Any
    observers: pd.DataFrame
    floors: pd.DataFrame

    @property
    def ideal(self) -> np.ndarray:
        """The scores of the ideal observer, (items,)."""
        return self.observers.scores[0]

    def above(self, scores) -> RunsMean:
        """Return how far a learner is above the best floor on the first items of the test, as `above_memory`."""
        n = np.shape(scores)[-1]
        return above_memory(scores, self.floors.scores[0][:n], self.ideal[:n], self.zero)

    def rows(self) -> list[dict]:
        """Return a result row of each observer and floor: its skill, and the interval over items."""
        parts, rows = self.split, []
        for kind, players in (("observer", self.observers), ("floor", self.floors)):
            for who, inputs, scores in players[["who", "inputs", "scores"]].values:
                skill = above_memory(scores, self.zero, self.ideal, self.zero)
                player = {"who": who, "kind": kind, "inputs": inputs, "supervision": ""}
                about = len(scores), (skill.low, skill.high), skill.interval, parts.test.source
                rows.append(result_row(player, parts.task, "skill", skill.value, *about))
        return rows

    def summary(self, copies: int) -> dict[str, Any]:
        """Return what `Instrument.memory` tells of the split, of whose test so many items have a copy in training."""
        parts, floor, family = self.split, self.floors.iloc[0], self.observers.iloc[-1]
        return {
            "split": parts.name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val),
            "test": len(parts.test), "copies": copies, "best floor": floor.who,
            "floor": share(floor.scores, self.ideal, self.zero), "bound": parts.bound,
            "family ideal": share(family.scores, self.ideal, self.zero),
        }  # fmt: skip


def players(answers: Iterable) -> pd.DataFrame:
    """Return those who answered, as rows of `References`; an item with several questions has the mean of them."""
    rows = [(each.who, each.inputs, each.score.reshape(len(each.score), -1).mean(axis=1)) for each in answers]
    return pd.DataFrame(rows, columns=["who", "inputs", "scores"])


def above_memory(scores, floor, ideal, zero) -> RunsMean:
    """Return which part of the way from the best floor of memory to the ideal observer a learner is: 0 to 1.

    Parameters
    ----------
    scores : (runs, items) array, or (items,) of one run
        The learner's score on each item; higher is better.
    floor, ideal, zero : (items,) array or float
        Scores of the best floor, of the ideal observer, and of what counts as nothing, such as guessing.

    Returns
    -------
    RunsMean
        As `mean_over_runs` gives it. All numbers are NaN where the floor has more than `TOO_HIGH` of the ideal, and
        ``interval`` says so.

    Notes
    -----
    The part is (x − f) / (i − f), each a mean over items. Its interval is that of the mean of
    (x − f) − part · (i − f), divided by the mean of i − f (the delta method), over runs and shared items.

    Examples
    --------
    >>> part = above_memory([[1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1]], floor=0.5, ideal=1.0, zero=0.25)
    >>> round(part.value, 2), part.interval
    (0.67, '95% over 3 runs and items')
    >>> above_memory([1.0, 1.0], floor=0.9, ideal=1.0, zero=0.0).interval
    'memory has 0.90 of the ideal'
    """
    table = np.atleast_2d(np.asarray(scores, dtype=float))
    floor, ideal, zero = (
        np.broadcast_to(np.asarray(each, dtype=float), table.shape[1]) for each in (floor, ideal, zero)
    )
    height, room = share(floor, ideal, zero), (ideal - floor).mean()
    if height > TOO_HIGH:
        nan = float("nan")
        return RunsMean(nan, nan, nan, len(table), f"memory has {height:.2f} of the ideal")
    part = float((table - floor).mean() / room)
    around = mean_over_runs((table - floor - part * (ideal - floor)) / room)
    return RunsMean(part, part + around.low, part + around.high, around.runs, around.interval)


def share(score, ideal, zero) -> float:
    """Return which part of the way from ``zero`` to the ideal a score is, each a mean over items.

    Examples
    --------
    >>> share([0.5, 0.75], [1.0, 1.0], [0.25, 0.25])
    0.5
    """
    score, ideal, zero = (np.asarray(each, dtype=float).mean() for each in (score, ideal, zero))
    return float((score - zero) / (ideal - zero))


def learnt(part: float, low: float, rung: str) -> str:
    """Return ``learnt``, ``partly``, or ``not shown`` for a part above memory, its lower limit, and what was new.

    A rule is learnt from half of the way on, if the interval is above memory, on a rung where a rule can be told from
    memory (`splits.HIGHER`).

    Examples
    --------
    >>> learnt(0.6, 0.4, "interpolation"), learnt(0.3, 0.1, "rule"), learnt(0.9, 0.8, "orbit")
    ('learnt', 'partly', 'not shown')
    """
    if rung not in HIGHER or not low > 0:
        return "not shown"
    return "learnt" if part >= LEARNT else "partly"


def climbed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return how far each trained learner is above memory on each split, from result rows, and what that is called.

    Columns instrument, who, split, rung, value (as `above_memory`, over the runs), low, high, n (runs), verdict (as
    `learnt`).

    Examples
    --------
    >>> row = {"instrument": "tiles", "kind": "model", "who": "net", "split": "cross, diagonal", "metric": ABOVE}
    >>> row |= {"rung": "extrapolation", "value": 0.9, "low": 0.8, "high": 1.0, "interval": "95% over items, one run"}
    >>> climbed(pd.DataFrame([row])).verdict.tolist()
    ['learnt']
    """
    names, records = ["instrument", "who", "split", "rung"], []
    above = rows[(rows.metric == ABOVE) & (rows.kind == "model")]
    for place, runs in above.groupby(names, sort=False, observed=True):
        mean = mean_of_rows(runs)
        records.append((*place, mean.value, mean.low, mean.high, mean.runs, learnt(mean.value, mean.low, place[-1])))
    return pd.DataFrame(records, columns=[*names, "value", "low", "high", "n", "verdict"])


def highest(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the highest rung that each trained learner has learnt, with the tests from which that is read.

    A rung counts if one of its tests is learnt. Learners without a test above memory have no row. Columns instrument,
    who, tests and learnt (how many), rung, runs (of a test that is learnt there, else of the test with the fewest), on
    (the tests that are learnt).

    Examples
    --------
    >>> row = {"instrument": "tiles", "kind": "model", "who": "net", "split": "cross, diagonal", "metric": ABOVE}
    >>> row |= {"rung": "extrapolation", "value": 0.9, "low": 0.8, "high": 1.0, "interval": "95% over items, one run"}
    >>> highest(pd.DataFrame([row])).rung.item()
    'extrapolation'
    """
    records = []
    for place, tests in climbed(rows).groupby(["instrument", "who"], sort=False):
        learnt = tests[tests.verdict == "learnt"].sort_values("rung", key=lambda rungs: rungs.map(RUNGS.index))
        rung = "none" if learnt.empty else learnt.rung.iloc[-1]
        runs = tests.n.min() if learnt.empty else learnt.n[learnt.rung == rung].max()
        records.append((*place, len(tests), len(learnt), rung, int(runs), [*learnt.split]))
    return pd.DataFrame(records, columns=["instrument", "who", "tests", "learnt", "rung", "runs", "on"])


def steps(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what each player gets on each split, from one result row a run: a table of a staircase, `STEPS`.

    Runs of a learner are averaged by `mean_of_rows`. Columns ``zero`` and ``one`` may say which values become 0 and 1,
    and ``items`` how the items of runs are related.

    Examples
    --------
    >>> row = {"split": "a", "rung": "iid", "who": "net", "kind": "model", "interval": "95% over items, one run"}
    >>> steps(pd.DataFrame([row | {"value": 0.75, "low": 0.7, "high": 0.8, "zero": 0.5}])).value.item()
    0.5
    """
    defaults = {"zero": 0.0, "one": 1.0, "items": "sample"}
    rows, records = rows.assign(**{name: value for name, value in defaults.items() if name not in rows}), []
    for place, runs in rows.groupby(_STEP, sort=False, observed=True):
        zero, one, items = runs[["zero", "one", "items"]].iloc[0]
        mean = mean_of_rows(runs, items)
        skill = ((value - zero) / (one - zero) for value in (mean.value, mean.low, mean.high))
        records.append((*place, *skill, mean.runs))
    return pd.DataFrame(records, columns=list(STEPS))
