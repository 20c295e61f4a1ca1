"""People on MEWL: those of the paper, and whoever sits down to it here (Jiang et al. 2023, § 5.2 and appendix D)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd

from cogkit.core.contracts import RESULT_COLUMNS
from cogkit.mewl.paper.reported import ALPHA, result_rows
from cogkit.mewl.people import study
from cogkit.mewl.people.collected import (
    from_jspsych as from_jspsych,  # of this room's names, though it fills one of its own
)
from cogkit.mewl.people.study import INSTRUMENT, Plan
from cogkit.mewl.problems import patterns
from cogkit.mewl.problems.episodes import TASKS
from cogkit.stats import Sample, grubbs, mean_interval, t_test, wilson
from cogkit.study.trials import BEGIN

KEPT, AGAIN, OUTLIER = "", "sat it before", "outlier"  # why a sitting is kept, or not, beside `study.REASONS`
FEWEST = 3  # people among whom an outlier can be
CLAIMS = (("shape", "≈", "color"), ("color", ">", "material"), ("material", ">", "composite"))


def published() -> pd.DataFrame:
    """Return the published people as result rows, one a task.

    Examples
    --------
    >>> published().set_index("task").value["relation"]
    np.float64(0.487)
    """
    rows = result_rows()
    return rows[rows.kind == "person"].reset_index(drop=True)


def log(trials: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Return every sitting, one a line, and whether it is counted, or why not: nothing is dropped in silence.

    Parameters
    ----------
    trials : DataFrame
        Trial rows (`contracts.TRIAL_COLUMNS`), in the order they were made.
    alpha : float
        Of Grubbs' test for outliers.

    Returns
    -------
    DataFrame
        Columns sitting, who, profile, task, feedback (answers were told to be right or wrong), answers and right (of
        test items: how many, and which share), attention (share of the checks that is right), seconds (of all that is
        timed), reason, kept. A reason is, the first that is so: ``tutorial failed``, ``not finished``, ``attention
        failed`` (one check or more), ``sat it before`` (the same person, this task), ``outlier`` (by Grubbs' test among
        the people of one profile and task who are left, once); or "".

    Notes
    -----
    Differs from the paper: it prints alpha = 0.5 for Grubbs' test, which would call one in two groups without any
    outlier bad; .05 is taken to be meant.

    Examples
    --------
    >>> from cogkit.core.contracts import TRIAL_COLUMNS
    >>> log(pd.DataFrame(columns=TRIAL_COLUMNS)).empty
    True
    """
    mine = trials[(trials["instrument"] == INSTRUMENT) & (trials["kind"] == "person")]
    failures, tests, checks = study.failures(mine), study.answers(mine, False), study.answers(mine, True)
    right, attention = (rows.groupby("sitting")["correct"].agg(["size", "mean"]) for rows in (tests, checks))
    seconds = mine.groupby("sitting")["rt_s"].sum()
    rows, sat = [], set()
    for begun in mine[mine["item"] == BEGIN].itertuples():
        plan, sitting = Plan.of(begun.response), begun.sitting
        reason = failures.get(sitting, AGAIN if (begun.who, plan.task) in sat else KEPT)
        sat |= {(begun.who, plan.task)} if reason not in study.REASONS[:2] else set()
        rows.append({
            "sitting": sitting, "who": begun.who, "profile": plan.profile, "task": plan.task, "feedback": plan.feedback,
            "answers": int(right["size"].get(sitting, 0)), "right": float(right["mean"].get(sitting, np.nan)),
            "attention": float(attention["mean"].get(sitting, np.nan)), "seconds": float(seconds[sitting]),
            "reason": reason,
        })  # fmt: skip
    columns = ["sitting", "who", "profile", "task", "feedback", "answers", "right", "attention", "seconds", "reason"]
    table = pd.DataFrame(rows, columns=columns)
    for _, group in table[table.reason == KEPT].groupby(["profile", "task"]):
        if len(group) >= FEWEST:
            found = grubbs(group.right, alpha).iloc[0]
            if found.outlier:
                table.loc[group.index[found.place], "reason"] = OUTLIER
    return table.assign(kept=table.reason == KEPT)


def groups(trials: pd.DataFrame, profile: str = "verified", alpha: float = 0.05) -> dict[str, np.ndarray]:
    """Return the share right of every person who is counted, by task: what `pairwise` compares.

    Parameters
    ----------
    trials, alpha
        As for `log`.
    profile : str
        The rules that the items were made by.
    """
    kept = log(trials, alpha).query("kept and profile == @profile")
    return {task: kept.right[kept.task == task].to_numpy() for task in TASKS if (kept.task == task).any()}


