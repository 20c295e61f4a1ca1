"""The sitting of Kumar et al. 2023 ("Human experiment"): one of sixteen conditions, 25 boards, no training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.identity import config_hash
from cogkit.core.seeding import stream
from cogkit.core.study import Presentation, Sat, Study, Wording
from cogkit.data import results
from cogkit.study.sitting import ITEMS, SHORT, SHORTENED, Sitting, shortened, shuffled
from cogkit.study.trials import BEGIN, Trials, pseudonym
from cogkit.tiles import scoring
from cogkit.tiles.learners import standards
from cogkit.tiles.problems import records
from cogkit.tiles.problems.text import LEGEND, NAMES, NAMING, grid
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items, encode
from cogkit.tiles.rules.game import COVERED, RED, Game

PRACTISED = "sitting after practice"  # the source of result rows of a sitting by a person who had seen other boards
SHORT_SITTING = "short sitting"  # likewise of `FIVE`, a sitting of five boards
LADDER = "ladder"  # likewise of the two steps in `people.climb`
SITTINGS = {  # sources in words; all others: free play
    "sitting": "the study", PRACTISED: "the study, after practice", SHORT_SITTING: "five boards of the study",
    f"{SHORT_SITTING} after practice": "five boards of the study, after practice", LADDER: "the ladder",
}  # fmt: skip
PROMPT = (
    "Click tiles to reveal two-dimensional patterns on a grid and score points. A red tile scores a point and a blue "
    "tile costs one; the last red tile of a board scores ten. The next board comes when every red tile is open."
)


def assign(seed: int) -> str:
    """Return one of the sixteen conditions (rule × abstract or metamer), each equally likely."""
    return records.CONDITIONS[stream(seed, "tiles/condition").integers(len(records.CONDITIONS))]


def items(condition: str, seed: int = 0) -> Items:
    """Return the held-out boards of a condition, the same for every seed."""
    return records.items(condition)


def clicked(presentation: Presentation, tile: int) -> dict:
    """Return the fields to store for a click on a covered tile after earlier clicks; the last red tile ends the board.

    Examples
    --------
    >>> import numpy as np
    >>> row = clicked(Presentation("items", "diagonal", (np.eye(7), 0), "diagonal/00", 0, 1, responses=(8,)), 1)
    >>> row["correct"], row["score"], row["done"], row["extra"]["step"]
    (0, -1, False, 2)
    """
    board, start = presentation.item
    game = Game(board, [start])
    for response in presentation.responses:
        game.step([response])
    if game.shown[0, tile] != COVERED:
        raise InputError(f"tile {tile}, which is open", "a covered tile")
    rewards, done = game.step([tile])
    return {
        "response": int(tile), "correct": int(game.shown[0, tile] == RED), "score": int(rewards[0]),
        "done": bool(done[0]),
        "extra": {"board": encode(board), "start": int(start), "step": len(presentation.responses) + 1},
    }  # fmt: skip


def worded(presentation: Presentation) -> Wording:
    """Return the last click on a board in words: before the first click of a board stands the grid.

    Examples
    --------
    >>> import numpy as np
    >>> wording = worded(Presentation("items", "diagonal", (np.eye(7), 0), "diagonal/00", 0, 1, responses=(8,)))
    >>> wording.options[wording.choice], len(wording.options), wording.feedback
    ('B2', 48, 'It is red: +1.')
    """
    board, start = presentation.item
    *before, tile = presentation.responses
    game = Game(board, [start])
    for response in before:
        game.step([response])
    covered = (game.shown[0] == COVERED).nonzero()[0].tolist()
    points = int(game.step([tile])[0][0])
    blocks = [] if presentation.position else [f"{NAMING} {LEGEND}"]
    blocks.append(f"Board {presentation.position + 1} of {presentation.of}:\n{grid(Game(board, [start]).shown[0])}")
    return Wording(
        "\n\n".join([*([] if before else blocks), "You open"]), tuple(NAMES[k] for k in covered), covered.index(tile),
        f"It is {'red' if game.shown[0, tile] == RED else 'blue'}: {points:+d}.",
    )  # fmt: skip


def of_row(row: Mapping[str, Any]) -> Study | None:
    """Return the study if a stored first row is of it; free play does not say in its rows which boards are left."""
    if row["source"] != STUDY.source or row["response"] not in records.CONDITIONS:
        return None
    return FIVE if row["extra"].get(SHORTENED) else STUDY


STUDY = Study(
    "tiles", assign, items, clicked, shuffled("tiles"), PROMPT, phases={ITEMS: "study"}, wording=worded,
    of=lambda row: STUDY if of_row(row) is STUDY else None,
)  # fmt: skip
"""Differs from the paper: its text says 24 boards, its files and programs 25; people here see all 25. There were no
attention checks and nobody was excluded, so neither is here. Nobody had seen boards before: a click by a person who had
stores how many, as ``trained`` in its ``extra``."""
FIVE = replace(shortened(STUDY, ""), extra={SHORTENED: SHORT}, of=lambda row: FIVE if of_row(row) is FIVE else None)
"""The same with five of the boards, for a lesson. Every row says so, and its results stand apart: `SHORT_SITTING`."""


def sitting(task: str, *, profile: str = "verified", seed: int = 0) -> Sat:
    """Return the boards of a person's sitting of a condition; see `extras.models.interview.Interview`.

    Every sitting has all of them, in its own order. Here they have the order of their names.

    Examples
    --------
    >>> len(sitting("copy/abstract", seed=4).items)
    25
    """
    presets.profile(profile)
    boards = items(task, seed)
    return Sat(task, boards, boards)


def free(items: Items) -> Study:
    """Return free play on some boards, in their own order."""
    boards = [(encode(board), int(start)) for board, start in items]
    return Study(
        "tiles", lambda seed: items.task, lambda condition, seed: items, clicked, phases={ITEMS: "free"},
        source=items.source, plan={"boards": config_hash({"boards": boards})}, wording=worded,
    )  # fmt: skip


def begun(items: Items, trials: Trials) -> Sitting | None:
    """Return the reader's last free play on these very boards if it is not finished, else None."""
    sitting = last(free(items), trials, items.task)
    return None if sitting is None or sitting.finished else sitting


