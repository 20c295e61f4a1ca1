"""Standards for a player on the same boards: the nearest neighbour and the ideal observer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.tiles import scoring
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import splits
from cogkit.tiles.problems.yardstick import Yardstick, heuristic
from cogkit.tiles.rules.boards import Items


def standards(items: Items, passes: int, seed: int = 0) -> tuple[Yardstick, np.ndarray | None]:
    """Return the standards for these boards: the nearest neighbour, and the ideal observer's mean blue tiles.

    The boards are of one task; the ideal observer plays ``passes`` games on each.

    Returns
    -------
    Yardstick, and (boards,) float
        None in place of the observer for a metamer task or one of the reader's own: there is no rule to know.
    """
    yardstick, ideal, known = heuristic(items, seed=seed), None, splits.known(items.task)
    if known is not None:
        ideal = scoring.judge(BayesGreedy(known), items, passes=passes, seed=seed).blue.mean(axis=0)
    return yardstick, ideal


def expectations(items: Items, passes: int = 20, seed: int = 0) -> pd.DataFrame:
    """Return the blue tiles that nearest neighbour and ideal observer open on each board, beside a person's score.

    Arguments are those of `standards`.

    One row a board: heuristic, heuristic_sd (over its 1,000 runs), and ideal, the mean of the ideal observer; NaN for a
    metamer task or one of the reader's own, whose boards have no rule to know.
    """
    yardstick, ideal = standards(items, passes, seed)
    ideal = np.full(len(items), np.nan) if ideal is None else ideal
    return pd.DataFrame({"heuristic": yardstick.mean, "heuristic_sd": yardstick.sd, "ideal": ideal})
