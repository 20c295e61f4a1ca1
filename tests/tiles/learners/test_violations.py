"""Clicks against a rule, against every board of the rule."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, violations
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import from_bits


def by_hand(answers, rule: str) -> np.ndarray:
    """Count clicks on covered tiles that no board of the rule has red, among those that fit what is open."""
    support = from_bits(records.support(rule).bits).reshape(-1, 49)
    counts = np.zeros(answers.played.shape, int)
    for (game, place), board in np.ndenumerate(answers.played):
        reds = answers.items.boards[board].reshape(49)
        opened = [int(answers.items.starts[board])]
        for tile in answers.actions[game, place]:
            if tile < 0:
                break
            fits = (support[:, opened] == reds[opened]).all(axis=1)
            fits &= support.sum(axis=1) > reds[opened].sum()  # the game goes on, so red tiles are left
            counts[game, place] += tile not in opened and fits.any() and not support[fits][:, tile].any()
            opened.append(int(tile))
    return counts


@pytest.mark.parametrize("rule", ["tree", "pyramid"])
def test_they_are_counted_against_every_board_of_the_rule(rule):
    boards = records.items(f"{rule}/abstract", "generated", n=12)
    answers = scoring.judge(floors.NearestNeighbour(), boards, passes=3, seed=1)
    counts = violations.against_the_rule(answers, BayesGreedy.of(rule)).sum(axis=2)
    assert (counts == by_hand(answers, rule)).all() and counts.min() < counts.max()
    assert (counts <= answers.blue).all()  # what is excluded is blue


def test_open_tiles_and_boards_of_another_rule_are_never_against_it():
    observations = np.full((3, 49), -1, np.int8)
    observations[:, 24] = 1
    observations[1, :49:2] = 1  # no tree
    observer = BayesGreedy.of("tree")
    assert violations.excluded(observations, np.array([48, 1, 24]), observer).tolist() == [True, False, False]


def test_the_table_has_a_row_a_player_with_means_over_boards():
    players = [floors.NearestNeighbour(), BayesGreedy.of("zigzag")]
    table = violations.violations(players, "zigzag", passes=2, seed=4).set_index("kind")
    boards = records.items("zigzag/abstract")
    counts = by_hand(scoring.judge(players[0], boards, passes=2, seed=4), "zigzag")
    assert table.value.floor == pytest.approx(counts.mean()) and table.n.floor == len(boards)
    assert table.low.floor < table.value.floor < table.high.floor and table.value.observer == 0
