"""Results of people on MEWL: those of the paper, and those of sittings here (Jiang et al. 2023, § 5.2, appendix D)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.core.records import result_row
from cogkit.data import results
from cogkit.mewl.paper.reported import ALPHA, result_rows
from cogkit.mewl.people import study
from cogkit.mewl.people.study import INSTRUMENT, Plan
from cogkit.mewl.problems import patterns
from cogkit.stats import grubbs, mean_interval, wilson
from cogkit.study.sitting import AFTER_PRACTICE
from cogkit.study.trials import BEGIN

# Why a sitting is counted or not, beside `study.REASONS`.
KEPT, AGAIN, PRACTISED, OUTLIER = "", "sat it before", "after practice", "outlier"
HERE = "people here"  # the counted people of sittings, in result rows
FEWEST = 3  # people in a group that can have an outlier
CLAIMS = (("shape", "≈", "color"), ("color", ">", "material"), ("material", ">", "composite"))


def published() -> pd.DataFrame:
    """Return the published people as result rows, one for each task.

    Examples
    --------
    >>> published().set_index("task").value["relation"]
    np.float64(0.487)
    """
    rows = result_rows()
    return rows[rows.kind == "person"].reset_index(drop=True)


def log(trials: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Return one row for each sitting. The row says whether the sitting is counted and, if not, the reason.

    ``alpha`` is the level of Grubbs' test for outliers. Columns: sitting, who, profile, task, feedback (whether people
    learned if each answer was right), answers (number of test items), right (share of right answers), attention (share
    of right answers in the checks), seconds (sum of all response times), reason, kept. The reason is the first that
    applies: ``tutorial failed``, ``not finished``, ``attention failed`` (one check or more), ``sat it before`` (the
    same person, this task), ``after practice`` (the sitting before ended in the tutorial), ``outlier`` (one Grubbs'
    test among the remaining people of one profile and task); or "".

    Notes
    -----
    Differs from the paper: it prints alpha = 0.5 for Grubbs' test. With this value the test would find an outlier in
    half of all groups without one, so we assume .05.

    Examples
    --------
    >>> from cogkit.core.records import TRIAL_COLUMNS
    >>> log(pd.DataFrame(columns=TRIAL_COLUMNS)).empty
    True
    """
    mine = study.sat(trials)
    failures, tests, checks = study.failures(mine), study.answers(mine, False), study.answers(mine, True)
    shares, attention = (rows.groupby("sitting")["correct"].agg(["size", "mean"]) for rows in (tests, checks))
    seconds = mine.groupby("sitting")["rt_s"].sum()
    rows, visits = [], set()
    for start in mine[mine["item"] == BEGIN].itertuples():
        plan, sitting = Plan.of(start.response), start.sitting
        before = AGAIN if (start.who, plan.task) in visits else PRACTISED if AFTER_PRACTICE in start.extra else KEPT
        reason = failures.get(sitting, before)
        visits |= {(start.who, plan.task)} if reason not in study.REASONS[:2] else set()
        rows.append({
            "sitting": sitting, "who": start.who, "profile": plan.profile, "task": plan.task, "feedback": plan.feedback,
            "answers": int(shares["size"].get(sitting, 0)), "right": float(shares["mean"].get(sitting, np.nan)),
            "attention": float(attention["mean"].get(sitting, np.nan)), "seconds": float(seconds[sitting]),
            "reason": reason,
        })  # fmt: skip
    columns = ["sitting", "who", "profile", "task", "feedback", "answers", "right", "attention", "seconds", "reason"]
    table = pd.DataFrame(rows, columns=columns)
    for _, group in table[table.reason == KEPT].groupby(["profile", "task"]):
        if len(group) >= FEWEST:
            candidate = grubbs(group.right, alpha).iloc[0]
            if candidate.outlier:
                table.loc[group.index[candidate.place], "reason"] = OUTLIER
    return table.assign(kept=table.reason == KEPT)


def ordering(tests: pd.DataFrame) -> pd.DataFrame:
    """Return whether the printed order of the naming tasks holds: shape ≈ color > material > composite (§ 5.3).

    ``tests`` are as `reported.pairs`. Claims about missing pairs of tasks are left out. Columns:
    claim, difference, p, holds. ``>`` holds if the mean is higher and p is below .05; ``≈`` holds if p is not
    below it.

    Notes
    -----
    By the article's own tests (`reported.pairs`) the last claim does not hold: for material and composite, p = .082. A
    difference that is not significant may still exist.

    Examples
    --------
    >>> from cogkit.mewl.paper.reported import pairs
    >>> ordering(pairs()).set_index("claim").holds.to_dict()
    {'shape ≈ color': True, 'color > material': True, 'material > composite': False}
    """
    table, rows = tests.set_index(["first", "second"]), []
    for easier, sign, harder in CLAIMS:
        if (easier, harder) in table.index:
            test = table.loc[(easier, harder)]
            counts = bool(test.p < ALPHA)
            holds = not counts if sign == "≈" else counts and test.difference > 0
            rows.append((f"{easier} {sign} {harder}", float(test.difference), float(test.p), bool(holds)))
    return pd.DataFrame(rows, columns=["claim", "difference", "p", "holds"])


def rows(trials: pd.DataFrame, you: str = "") -> pd.DataFrame:
    """Return result rows of sittings, by task: a row for each person who answered, and one for all counted people.

    ``you`` is the pseudonym (`trials.pseudonym`) that rows replace with "you". The metric is
    ``accuracy`` on test items. For one person, n is the number of answers, and the interval is Wilson's; if the person
    is not counted, ``source`` has the reason. For ``people here``, n is the number of people, and the interval is
    Student's.
    """
    table, records = log(trials), []
    person = {"kind": "person", "inputs": "pixels", "supervision": ""}
    for line in table[table.answers > 0].itertuples():
        limits = wilson(line.right * line.answers, line.answers)
        name, source = "you" if line.who == you else line.who, "sitting" + f", {line.reason}" * bool(line.reason)
        who = person | {"who": name}
        row = result_row(who, line.task, "accuracy", line.right, line.answers, limits, "95% Wilson", source)
        records.append(row | {"cell": f"mewl/{name}/{line.task}", "profile": line.profile})
    for (profile, task), people in table[table.kept].groupby(["profile", "task"], sort=False):
        n, who = len(people), person | {"who": HERE}
        limits, interval = mean_interval(people.right), "95% t, people" * (n > 1)
        row = result_row(who, task, "accuracy", people.right.mean(), n, limits, interval, "sittings")
        records.append(row | {"cell": f"mewl/people-here/{task}", "profile": profile})
    return results.table(records, instrument=INSTRUMENT, preset="lab", seed=0)


def errors(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the wrong names that people chose on test items, as a table of `patterns.errors`.

    All sittings of ``trials`` are used. The intervals assume that all answers are independent.
    """
    answers = study.answers(trials, False)
    episodes = [study.item(name).episode for name in answers["item"]]
    return patterns.errors(episodes, [extra["choice"] for extra in answers["extra"]])


def of_people(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the result rows of each person who sat the study: those of `rows` without its groups."""
    table = rows(trials)
    return table[table["who"] != HERE]
