"""Floors and observer against brute force, the published file, and the exact figures of the facts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from oracles import frontier

from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, observers
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic, heuristic_blue
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import Game, View


@pytest.fixture
def published(mirror, monkeypatch):
    """Items of a published task, from the mirror and nowhere else."""
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    return lambda task: records.items(task, source="published")


def naive_heuristic(board, start, rng):
    board, opened, blue = board.ravel().tolist(), {int(start)}, 0
    while any(board[t] and t not in opened for t in range(49)):
        near = frontier(board, opened)
        tile = near[rng.integers(len(near))]
        opened.add(tile)
        blue += not board[tile]
    return blue


# Far apart reds, so that the widening radius is used; a dense board; and a lone pair in opposite corners.
FAR = np.zeros((7, 7), int)
FAR[0, 0] = FAR[6, 6] = 1
SPREAD = np.zeros((7, 7), int)
SPREAD[[0, 1, 5, 6, 3], [0, 1, 5, 0, 6]] = 1
DENSE = np.ones((7, 7), int)
DENSE[::2, ::3] = 0


@pytest.mark.parametrize(("board", "start"), [(FAR, 0), (SPREAD, 8), (DENSE, 8)])
def test_compiled_heuristic_is_the_plain_one(board, start):
    runs = 800
    rng = np.random.default_rng(3)
    plain = np.array([naive_heuristic(board, start, rng) for _ in range(runs)])
    fast = heuristic(Items(board, [start], "x/abstract", "test"), runs=runs)
    se = np.sqrt((plain.var(ddof=1) + fast.sd[0] ** 2) / runs)
    assert abs(plain.mean() - fast.mean[0]) <= 4 * se


def test_the_yardstick_is_mean_and_sample_sd_of_the_runs():
    items = Items(np.stack([FAR, SPREAD]), [0, 8], "x/abstract", "test")
    few = heuristic(items, runs=7, seed=2)
    blue = heuristic_blue(items, runs=7, seed=2).astype(float)
    assert few.mean == pytest.approx(blue.sum(axis=1) / 7) and few.runs == 7
    assert few.sd == pytest.approx(np.sqrt(((blue - few.mean[:, None]) ** 2).sum(axis=1) / 6))


def test_a_boards_runs_do_not_depend_on_the_boards_beside_it():
    both = Items(np.stack([FAR, SPREAD]), [0, 8], "x/abstract", "test")
    alone = Items(SPREAD, [8], "x/abstract", "test")
    assert heuristic(both).mean[1] == heuristic(alone).mean[0]


def test_heuristic_agrees_with_the_reference_on_all_200_boards(published, reference):
    table = pd.read_csv(reference / "metamers/derived/nn_heuristic_reference.csv")
    assert len(table) == 200
    runs, reference_runs = 10_000, 10_000
    for rule, part in table.groupby("abstraction"):
        yardstick = heuristic(published(f"{rule}/abstract"), runs=runs)
        se = part.nn_sd.to_numpy() * np.sqrt(1 / runs + 1 / reference_runs)
        assert (abs(yardstick.mean - part.nn_mean.to_numpy()) <= 4 * se).all(), rule
        # The spread of a blue count is no wider-tailed than kurtosis 5 on these boards: se of an sd, sd·√((κ-1)/4n).
        se_sd = part.nn_sd.to_numpy() * np.sqrt(4 / (4 * runs) + 4 / (4 * reference_runs))
        assert (abs(yardstick.sd - part.nn_sd.to_numpy()) <= 4 * se_sd).all(), rule


def test_heuristic_as_a_player_is_the_compiled_one():
    boards = records.sample("cross", 12, 0)
    items = Items(boards, records.draw_starts(boards, 0), "cross/abstract", "test")
    passes, runs = 400, 4000
    blue = scoring.judge(floors.NearestNeighbour(), items, passes=passes).blue
    yardstick = heuristic(items, runs=runs)
    se = yardstick.sd * np.sqrt(1 / passes + 1 / runs)
    assert (abs(blue.mean(axis=0) - yardstick.mean) <= 4 * se).all()


def naive_posterior(rule, obs):
    """Exact rational posterior of each tile being red, by walking the whole support."""
    support = records.support(rule)
    total, red = Fraction(0), [Fraction(0)] * 49
    for bits, probability in zip(support.bits.tolist(), support.probability.tolist(), strict=True):
        board = [bits >> t & 1 for t in range(49)]
        agrees = all(s == -1 or s == b for s, b in zip(obs, board, strict=True))
        if agrees and any(s == -1 and b for s, b in zip(obs, board, strict=True)):  # else the game would be over
            weight = Fraction(probability) / sum(board)
            total += weight
            for t in range(49):
                if obs[t] == -1 and board[t]:
                    red[t] += weight
    return [float(r / total) for r in red]


@pytest.mark.parametrize("rule", ["pyramid", "tree", "rectangle"])
def test_posterior_is_the_sum_over_the_support(rule):
    boards = records.sample(rule, 3, seed=5)
    game = Game(boards, records.draw_starts(boards, seed=5))
    observer, rng = observers.BayesGreedy.of(rule), np.random.default_rng(0)
    for _ in range(4):
        posterior, fitting = observer.posterior(game.view().board)
        assert (fitting > 0).all()
        for k in range(3):
            assert posterior[k] == pytest.approx(naive_posterior(rule, game.shown[k].tolist()), abs=1e-12)
        game.step(scoring.choose_tiles(np.zeros((3, 49)), game.view().mask, "sample", rng.random(3)))


def test_a_board_whose_reds_are_all_open_is_no_longer_possible():
    obs = np.full(49, -1, np.int8)
    obs[[10, 16, 17, 18]] = 1  # a whole pyramid, and the game goes on
    words = [int(bits) for bits in records.support("pyramid").bits]
    small = sum(1 << tile for tile in (10, 16, 17, 18))
    assert small in words
    posterior, fitting = observers.BayesGreedy.of("pyramid").posterior(obs[None])
    assert fitting[0] == sum(word & small == small for word in words) - 1 > 0
    assert posterior[0] == pytest.approx(naive_posterior("pyramid", obs.tolist()), abs=1e-12)


@pytest.mark.parametrize(
    ("rule", "z"),
    [
        ("copy", -6.70), ("rectangle", -5.84), ("cross", -4.25), ("symmetry", -3.64), ("tree", -3.36),
        ("zigzag", -2.94), ("pyramid", -2.49),
    ],
)  # fmt: skip
def test_bayes_greedy_reaches_its_exact_expectation(published, rule, z):
    items = published(f"{rule}/abstract")
    answers = scoring.judge(observers.BayesGreedy.of(rule), items, passes=60)
    assert answers.finished.all()
    scores = scoring.z_scores(answers, heuristic(items, runs=10_000))
    assert scores.mean() == pytest.approx(z, abs=0.15)


def test_an_observer_whose_support_fits_nothing_plays_as_the_heuristic_does():
    observer = observers.BayesGreedy.of("pyramid")
    board = np.full((1, 49), -1, np.int8)
    board[0, [0, 48]] = 1  # no pyramid holds two opposite corners
    scores, _ = observer.act(View(board=board), None)
    assert np.flatnonzero(scores[0]).tolist() == frontier([1] * 49, {0, 48})


def test_majority_opens_the_tile_that_is_red_most_often():
    rate = floors.Majority("pyramid").rate
    boards = records.sample("pyramid", n := 40_000, seed=1).reshape(n, 49)
    assert (abs(boards.mean(axis=0) - rate) <= 4 * np.sqrt(rate * (1 - rate) / n) + 1e-12).all()
    items = Items(boards[:50].reshape(-1, 7, 7), boards[:50].argmax(axis=1), "pyramid/abstract", "test")
    first = scoring.judge(floors.Majority("pyramid"), items).actions[0, :, 0]
    for tile, start in zip(first, items.starts, strict=True):
        rest = np.delete(rate, start)
        assert rate[tile] == pytest.approx(rest.max(), abs=1e-9)