def pairwise(people: Mapping[str, object], alpha: float = ALPHA, variances: str = "pooled") -> pd.DataFrame:
    """Return a one-tailed t test for every pair of tasks: is the one with the higher mean the easier one (Table A2)?

    Parameters
    ----------
    people : mapping
        By task, the share right of each person, or a `stats.Sample` of them (n, mean, sd); two people at least.
    alpha : float
        Below which p is called significant.
    variances : str
        ``pooled`` (Student) or ``welch``. The article does not say which.

    Returns
    -------
    DataFrame
        Columns first, second, difference (first minus second), easier (the one with the higher mean), t, df, p (chance
        of a difference so large for the easier one where there is none), significant, n_first, n_second. Pairs are in
        the order of Table A2. Nothing is corrected for 36 tests, as in the article.

    Notes
    -----
    The tail is chosen by the data, so that of equal tasks one in ten pairs comes out below .05, not one in twenty.

    Examples
    --------
    >>> pairwise({"shape": Sample(24, 0.92, 0.15), "color": Sample(24, 0.87, 0.14)}).easier.item()
    'shape'
    """
    samples = {task: Sample.of(people[task]) for task in TASKS if task in people}
    rows = []
    for first, second in itertools.combinations(samples, 2):
        one, other = samples[first], samples[second]
        ahead = one.mean >= other.mean
        found = t_test(one, other, variances, alternative="greater" if ahead else "less").iloc[0]
        rows.append({
            "first": first, "second": second, "difference": found.difference, "easier": first if ahead else second,
            "t": found.t, "df": found.df, "p": found.p, "significant": bool(found.p < alpha),
            "n_first": one.n, "n_second": other.n,
        })  # fmt: skip
    columns = ["first", "second", "difference", "easier", "t", "df", "p", "significant", "n_first", "n_second"]
    return pd.DataFrame(rows, columns=columns)


def ordering(tests: pd.DataFrame, alpha: float = ALPHA) -> pd.DataFrame:
    """Return whether the printed order of the naming tasks holds: shape ≈ color > material > composite (§ 5.3).

    Parameters
    ----------
    tests : DataFrame
        As `pairwise` gives them, or `reported.pairs`: pairs of tasks that are not there are left out.
    alpha : float
        Below which a difference counts.

    Returns
    -------
    DataFrame
        Columns claim, difference, p, holds: of ``>``, the mean is higher and p below alpha; of ``≈``, p is not.

    Notes
    -----
    By the article's own tests (`reported.pairs`) the last claim does not hold: material and composite differ with
    p = .082. That a difference is not significant does not show that there is none.

    Examples
    --------
    >>> from cogkit.mewl.paper.reported import pairs
    >>> ordering(pairs()).set_index("claim").holds.to_dict()
    {'shape ≈ color': True, 'color > material': True, 'material > composite': False}
    """
    told, rows = tests.set_index(["first", "second"]), []
    for first, sign, second in CLAIMS:
        if (first, second) in told.index:
            found = told.loc[(first, second)]
            counts = bool(found.p < alpha)
            holds = not counts if sign == "≈" else counts and found.difference > 0
            rows.append((f"{first} {sign} {second}", float(found.difference), float(found.p), bool(holds)))
    return pd.DataFrame(rows, columns=["claim", "difference", "p", "holds"])


def rows(trials: pd.DataFrame, you: str = "", alpha: float = 0.05) -> pd.DataFrame:
    """Return result rows of sittings: each person who answered, and all who are counted, by task.

    Parameters
    ----------
    trials, alpha
        As for `log`.
    you : str
        The pseudonym (`trials.pseudonym`) that rows shall call "you".

    Returns
    -------
    DataFrame
        ``RESULT_COLUMNS``: ``accuracy`` on test items. Of a person n is answers, and the interval Wilson's;
        who is not counted has the reason in ``source``. Of ``people here`` n is people, and the interval Student's.
    """
    table, made = log(trials, alpha), []
    known = {"instrument": INSTRUMENT, "preset": "lab", "kind": "person", "inputs": "pixels", "metric": "accuracy"}
    for line in table[table.answers > 0].itertuples():
        low, high = wilson(line.right * line.answers, line.answers)
        who = "you" if line.who == you else line.who
        made.append(known | {
            "cell": f"mewl/{who}/{line.task}", "profile": line.profile, "task": line.task, "who": who, "seed": 0,
            "value": line.right, "low": low, "high": high, "interval": "95% Wilson", "n": line.answers,
            "source": "sitting" + f", {line.reason}" * bool(line.reason),
        })  # fmt: skip
    for (profile, task), people in table[table.kept].groupby(["profile", "task"], sort=False):
        low, high = mean_interval(people.right)
        made.append(known | {
            "cell": f"mewl/people-here/{task}", "profile": profile, "task": task, "who": "people here", "seed": 0,
            "value": people.right.mean(), "low": low, "high": high, "interval": "95% t, people" * (len(people) > 1),
            "n": len(people), "source": "sittings",
        })  # fmt: skip
    return pd.DataFrame(made, columns=list(RESULT_COLUMNS))


def errors(trials: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return which wrong names people chose on test items, as `patterns.errors` does for whoever answers.

    Parameters
    ----------
    trials : DataFrame
        As for `log`; of all sittings that are in it.
    level : float
        Of the intervals, which take all answers for independent.
    """
    answers = study.answers(trials, False)
    episodes = [study.item(name).episode for name in answers["item"]]
    return patterns.errors(episodes, [extra["choice"] for extra in answers["extra"]], level)
