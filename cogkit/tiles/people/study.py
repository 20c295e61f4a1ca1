"""The sitting of Kumar et al. 2023 ("Human experiment"): one of sixteen conditions, 25 boards, no training."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.core.contracts import RESULT_COLUMNS, Study
from cogkit.study.trials import Trials
from cogkit.tiles import scoring
from cogkit.tiles.learners import standards
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items

PROMPT = (
    "Click tiles to reveal two-dimensional patterns on a grid and score points. A red tile scores a point and a blue "
    "tile costs one; the last red tile of a board scores ten. The next board comes when every red tile is open."
)


def assign(rng: np.random.Generator) -> str:
    """Return one of the sixteen conditions (rule × abstract or metamer), each equally likely."""
    return records.CONDITIONS[rng.integers(len(records.CONDITIONS))]


def items(condition: str) -> Items:
    """Return the held-out boards of a condition."""
    return records.items(condition)


def order(rng: np.random.Generator, n: int) -> list[int]:
    """Return a random order of n boards."""
    return rng.permutation(n).tolist()


STUDY = Study(prompt=PROMPT, assign=assign, items=items, order=order)
"""Differs from the paper: its text says 24 boards, its files and programs 25; people here see all 25. There were no
attention checks and nobody was excluded, so neither is here."""


def your_rows(trials: Trials, passes: int = 20, seed: int = 0) -> pd.DataFrame:
    """Return result rows of every sitting of a person, judged by the same numbers as every player.

    Parameters
    ----------
    trials : Trials
        The reader's trials. Boards not finished, or played with somebody's chances in view, are left out.
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
        known = {"cell": f"tiles/you/{answers.items.task}", "instrument": "tiles", "seed": seed}
        known |= {"profile": "verified", "preset": "lab"}
        ideal = None if np.isnan(ideal).any() else ideal
        for row in scoring.summarise(answers, yardstick=yardstick, ideal=ideal):
            rows.append(known | row | {"who": "you"})
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def your_wins(trials: Trials, seed: int = 0) -> pd.DataFrame:
    """Return which boards the reader won, as `scoring.wins` gives it; a board that was met again is a further game.

    Parameters
    ----------
    trials : Trials
        As in `your_rows`.
    seed : int
        Of the heuristic.
    """
    tables = [scoring.wins(answers, heuristic(answers.items, seed=seed), "you") for answers in _your_answers(trials)]
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(scoring.WIN_COLUMNS))
    return table.assign(game=table.groupby(["rule", "kind", "board"]).cumcount())


def _your_answers(trials: Trials) -> list[scoring.Answers]:
    clicks = trials.frame(instrument="tiles", kind="person")
    aided = pd.Series([bool(extra.get("overlay")) for extra in clicks["extra"]], clicks.index, dtype=bool)
    alone = ~aided.groupby([clicks["sitting"], clicks["item"]]).transform("any")  # one click with help, and it is out
    return scoring.from_trials(clicks[alone])