def last(study: Study, trials: Trials, task: str) -> Sitting | None:
    """Return the reader's last sitting of a study with this very plan, finished or not, or None."""
    rows = trials.frame(instrument="tiles", who=pseudonym(), item=BEGIN, task=task, source=study.source)
    mine = [row.sitting for row in rows.itertuples() if row.extra.get("plan") == study.plan]
    return Sitting.resume(study, mine[-1], trials) if mine else None


def seen_before(trials: Trials, who: str, sitting: str) -> int:
    """Return how many boards a person has played or judged in other sittings; people in the paper had seen none."""
    rows = trials.frame(instrument="tiles", kind="person", who=who)
    others = rows[(rows["sitting"] != sitting) & (rows["item"] != BEGIN)]
    return len(others[["sitting", "item"]].drop_duplicates())


def your_rows(trials: Trials, passes: int = 20, seed: int = 0) -> pd.DataFrame:
    """Return result rows of every sitting of a person, judged by the same numbers as every player.

    Boards not finished, or played with a player's chances in view, are left out. A sitting of the study counts once it
    is finished, because its rows name the condition. ``passes`` and ``seed`` are of the players behind z and skill.

    ``RESULT_COLUMNS``: blue, z, finished and, on abstract boards, skill; one set a sitting and task. The interval is
    over the boards of the sitting. The source is `PRACTISED` for a sitting of the study by a person who had seen other
    boards before, and that of a sitting of five boards is `SHORT_SITTING`, or the same after practice.
    """
    table = rows(trials.frame(instrument="tiles", kind="person"), passes, seed)
    return table.assign(who="you", cell="tiles/you/" + table["task"])


def rows(trials: pd.DataFrame, passes: int = 20, seed: int = 0) -> pd.DataFrame:
    """Return result rows of every sitting in trial rows, under the name of the person; else as `your_rows`."""
    records = []
    for answers in _answers(trials):
        yardstick, ideal = standards.standards(answers.items, passes, seed)
        cell = f"tiles/person/{answers.items.task}" + f"/{LADDER}" * (answers.source == LADDER)
        judged = scoring.result_rows(answers, yardstick=yardstick, ideal=ideal)
        records += [row | {"cell": cell, "profile": "verified"} for row in judged]
    return results.table(records, instrument="tiles", preset="lab", seed=seed)


def your_wins(trials: Trials, seed: int = 0) -> pd.DataFrame:
    """Return which boards the reader won, as `scoring.wins` gives it; a board that was met again is a further game.

    Trials are as in `your_rows`; the seed is that of the nearest neighbour.
    """
    mine = _answers(trials.frame(instrument="tiles", kind="person"))
    tables = [scoring.wins(answers, heuristic(answers.items, seed=seed), "you") for answers in mine]
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(scoring.WIN_COLUMNS))
    return table.assign(game=table.groupby(["rule", "kind", "board"]).cumcount())


def _answers(trials: pd.DataFrame) -> list[scoring.Answers]:
    answers = []
    for _, rows in trials.groupby("sitting", sort=False):
        if _left(rows):
            continue
        extras = rows["extra"]
        helped = set(rows["item"][[bool(extra.get("overlay")) for extra in extras]])  # one click with help is enough
        after = " after practice" * any(extra.get("trained") for extra in extras)
        source = (SHORT_SITTING if extras.iloc[0].get(SHORTENED) else "sitting") + after
        source = LADDER if LADDER in [extra.get("phase") for extra in extras] else source
        own = scoring.from_trials(rows[~rows["item"].isin(helped)])
        answers += own if source == "sitting" else [replace(part, source=source) for part in own]
    return answers


def finished(trials: Trials) -> list[str]:
    """Return the conditions of the study whose 25 boards the reader has all finished, oldest first."""
    sittings = trials.frame(instrument="tiles", who=pseudonym()).groupby("sitting", sort=False)
    whole = (rows for _, rows in sittings if _left(rows) == 0 and SHORTENED not in rows["extra"].iloc[0])
    return [rows["task"].iloc[0] for rows in whole]


def _left(rows: pd.DataFrame) -> int | None:
    """Return how many boards a sitting of the study has left, None for a sitting of anything else."""
    done = [extra["done"] for extra in rows["extra"] if extra.get("phase") == "study"]
    return len(rows["extra"].iloc[0].get("order", ())) - sum(done) if done else None
