"""More than mean accuracy: shared errors, the worst family, accuracy under shift and what foretells it, and curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict

from cogkit import stats
from cogkit.core import seeding
from cogkit.generalization import scoring
from cogkit.generalization.learners import groups, players
from cogkit.generalization.learners.predictions import NONE, Fitted
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import PLAYERS, Suite, family_of, side

LEARNERS = side("proxy", "model")
LEVELS = tuple(np.arange(0, 3.25, 0.25))  # standard deviations, from no shift to one that leaves almost chance
GROUPS = ("two proxies", "a proxy and a machine", "two machines")  # of pairs, by the number of machines


def right(fitted: Fitted) -> pd.DataFrame:
    """Return which test rows each player got right, one row per test row.

    The index is family and task. Each player is a column: 1.0 right, 0.0 wrong, NaN if the task has no such player.
    """
    mask = fitted.truth != NONE
    values = np.where(fitted.predicted == NONE, np.nan, fitted.predicted == fitted.truth[:, None])
    tasks = np.repeat(fitted.names, mask.sum(axis=1))
    index = pd.MultiIndex.from_arrays([[family_of(task) for task in tasks], tasks], names=["family", "task"])
    return pd.DataFrame(values.transpose(0, 2, 1)[mask], index, list(fitted.config.players))


def consistency(fitted: Fitted, rng: np.random.Generator) -> pd.DataFrame:
    """Return whether two learners make errors on the same test rows, one row per pair.

    As `stats.error_consistency_table`, with whole tasks resampled, and ``group``, one of `GROUPS`, in their order.
    """
    table = right(fitted)[[name for name in fitted.config.players if name in LEARNERS]]
    pairs = stats.error_consistency_table(table, rng, clusters=table.index.get_level_values("task"))
    machines = (pairs[["first", "second"]].map(PLAYERS.get) == "model").sum(axis=1)
    pairs = pairs.assign(group=machines.map(dict(enumerate(GROUPS))))
    return pairs.loc[machines.sort_values(kind="stable").index].reset_index(drop=True)


def worst_families(fitted: Fitted) -> pd.DataFrame:
    """Return the accuracy of learners and observer by family: who, kind, and the columns of `stats.worst_group`."""
    table, parts = right(fitted), []
    for player in side("proxy", "model", "observer"):
        values = table[player].dropna()
        families = stats.worst_group(values, values.index.get_level_values("family"))
        parts.append(families.assign(who=player, kind=PLAYERS[player]))
    return pd.concat(parts, ignore_index=True)


def under_shift(fitted: Fitted) -> pd.DataFrame:
    """Return how much accuracy learners and observer keep under shift, compared with what their accuracy predicts.

    Only tasks that all players have are counted. The line is fitted to the six learners.

    As `stats.effective_robustness`, with ``shifted`` the mean over `scoring.SHIFTS`, and kind.
    """
    within = fitted.accuracy()
    shifted = np.mean([fitted.accuracy(answers) for answers in np.moveaxis(fitted.under_shift, 2, 0)], axis=0)
    everybody = ~np.isnan(within).any(axis=1)
    means = pd.DataFrame({"within": within[everybody].mean(axis=0), "shifted": shifted[everybody].mean(axis=0)})
    means = means.set_axis(fitted.config.players).loc[[*side("proxy", "model", "observer")]]
    table = stats.effective_robustness(means, "within", "shifted", means.index.isin(LEARNERS))
    return table.assign(kind=table.model.map(PLAYERS), tasks=int(everybody.sum()))


def predicts_shift(fitted: Fitted) -> pd.DataFrame:
    """Return how well accuracy, alone and with GR*, predicts a side's accuracy under shift in held-out families.

    A linear regression predicts a side's mean accuracy under the shifts of `scoring.SHIFTS` over tasks and sides. Its
    predictors are accuracy, alone and with GR* or f(accuracy). Each family in turn is predicted from the others. The
    answers are with components, of both sides.

    Columns predictors, r2 (out of family; below 0 is worse than the mean), error (root mean square), n.
    """
    scores, answers = groups.score(fitted), np.moveaxis(fitted.under_shift, 2, 0)
    target = np.mean([groups.score(replace(fitted, predicted=each)).accuracy for each in answers], axis=0)
    sets = {
        "accuracy": [scores.accuracy],
        "accuracy and f(accuracy)": [scores.accuracy, metric.performance(scores.accuracy)],
        "accuracy and GR*": [scores.accuracy, scores.gr_star],
        "GR*": [scores.gr_star],
    }
    model, rows = {"groups": scores.family, "cv": LeaveOneGroupOut()}, []
    for name, columns in sets.items():
        predictions = cross_val_predict(LinearRegression(), np.column_stack(columns), target, **model)
        error = ((target - predictions) ** 2).mean()
        rows.append({"predictors": name, "r2": 1 - error / target.var(), "error": np.sqrt(error), "n": len(target)})
    return pd.DataFrame(rows)


def moved(problem: Problem, level: float, seed: int) -> Problem:
    """Return a task with each column of its test rows moved by ``level`` standard deviations, up or down at random.

    The directions are the same at every level.
    """
    rng = seeding.stream(seed, f"generalization/{problem.task}/shift")
    return replace(problem, x_test=problem.x_test + level * rng.choice([-1.0, 1.0], problem.s))


def shifted_answers(tasks: int, seed: int, levels=LEVELS) -> pd.DataFrame:
    """Train the learners, and return how many test rows each gets right as the shift grows.

    The tasks are Linear. Levels are shifts of each column, in standard deviations of the training rows.

    Columns who, level, correct, n, over all tasks.

    Examples
    --------
    >>> shifted_answers(1, 0, [0.0, 3.0]).groupby("level").n.sum().tolist()
    [1800, 1800]
    """
    rows = []
    for problem in records.problems(Suite(tasks, ("Linear",)), seed):
        tests = np.concatenate([moved(problem, level, seed).x_test for level in levels])
        tests = replace(problem, x_test=tests, y_test=np.tile(problem.y_test, len(levels)))
        for name in players.LEARNERS:
            learner = players.fitted(name, problem.x, problem.y, problem.state)
            right = scoring.judge(learner, tests, profile="as_published").right.reshape(len(levels), -1)
            for level, answers in zip(levels, right, strict=True):
                rows.append({"who": name, "level": float(level), "correct": int(answers.sum()), "n": len(answers)})
    return pd.DataFrame(rows).groupby(["who", "level"], sort=False, as_index=False).sum()


def psychometric_curves(answers: pd.DataFrame, rng: np.random.Generator, resamples: int = 200) -> pd.DataFrame:
    """Return the psychometric curve of each learner: who, and the columns of `stats.psychometric`; chance is 0.5."""
    fits = [
        stats.psychometric(part.level, part.correct, part.n, 0.5, rng, resamples=resamples).assign(who=name)
        for name, part in answers.groupby("who", sort=False)
    ]
    return pd.concat(fits, ignore_index=True)
