"""Conversion of scores to result rows, and back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.core import seeding
from cogkit.core.records import result_row
from cogkit.generalization import scoring
from cogkit.generalization.learners import groups
from cogkit.generalization.learners.predictions import NONE, Fitted
from cogkit.generalization.metric import calibrated
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.suites import PLAYERS, SIDES, TABLE, family_of

_TASK = {"alignment": "D_align", "abstraction": "D̃"}  # properties of the task, so given only with its first side
_SIDE = {"gr_star": "GR*", "accuracy": "accuracy"}


def of_sides(fitted: Fitted) -> Iterator[dict]:
    """Yield result rows under ``as_published``: GR* and accuracy of each side, D_align and D̃ of each task.

    ``n`` is the test rows of the task.
    """
    counts = dict(zip(fitted.names, (fitted.truth != NONE).sum(axis=1).tolist(), strict=True))
    scores = groups.score(fitted)
    first = scores.kind.iloc[0]
    for row in scores.itertuples():
        for column, name in (_SIDE | _TASK if row.kind == first else _SIDE).items():
            yield _row(row.task, row.kind, row.side, name, getattr(row, column), counts[row.task])


def of_curves(curves: pd.DataFrame, profile: str) -> Iterator[dict]:
    """Yield result rows of curves: means over tasks at each level, with 95 % t intervals if there are several tasks."""
    quantities = {"GR*": curves.gr_star, "accuracy": curves.accuracy}
    quantities |= {"f(accuracy)": metric.performance(curves.accuracy), "D_align": curves.alignment}
    if profile == "verified":
        above = calibrated.above_chance(curves.accuracy, 1 / curves.classes)
        quantities = {"A_c": np.clip(above, 0, 1), "P": calibrated.performance(above)}
    if "past" in curves:
        quantities["accuracy on earlier tasks"] = curves.past
    table = curves.assign(**quantities)
    keys = ["curve", "place", "level", "kind", "side"]
    for (curve, place, level, kind, side), part in table.groupby(keys, sort=False):
        task = "/".join(filter(None, [curve, place, f"{level:g}"]))
        for name in quantities:
            values = part[name].dropna()
            if len(values):
                limits = stats.mean_interval(values) if len(values) > 1 else None
                yield _row(task, kind, side, name, values.mean(), len(values), limits, interval="95% t, tasks")


def of_components(fitted: Fitted, seed: int) -> Iterator[dict]:
    """Yield result rows of the calibrated components of every player, by family and over all tasks.

    Intervals are a bootstrap of tasks, and of items within them. L has one importance per task and column, so its
    bootstrap is over tasks.
    """
    evidence = by_task(fitted)
    families = [family_of(name) for name in fitted.names]
    for family in (*dict.fromkeys(families), "all"):
        places = [t for t, name in enumerate(families) if family in (name, "all")]
        cohorts: dict[tuple[int, ...], dict] = {}  # players with the same tasks, which are resampled together
        for player, cases in evidence.items():
            tasks = tuple(t for t in places if cases[t] is not None)
            cohorts.setdefault(tasks, {})[player] = [cases[t] for t in tasks]
        for tasks, players in cohorts.items():
            rng = seeding.stream(seed, f"generalization/components/{family}")
            for row in calibrated.intervals(players, rng)[0].dropna(subset=["value"]).itertuples() if tasks else ():
                unit = "tasks" if row.component == "L" else "tasks and items"
                numbers = row.component, row.value, row.n, (row.low, row.high)
                yield _row(family, PLAYERS[row.who], row.who, *numbers, interval=f"95% bootstrap, {unit}")


def by_task(fitted: Fitted) -> dict[str, list[calibrated.Evidence | None]]:
    """Return the evidence of each player, task by task, with all components; None where a task has no such player.

    Chance is the share of the most frequent class in the test rows, which a constant answer reaches.
    """
    cases: dict[str, list] = {player: [] for player in fitted.config.players}
    for t, (_, s, _) in enumerate(fitted.sizes):
        truth = fitted.truth[t, fitted.truth[t] != NONE]
        n, weights = len(truth), fitted.informative[t, :s]
        for place, player in enumerate(fitted.config.players):
            if fitted.predicted[t, place, 0] == NONE:
                cases[player].append(None)
                continue
            right, level = fitted.predicted[t, place, :n] == truth, np.bincount(truth).max() / n
            hits = dict(zip(scoring.SHIFTS, fitted.under_shift[t, place, :, :n] == truth, strict=True))
            losses = np.broadcast_to(fitted.importance[t, place, :s], (n, s))
            parts = (None, None) if np.isnan(weights).any() else (losses, weights)
            cases[player].append(calibrated.Evidence(right, level, hits, *parts))
    return cases


def scores(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table of scores in result rows, with a column seed. It is the inverse of `of_sides`."""
    table = rows[rows.metric.isin([*_SIDE.values(), *_TASK.values()]) & ~rows.task.str.contains("/")]
    names = {metric: column for column, metric in (_SIDE | _TASK).items()}
    wide = table.pivot(index=["seed", "task", "who", "kind"], columns="metric", values="value").rename(columns=names)
    wide = wide.reset_index().rename(columns={"who": "side"}).rename_axis(columns=None)
    wide = wide.reindex(columns=["seed", "task", "side", "kind", *_SIDE, *_TASK])
    wide[list(_TASK)] = wide.groupby(["seed", "task"])[list(_TASK)].transform("first")
    order = {task: place for place, task in enumerate(dict.fromkeys(table.task))}
    wide = wide.assign(family=wide.task.map(family_of)).join(TABLE[["n", "s", "classes"]], on="family")
    places = {"task": order.get, "side": [*SIDES.values()].index}
    keys = {"key": lambda column: column.map(places[column.name]) if column.name in places else column}
    return wide.sort_values(["seed", "task", "side"], ignore_index=True, **keys)


def _row(task: str, kind: str, who: str, *numbers, interval: str = "") -> dict:
    """Return the row of a player; ``numbers`` are metric, value, n, and limits where there are any."""
    player = {"who": who, "kind": kind, "inputs": "columns", "supervision": scoring.supervision(kind)}
    return result_row(player, task, *numbers, interval=interval)
