"""Everybody in the tile game, for the common scale: networks, floors, observer, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.data import results
from cogkit.study.trials import Trials
from cogkit.tiles.learners import consistency
from cogkit.tiles.paper import published
from cogkit.tiles.people import study

_PASSES = 4  # games of the players behind the reader's z


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the boards of the rules: ``z``, and so `components` without clicks.

    A network that was shown the boards it learnt from is left out: it says what a network could know.

    Examples
    --------
    >>> {"random", "Bayes-greedy", "people (Kumar et al. 2023)"} <= set(rows().who)
    True
    """
    ours = results.shipped("tiles", profile=profile)
    printed = published.rows("bundled")
    if profile == "verified":
        printed = printed[printed.kind == "person"]
    parts = [ours[(ours.supervision != "boards") & (ours.who != "never finishes")], printed]
    if len(yours := study.your_rows(Trials(), _PASSES)):
        parts.append(yours)
    table = results.of_tasks(pd.concat(parts, ignore_index=True), "/abstract")
    return table[table.metric == "z"].reset_index(drop=True)


def right(preset: str = "quick", seed: int = 0) -> pd.DataFrame:
    """Return which held-out boards some players win, with the reader if they have played; a board a row.

    The index is cluster (the rule) and item. A player wins a board if it opens fewer blue tiles than the nearest
    neighbour does on average.
    """
    won = pd.concat([consistency.wins(1, seed), study.your_wins(Trials(), seed)])
    boards = won[(won.kind == "abstract") & (won.game == 0) & (won.who != "majority")]
    wide = boards.pivot_table("win", ["rule", "board"], "who", aggfunc="first")
    return wide.rename_axis(index=["cluster", "item"], columns=None)
