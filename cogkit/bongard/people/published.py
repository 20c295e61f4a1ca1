"""People on Bongard-LOGO: the twelve of the paper, and the people of sittings here (Nie et al. 2020, § 3.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from cogkit.bongard.paper.reported import result_rows
from cogkit.bongard.people import study
from cogkit.bongard.problems.records import SIDES, SUPPORT
from cogkit.bongard.scoring import Answers
from cogkit.bongard.scoring import result_rows as rows_of
from cogkit.core.records import result_row
from cogkit.data import results
from cogkit.stats import mean_interval
from cogkit.study.sitting import INSTRUCTIONS, in_phase
from cogkit.study.trials import Trials, pseudonym

GROUPS = ("experts", "amateurs")
POST_HOC = {name: f"{name}, by time" for name in GROUPS}  # names of the groups of collected sittings in result rows


def published() -> pd.DataFrame:
    """Return the published people as result rows: six experts and six amateurs, by type of problem.

    Examples
    --------
    >>> published().groupby("who").value.mean().round(3).to_dict()
    {'amateurs': 0.83, 'experts': 0.94}

    Notes
    -----
    The paper split its people into two halves by the total time for instructions and problems, and calls the slower
    half experts. The split was made afterwards, and the time depends on care as much as on skill.
    """
    rows = result_rows("Table 1")
    return rows[rows.kind == "person"].reset_index(drop=True)


def collected() -> pd.DataFrame:
    """Return the result rows of every sitting on this computer. The reader is called ``you``; see `rows`."""
    return rows(Trials().frame(instrument="bongard"), pseudonym())


def from_trials(trials: pd.DataFrame) -> list[Answers]:
    """Return the answers of each person, one `Answers` for each sitting and type of problem, oldest first.

    ``trials`` are in order of time. A problem with only one answered query is left out.

    Examples
    --------
    >>> from cogkit.core.records import TRIAL_COLUMNS
    >>> from_trials(pd.DataFrame(columns=TRIAL_COLUMNS))
    []
    """
    answers = in_phase(trials, "bongard", study.ANSWER)
    if answers.empty:
        return []
    answers = answers.drop_duplicates(["sitting", "item"])  # the first answer counts
    answers = answers.assign(problem=answers["item"].str.rpartition("/")[0])
    groups = answers.groupby(["sitting", "task"], sort=False)
    return [part for _, rows in groups if (part := _answers(rows)) is not None]


def _answers(rows: pd.DataFrame) -> Answers | None:
    """Return the answers of one sitting to one type of problem, or None if no problem is finished."""
    side = [extra["side"] for extra in rows["extra"]]
    responses = rows.assign(side=side).pivot(index="problem", columns="side", values="response")
    responses = responses.reindex(index=rows["problem"].unique(), columns=list(SIDES)).dropna()
    if responses.empty:
        return None
    concepts = {row.problem: tuple(row.extra["concept"]) for row in rows.itertuples()}
    first, positive = rows.iloc[0], (responses == SIDES[0]).to_numpy()
    return Answers(
        who=first["who"], kind="person", inputs="pixels", task=first["task"], profile=first["profile"],
        seed=int(first["seed"]), source="sitting", names=tuple(responses.index),
        concepts=tuple(concepts[name] for name in responses.index), places=np.full(positive.shape, SUPPORT),
        chance=positive.astype(np.float32), choices=positive,
    )  # fmt: skip


def scores(trials: pd.DataFrame) -> pd.DataFrame:
    """Return scores and times of each person for each type of problem.

    Columns: sitting, who, profile, task, problems (finished), right (share of right answers to both queries), first
    (share of right first answers, which no other answer gives away), instructions_s (time on the page of that type),
    total_s (time of the whole sitting, over pages and answers of all types; NaN if a time is unknown), done (whether
    every problem of every type is finished), group (``experts``, ``amateurs``, or "" for none).

    Notes
    -----
    Groups are the paper's, made afterwards. Among all people with a complete sitting, the slower half are experts. If
    their number is odd, the middle one is an expert. Groups need two people. Each person counts once, with the first
    complete sitting.
    """
    answers, pages = (in_phase(trials, "bongard", phase) for phase in (study.ANSWER, INSTRUCTIONS))
    reading = pages.groupby(["sitting", "task"])["rt_s"].sum()
    total = pd.concat([answers, pages]).groupby("sitting")["rt_s"].agg(lambda times: times.sum(skipna=False))
    is_first = np.array([extra["query"] == 0 for extra in answers["extra"]], dtype=bool)
    first = answers[is_first].groupby(["sitting", "task"])["correct"].mean()
    rows = []
    for sitting, part in _by_sitting(trials):
        key = (sitting, part.task)
        rows.append({
            "sitting": sitting, "who": part.who, "profile": part.profile, "task": part.task,
            "problems": len(part.names), "right": float(part.right.mean()), "first": float(first[key]),
            "instructions_s": float(reading.get(key, math.nan)), "total_s": float(total[sitting]),
        })  # fmt: skip
    columns = ["sitting", "who", "profile", "task", "problems", "right", "first", "instructions_s", "total_s"]
    table = pd.DataFrame(rows, columns=columns)
    types = table[table.problems >= study.EACH].groupby("sitting").task.nunique()
    table = table.assign(done=table.sitting.isin(types.index[types == len(study.TYPES)]))
    groups = _groups(table)
    return table.assign(group=[groups.get(sitting, "") for sitting in table.sitting])


def _by_sitting(trials: pd.DataFrame) -> Iterator[tuple[str, Answers]]:
    """Yield each `Answers` of `from_trials` with its sitting."""
    for sitting, rows in trials.groupby("sitting", sort=False):
        yield from ((sitting, answers) for answers in from_trials(rows))


def _groups(table: pd.DataFrame) -> dict[str, str]:
    """Return the group of each sitting that has one, separately for each profile."""
    groups = {}
    sittings = table[table.done & table.total_s.notna()].drop_duplicates(["profile", "who"])
    for _, people in sittings.groupby("profile"):
        if len(people) > 1:
            slowest = people.sort_values("total_s", ascending=False, kind="stable").sitting.tolist()
            half = (len(slowest) + 1) // 2
            groups |= dict.fromkeys(slowest[:half], GROUPS[0]) | dict.fromkeys(slowest[half:], GROUPS[1])
    return groups


def rows(trials: pd.DataFrame, you: str = "") -> pd.DataFrame:
    """Return result rows of sittings, for each person by type of problem, and for the two groups.

    ``you`` is the pseudonym (`trials.pseudonym`) that rows call "you". ``accuracy`` of a person has an interval over
    problems. ``accuracy`` of a group is the mean over people with Student's interval; n is the number of people, and
    ``who`` says that time separates the groups. Times of a person are ``seconds, instructions`` for each type, and
    ``seconds`` for the task ``all``.
    """
    table, records = scores(trials), []
    person = {"kind": "person", "inputs": "pixels", "supervision": ""}
    for sitting, answers in _by_sitting(trials):
        name = "you" if answers.who == you else answers.who
        run = {"cell": f"bongard/{name}", "profile": answers.profile, "seed": answers.seed}
        records += [run | row | {"who": name} for row in rows_of(answers, concepts=False)]
        (line,) = table[(table.sitting == sitting) & (table.task == answers.task)].itertuples()
        times = {(answers.task, "seconds, instructions"): line.instructions_s}
        if answers.task == table.task[table.sitting == sitting].iloc[-1]:
            times["all", "seconds"] = line.total_s
        who = person | {"who": name}
        records += [run | result_row(who, *key, seconds, 1, source="sitting") for key, seconds in times.items()]
    for (profile, group, task), people in table[table.group != ""].groupby(["profile", "group", "task"], sort=False):
        limits, who = mean_interval(people.right) if len(people) > 1 else None, person | {"who": POST_HOC[group]}
        row = result_row(who, task, "accuracy", people.right.mean(), len(people), limits, "95% t, people", "sitting")
        records.append(row | {"cell": f"bongard/{group}", "profile": profile, "seed": 0})
    return results.table(records, instrument="bongard", preset="lab")


def of_people(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the result rows of each person who sat the study: those of `rows` without its groups."""
    table = rows(trials)
    return table[~table["who"].isin(list(POST_HOC.values()))]
