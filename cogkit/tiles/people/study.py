"""The sitting of Kumar et al. 2023 ("Human experiment"): one of sixteen conditions, 25 boards, no training."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.core.contracts import RESULT_COLUMNS, Presentation, Study
from cogkit.core.seeding import stream
from cogkit.study.sitting import ITEMS, shuffled
from cogkit.study.trials import Trials
from cogkit.tiles import scoring
from cogkit.tiles.learners import standards
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items, encode
from cogkit.tiles.rules.game import RED, Game

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


def clicked(shown: Presentation, tile: int) -> dict:
    """Return the fields to store for a click on a covered tile after earlier clicks; the last red tile ends the board.

    Examples
    --------
    >>> row = clicked(Presentation("items", "diagonal", (np.eye(7), 0), "diagonal/00", 0, 1, responses=(8,)), 1)
    >>> row["correct"], row["score"], row["done"], row["extra"]["step"]
    (0, -1, False, 2)
    """
    board, start = shown.item
    game = Game(board, [start])
    for response in shown.responses:
        game.step([response])
    rewards, done = game.step([tile])
    return {
        "response": int(tile), "correct": int(game.shown[0, tile] == RED), "score": int(rewards[0]),
        "done": bool(done[0]),
        "extra": {"board": encode(board), "start": int(start), "step": len(shown.responses) + 1},
    }  # fmt: skip


STUDY = Study("tiles", assign, items, clicked, shuffled("tiles"), PROMPT, phases={ITEMS: "study"})
"""Differs from the paper: its text says 24 boards, its files and programs 25; people here see all 25. There were no
attention checks and nobody was excluded, so neither is here."""


def free(items: Items) -> Study:
    """Return free play on some boards, in their own order."""
    return Study(
        "tiles", lambda seed: items.task, lambda condition, seed: items, clicked, phases={ITEMS: "free"},
        source=items.source,
    )  # fmt: skip


def your_rows(trials: Trials, passes: int = 20, seed: int = 0) -> pd.DataFrame:
    """Return result rows of every sitting of a person, judged by the same numbers as every player.

    Parameters
    ----------
    trials : Trials
        The reader's trials. Boards not finished, or played with a player's chances in view, are left out.
    passes, seed : int
        Of the players behind z and skill.

    Returns
    -------
    DataFrame
        ``RESULT_COLUMNS``: blue, z, finished and, on abstract boards, skill; one set a sitting and task. The
        interval is over the boards of the sitting.
    """
    rows = []
    for answers in _your_answers(trials):
        ideal = standards.expectations(answers.items, passes, seed).ideal.to_numpy()
        yardstick = heuristic(answers.items, seed=seed)
        fields = {"cell": f"tiles/you/{answers.items.task}", "instrument": "tiles", "seed": seed}
        fields |= {"profile": "verified", "preset": "lab"}
        ideal = None if np.isnan(ideal).any() else ideal
        for row in scoring.summarise(answers, yardstick=yardstick, ideal=ideal):
            rows.append(fields | row | {"who": "you"})
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def your_wins(trials: Trials, seed: int = 0) -> pd.DataFrame:
    """Return which boards the reader won, as `scoring.wins` gives it; a board that was met again is a further game.

    Parameters
    ----------
    trials : Trials
        As in `your_rows`.
    seed : int
        Of the nearest neighbour.
    """
    tables = [scoring.wins(answers, heuristic(answers.items, seed=seed), "you") for answers in _your_answers(trials)]
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(scoring.WIN_COLUMNS))
    return table.assign(game=table.groupby(["rule", "kind", "board"]).cumcount())


def _your_answers(trials: Trials) -> list[scoring.Answers]:
    clicks = trials.frame(instrument="tiles", kind="person")
    with_help = pd.Series([bool(extra.get("overlay")) for extra in clicks["extra"]], clicks.index, dtype=bool)
    # A single click with help excludes the board.
    alone = ~with_help.groupby([clicks["sitting"], clicks["item"]]).transform("any")
    return scoring.from_trials(clicks[alone])
