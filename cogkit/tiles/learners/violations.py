"""Clicks against a rule: covered tiles that a player opens although no board of the rule has red there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cogkit.stats import mean_interval
from cogkit.tiles import scoring
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records
from cogkit.tiles.rules.game import COVERED, Game
from cogkit.tiles.scoring import Answers


def excluded(observations: np.ndarray, tiles: np.ndarray, observer: BayesGreedy) -> np.ndarray:
    """Return whether the rule has excluded a tile of each view, (n,) bool.

    A tile is excluded if boards of the rule fit all open tiles, and none of them has red there. Views are (n, 49), and
    tiles (n,). Open tiles are never excluded.
    """
    probability, fitting = observer.posterior(observations)
    rows = np.arange(len(tiles))
    return (probability[rows, tiles] == 0) & (fitting > 0) & (observations[rows, tiles] == COVERED)


def against_the_rule(answers: Answers, observer: BayesGreedy) -> np.ndarray:
    """Return which clicks opened a tile that the rule had excluded, (passes, boards, clicks) bool.

    Examples
    --------
    >>> boards = records.items("tree/abstract", "generated", n=3)
    >>> observer = BayesGreedy.of("tree")
    >>> against_the_rule(scoring.judge(observer, boards), observer).any()
    np.False_
    """
    items, played = answers.items, answers.played.ravel()
    game = Game(items.boards[played], items.starts[played], answers.config)
    actions = answers.actions.reshape(len(game), -1)
    broken = np.zeros(actions.shape, bool)
    for click, tiles in enumerate(actions.T):
        on = np.flatnonzero(tiles >= 0)
        broken[on, click] = excluded(game.shown[on], tiles[on], observer)
        game.step(np.maximum(tiles, 0).astype(np.int64))  # games that are over take no click
    return broken.reshape(answers.actions.shape)


def violations(players: Sequence, rule: str, passes: int = 4, seed: int = 0) -> pd.DataFrame:
    """Return how many tiles players open against a rule, on its held-out boards; each board is played ``passes`` times.

    One row per player: who, kind, rule, and the tiles a board as value, low, high (95 %, over boards), n.

    Examples
    --------
    >>> from cogkit.tiles.learners.floors import NearestNeighbour
    >>> violations([NearestNeighbour()], "tree", passes=1).columns.tolist()
    ['who', 'kind', 'rule', 'value', 'low', 'high', 'n']
    """
    boards, observer, rows = records.items(f"{rule}/abstract"), BayesGreedy.of(rule), []
    for player in players:
        answers = scoring.judge(player, boards, passes=passes, seed=seed)
        counts = against_the_rule(answers, observer).sum(axis=2).mean(axis=0)
        low, high = mean_interval(counts)
        columns = {"who": answers.who, "kind": answers.kind, "rule": rule}
        rows.append(columns | {"value": counts.mean(), "low": low, "high": high, "n": len(boards)})
    return pd.DataFrame(rows)
