"""Everybody in the tile game, for the common scale: networks, floors, observer, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.core import seeding
from cogkit.data import results
from cogkit.study.error_consistency import ErrorsConfig, error_rows, is_errors
from cogkit.study.trials import Trials
from cogkit.tiles.paper import published
from cogkit.tiles.people import study

_PASSES = 4  # games of the players behind the reader's z
_ERRING = {"nearest neighbour": "floor", "network of the rule": "model", "network of metamers": "model"}


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the boards of the rules: ``z``, for `components` without clicks; and errors.

    A network that was taught by boards is left out: it learnt from what no player sees.

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
    parts += [study.your_rows(Trials(), _PASSES), results.people("tiles")]
    table = pd.concat(parts, ignore_index=True)
    mask = (table.metric == "z") & table.task.str.endswith("/abstract")
    return table[mask | is_errors(table)].reset_index(drop=True)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return result rows on whether a shortcut and two networks lose the same held-out boards of the rules.

    So many boards of each rule are asked; a cluster is a rule. A player wins a board if it opens fewer blue tiles than
    the nearest neighbour does on average.
    """
    from cogkit.tiles.learners import board_errors  # brings torch, which result rows do not need

    won = board_errors.wins(1, seed)
    boards = won[(won.kind == "abstract") & won.who.isin(_ERRING)]
    right = boards.pivot(index=["rule", "board"], columns="who", values="win")[list(_ERRING)]
    right = right.groupby(level="rule", sort=False).head(config.n).astype(float)
    players = {
        name: {"who": name, "kind": kind, "inputs": "board", "supervision": "rewards" if kind == "model" else ""}
        for name, kind in _ERRING.items()
    }
    return error_rows(right, players, "all rules", seeding.stream(seed, "tiles/errors"), "published")
