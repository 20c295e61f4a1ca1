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
from cogkit.study.sitting import INSTRUCTIONS, in_phase
from cogkit.study.trials import Trials, pseudonym

GROUPS = ("experts", "amateurs")


def published() -> pd.DataFrame:
    """Return the published people as result rows: six experts and six amateurs, by type of problem.

    Examples
    --------
    >>> published().groupby("who").value.mean().round(3).to_dict()
    {'amateurs': 0.83, 'experts': 0.94}

    Notes
    -----
    The paper split its people into two halves by the total time for instructions and problems, and calls the slower
    half experts. The split was made afterwards, and the time depends on care as much as on skill. People here have no
    groups.
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
    total_s (time of the whole sitting, over pages and answers of all types; NaN if a time is unknown).
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
    return pd.DataFrame(rows, columns=columns)


def _by_sitting(trials: pd.DataFrame) -> Iterator[tuple[str, Answers]]:
    """Yield each `Answers` of `from_trials` with its sitting."""
    for sitting, rows in trials.groupby("sitting", sort=False):
        yield from ((sitting, answers) for answers in from_trials(rows))


def rows(trials: pd.DataFrame, you: str = "") -> pd.DataFrame:
    """Return result rows of sittings, for each person by type of problem.

    ``you`` is the pseudonym (`trials.pseudonym`) that rows call "you". ``accuracy`` has an interval over problems.
    Times are ``seconds, instructions`` for each type, and ``seconds`` for the task ``all``.
    """
    table, records = scores(trials), []
    for sitting, answers in _by_sitting(trials):
        name = "you" if answers.who == you else answers.who
        run = {"cell": f"bongard/{name}", "profile": answers.profile, "seed": answers.seed}
        records += [run | row | {"who": name} for row in rows_of(answers, concepts=False)]
        (line,) = table[(table.sitting == sitting) & (table.task == answers.task)].itertuples()
        times = {(answers.task, "seconds, instructions"): line.instructions_s}
        if answers.task == table.task[table.sitting == sitting].iloc[-1]:
            times["all", "seconds"] = line.total_s
        who = {"who": name, "kind": "person", "inputs": "pixels", "supervision": ""}
        records += [run | result_row(who, *key, seconds, 1, source="sitting") for key, seconds in times.items()]
    return results.table(records, instrument="bongard", preset="lab")
