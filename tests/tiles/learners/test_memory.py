"""Floors of memory against plain loops over boards and windows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cogkit.tiles import scoring
from cogkit.tiles.learners import memory
from cogkit.tiles.learners.floors import NearestNeighbour
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules.boards import Items, from_bits
from cogkit.tiles.rules.game import View
from cogkit.tiles.rules.support import Support
from cogkit.tiles.rules.symmetries import SYMMETRIES, images


@pytest.fixture(scope="module")
def pool() -> Support:
    boards = records.support("rectangle")
    chance = np.linspace(1, 2, len(boards.bits[::17]))
    return Support(boards.bits[::17], chance / chance.sum())


@pytest.fixture(scope="module")
def views() -> np.ndarray:
    """Boards of another rule, each with some tiles open, at least one of them red, and a red one covered."""
    rng, observations = np.random.default_rng(0), []
    for board in from_bits(records.support("zigzag").bits[::30]).reshape(-1, 49):
        is_open = rng.random(49) < rng.uniform(0.1, 0.6)
        reds = np.flatnonzero(board)
        is_open[reds[0]], is_open[reds[-1]] = True, False
        observations.append(np.where(is_open, board, -1))
    return np.array(observations, np.int8)


def remembered(observation, boards, chance, how) -> np.ndarray:
    """Each tile's probability of being red by boards that are remembered, in loops."""
    weights, wrong = [], []
    for board, share in zip(boards, chance, strict=True):
        left = any(board[t] and observation[t] == -1 for t in range(49))
        wrong.append(sum(observation[t] != -1 and observation[t] != board[t] for t in range(49)) if left else 99)
        weights.append(share / board.sum())
    factor = {
        "exact": lambda n: float(n == 0), "tolerant": lambda n: float(n == min(wrong)), "soft": lambda n: 0.1**n
    }[how]  # fmt: skip
    weights = [weight * factor(n) if n < 99 else 0.0 for weight, n in zip(weights, wrong, strict=True)]
    total = sum(weights) or 1.0
    reds = [sum(w for w, board in zip(weights, boards, strict=True) if board[t]) / total for t in range(49)]
    return np.where(observation == -1, reds, 0.0)


@pytest.mark.parametrize("how", ["exact", "tolerant", "soft"])
@pytest.mark.parametrize("symmetries", [(), SYMMETRIES])
def test_memory_weighs_the_boards_of_its_pool(how, symmetries, pool, views):
    held = images(pool, symmetries)
    boards = from_bits(held.bits).reshape(-1, 49).astype(int)
    some = views if not symmetries else views[:3]
    expected = np.array([remembered(view, boards, held.probability, how) for view in some])
    player = memory.Memory(pool, how, symmetries)
    assert player.chance(some) == pytest.approx(expected)
    if how == "exact":
        assert (expected == 0).all(axis=1).any(), "some views contradict every board"
    assert player.act(View(board=some), None)[0].any(axis=1).all()  # there it plays as the nearest neighbour does


def test_exact_memory_is_the_ideal_observer_of_its_pool(pool):
    boards = from_bits(pool.bits)
    items = Items(boards, records.draw_starts(boards, 0), "rectangle/abstract", "generated")
    played = [scoring.judge(player, items, seed=1, passes=3) for player in (memory.Memory(pool), BayesGreedy(pool))]
    assert played[0].blue.mean() < 3 and (played[0].blue.mean(axis=0) - played[1].blue.mean(axis=0)).max() < 3
    view = np.where(np.arange(49) == items.starts[:, None], 1, -1).astype(np.int8)
    assert memory.Memory(pool).chance(view) == pytest.approx(BayesGreedy(pool).posterior(view)[0])


def completed(observation, windows, size) -> np.ndarray:
    """Each covered tile's probability of being red by windows (tuple of tiles, weight), in loops; NaN if none fits."""
    edge, middle = size // 2, size * size // 2
    chance = np.zeros(49)
    for row, column in product(range(7), repeat=2):
        if observation[7 * row + column] != -1:
            continue
        seen = []
        for down, across in product(range(-edge, edge + 1), repeat=2):
            r, c = row + down, column + across
            seen.append(observation[7 * r + c] if 0 <= r < 7 and 0 <= c < 7 else 0)
        fits = [(w, share) for w, share in windows if all(s in (-1, tile) for s, tile in zip(seen, w, strict=True))]
        total = sum(share for _, share in fits)
        red = sum(share for w, share in fits if w[middle])
        chance[7 * row + column] = red / total if total else np.nan
    return chance


def windows_of(pool, size):
    edge, windows = size // 2, []
    for board, share in zip(from_bits(pool.bits), pool.probability, strict=True):
        for turn in range(8):
            copy = np.rot90(board, turn % 4)
            padded = np.pad(copy[:, ::-1] if turn > 3 else copy, edge)
            for row, column in product(range(7), repeat=2):
                windows.append((tuple(padded[row : row + size, column : column + size].ravel().tolist()), share))
    return windows


@pytest.mark.parametrize("size", [3, 5])
def test_fragments_complete_what_is_open_around_a_tile(size, pool, views):
    few = Support(pool.bits[:6], pool.probability[:6])
    expected = np.array([completed(view, windows_of(few, size), size) for view in views[:6]])
    if size == 5:
        assert np.isnan(expected).any(), "somewhere no large window fits"
        smaller = np.array([completed(view, windows_of(few, 3), 3) for view in views[:6]])
        expected = np.where(np.isnan(expected), smaller, expected)
    assert memory.Fragments(few, size).chance(views[:6]) == pytest.approx(np.nan_to_num(expected))


def test_floors_have_names_of_their_own_and_never_the_rule():
    players = memory.floors(splits.split("pyramid, width 3").train)
    assert len({player.name for player in players}) == len(players) == 14
    assert {player.kind for player in players} == {"floor"} == {NearestNeighbour.kind}
