"""The speed of play: each number beside a named rival that does the same work, in the same run.

Not part of the test run. All times are processor time of one process and one thread::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_tiles.py

The rounds of both alternate, and the best round of each counts. Every rival is a good implementation of its kind, at
the best of the settings tried for it, and is checked to do what ours does. A table stands at the end.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from cogkit.tiles import scoring
from cogkit.tiles.learners import observers
from cogkit.tiles.problems import records
from cogkit.tiles.problems.environments import TilesEnv, TilesVectorEnv
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import PROFILES, Game

_FLOORS = Path(__file__).parents[1] / "tiles" / "learners" / "test_floors.py"
_naive_heuristic = runpy.run_path(str(_FLOORS))["naive_heuristic"]
_ROUNDS = 5
pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.fixture(scope="module")
def table(request):
    """Rows (what, ours, its configuration, rival, its configuration, ratio), printed after the last benchmark."""
    threads, rows = torch.get_num_threads(), []
    torch.set_num_threads(1)
    yield rows
    torch.set_num_threads(threads)
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n| what | ours | rival | ratio |\n|---|---|---|---|")
        for what, ours, how, rival, rivals_how, ratio in rows:
            print(f"| {what} | {ours} ({how}) | {rival} ({rivals_how}) | {ratio:.1f} |")


@pytest.fixture(scope="module")
def pool() -> Items:
    boards = records.sample("copy", 10_000, seed=0)
    return Items(boards, records.draw_starts(boards, seed=0), "copy/abstract", "generated")


@pytest.fixture
def published(mirror, monkeypatch) -> Callable[[str], Items]:
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    return lambda task: records.items(task, source="published")


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def fastest(settings, build: Callable, per: Callable = lambda setting: 1):
    """Return the setting whose call costs least for its work, each tried twice; the first call warms it up."""
    cost = {}
    for setting in settings:
        call = build(setting)
        call()
        cost[setting] = min(seconds(call) for _ in range(2)) / per(setting)
    return min(cost, key=cost.get)


def race(benchmark, ours: Callable, rival: Callable, rounds: int = _ROUNDS) -> tuple[float, float]:
    """Return the best seconds of both, a round of the rival before each of ours."""
    rivals = []

    def before() -> None:
        rivals.append(seconds(rival))

    ours()
    benchmark.pedantic(ours, setup=before, rounds=rounds)
    return benchmark.stats["min"], min(rivals)


class NumpyGame:
    """The rules of `Game` in whole-array numpy: one flat index a click, and rewards looked up."""

    REWARD = np.array([-1, 1, -2, -2, 0, 10], np.int32)  # by tile + 2·(open already) + 4·(that was the last red)

    def __init__(self, boards, starts, limit: int) -> None:
        self.n, self.limit = len(boards), limit
        self.base = np.arange(self.n) * 49
        self.boards, self.observations = np.zeros((self.n, 49), np.int8), np.zeros((self.n, 49), np.int8)
        self.left, self.blue, self.score, self.steps = (np.zeros(self.n, np.int32) for _ in range(4))
        self.last_action, self.last_reward = np.full(self.n, -1), np.zeros(self.n, np.float32)  # what a view tells
        self.restart(np.arange(self.n), boards.reshape(-1, 49), starts)

    def restart(self, which, boards, starts) -> None:
        self.boards[which], self.observations[which] = boards, -1
        self.observations[which, starts] = 1
        self.left[which] = boards.sum(axis=1) - 1
        self.blue[which] = self.score[which] = self.steps[which] = 0
        self.last_action[which], self.last_reward[which] = -1, 0

    def step(self, actions):
        at = self.base + actions
        tile, flat = self.boards.ravel()[at], self.observations.ravel()
        repeats = flat[at] >= 0
        flat[at] = tile
        fresh = ~repeats
        red = tile & fresh
        self.left -= red
        self.blue += fresh & (tile == 0)
        finished = self.left == 0
        rewards = self.REWARD[tile + 2 * repeats + 4 * (finished & (red == 1))]
        self.score += rewards
        self.steps += 1
        self.last_action[:], self.last_reward[:] = actions, rewards
        return rewards, finished | (self.steps >= self.limit)


def play_at_random(pool: Items, make: Callable, restart: Callable, n: int, steps: int) -> Callable:
    """Return a call that takes ``steps`` random clicks in all, n boards at once, each replaced when it is over."""
    rng = np.random.default_rng(0)
    which = rng.integers(len(pool), size=n)
    game = make(pool.boards[which], pool.starts[which])

    def play() -> None:
        for _ in range(steps // n):
            _, done = game.step(rng.integers(0, 49, n))
            ended = np.flatnonzero(done)
            if ended.size:
                restart(game, ended, rng.integers(len(pool), size=ended.size))

    return play


def test_game(benchmark, table, pool):
    limit, sizes = PROFILES["verified"].step_limit, [1 << k for k in (8, 10, 12, 14, 16)]
    steps = 2 * limit * sizes[-1]  # every board is replaced twice or more, or the largest batch would do less work
    tiles = pool.boards.reshape(-1, 49)

    def numpy_restart(game, which, items):
        game.restart(which, tiles[items], pool.starts[items])

    ours = partial(play_at_random, pool, Game, lambda game, which, items: game.restart(which, pool, items))
    rival = partial(play_at_random, pool, lambda b, s: NumpyGame(b, s, limit), numpy_restart)
    first, second = Game(pool.boards, pool.starts), NumpyGame(pool.boards, pool.starts, limit)
    rng, over = np.random.default_rng(1), np.zeros(len(pool), bool)
    for _ in range(limit):  # the same rewards and ends, click by click
        actions = rng.integers(0, 49, len(pool))
        (rewards, done), (theirs, ended) = first.step(actions), second.step(actions)
        assert (rewards == np.where(over, 0, theirs)).all() and (done == (ended | over)).all()
        over = done
    n, m = (fastest(sizes, lambda size, make=make: make(size, steps)) for make in (ours, rival))
    best, others = race(benchmark, ours(n, steps), rival(m, steps), rounds=3)
    speed, theirs, what = steps / best, steps / others, "random clicks with new boards, M/s"
    how = f"numpy arrays, best of {sizes}: {m} at once"
    table.append((what, f"{speed / 1e6:.1f}", f"{n} boards at once", f"{theirs / 1e6:.1f}", how, speed / theirs))
    few = steps // 16
    for size in (256, 4096):  # what training uses
        first, second = ours(size, few), rival(size, few)
        pairs = [(seconds(first), seconds(second)) for _ in range(4)][1:]
        here, there = (few / min(column) for column in zip(*pairs, strict=True))
        how = f"{size} boards at once"
        table.append((what, f"{here / 1e6:.1f}", how, f"{there / 1e6:.1f}", "numpy arrays, as many", here / there))
    assert best < others


_APART = np.abs(np.subtract.outer(np.indices((7, 7)).reshape(2, 49), np.indices((7, 7)).reshape(2, 49)))
_CHEBYSHEV = np.maximum(_APART[0, :, 0], _APART[1, :, 1]).astype(np.float32)


def numpy_heuristic(items: Items, runs: int, games: int, rng) -> np.ndarray:
    """Return blue tiles (boards, runs): `heuristic` with all runs of some boards side by side in numpy.

    A covered tile's key is its distance from the nearest open red less a uniform number: the lowest key is a random
    tile among the nearest. Games that are over leave the arrays.
    """
    blue = np.zeros((len(items), runs), np.int16)
    for first in range(0, len(items) * runs, games):
        of = np.arange(first, min(first + games, len(items) * runs))
        board = items.boards.reshape(-1, 49)[of // runs].astype(bool)
        start = items.starts[of // runs]
        near, left, blues = _CHEBYSHEV[start], board.sum(axis=1) - 1, np.zeros(len(of), np.int16)
        near[np.arange(len(of)), start] = np.inf
        rows = np.arange(len(of))
        while of.size:
            tile = (near - rng.random(near.shape, np.float32)).argmin(axis=1)
            red = board[rows, tile]
            hit = np.flatnonzero(red)
            covered = near[hit] < np.inf
            near[hit] = np.where(covered, np.minimum(near[hit], _CHEBYSHEV[tile[hit]]), np.inf)
            near[rows, tile] = np.inf
            left -= red
            blues += ~red
            going = left > 0
            if not going.all():
                blue.ravel()[of[~going]] = blues[~going]
                of, board, near, left, blues = (array[going] for array in (of, board, near, left, blues))
                rows = np.arange(len(of))
    return blue


def test_heuristic(benchmark, table, published):
    sets, runs, rng = [published(f"{rule}/abstract") for rule in RULES], 1000, np.random.default_rng(0)
    sample = Items(np.stack([s.boards[0] for s in sets]), [s.starts[0] for s in sets], "all/abstract", "published")
    fast, slow = heuristic(sample, runs), numpy_heuristic(sample, runs, 4000, rng)
    se = fast.sd * np.sqrt(2 / runs)
    assert (abs(fast.mean - slow.mean(axis=1)) <= 4 * se).all()
    sizes = [500, 1000, 2000, 4000, 8000]
    m = fastest(sizes, lambda games: partial(numpy_heuristic, sample, runs, games, rng))
    best, others = race(
        benchmark,
        lambda: [heuristic(items, runs) for items in sets],
        lambda: [numpy_heuristic(items, runs, m, rng) for items in sets],
        rounds=3,
    )
    plain = seconds(lambda: [_naive_heuristic(*sample[k], rng) for k in range(8) for _ in range(3)]) / 24 * runs
    boards = sum(map(len, sets))
    ours, theirs = best / boards * 1e3, others / boards * 1e3
    what, how = "heuristic, 1,000 runs, ms a board (200 boards)", "compiled, one after another"
    table.append((what, f"{ours:.2f}", how, f"{theirs:.1f}", f"numpy, best of {sizes}: {m} games", theirs / ours))
    table.append((what, f"{ours:.2f}", how, f"{plain * 1e3:.0f}", "plain Python, scaled up", plain * 1e3 / ours))
    assert boards == 200 and best < others


def drive(envs, steps: int) -> Callable:
    rng = np.random.default_rng(0)
    envs.reset(seed=0)

    def go() -> None:
        for _ in range(max(1, steps // envs.num_envs)):
            envs.step(rng.integers(0, 49, envs.num_envs))

    return go


def test_vector_environment(benchmark, table, pool):
    def sync(n: int) -> SyncVectorEnv:
        # Each environment is unwrapped and shares the boards: nothing but the stepping is compared.
        return SyncVectorEnv([lambda: TilesEnv(items=pool)] * n, autoreset_mode=AutoresetMode.SAME_STEP)

    def compiled(n: int) -> TilesVectorEnv:
        return TilesVectorEnv(n, items=pool)

    for envs in (compiled(64), sync(64)):  # the same spaces, and episodes that end within a step
        observation, _ = envs.reset(seed=0)
        assert observation.shape == (64, 7, 7) and envs.single_action_space == gymnasium.spaces.Discrete(49)
        ends = sum(int((step[2] | step[3]).sum()) for step in (envs.step(np.arange(64) % 49) for _ in range(60)))
        assert ends >= 64
    sizes, rivals = [64, 256, 1024, 4096], [1, 8, 64, 256]
    n = fastest(sizes, lambda size: drive(compiled(size), 1 << 18))
    m = fastest(rivals, lambda size: drive(sync(size), 4096))
    many, few = 1 << 19, 1 << 13
    best, others = race(benchmark, drive(compiled(n), many), drive(sync(m), few))
    ours, theirs = many / best, few / others
    table.append((
        "gymnasium vector steps, M/s", f"{ours / 1e6:.2f}", f"TilesVectorEnv of {n}", f"{theirs / 1e6:.4f}",
        f"SyncVectorEnv, best of {rivals}: {m}", ours / theirs,
    ))  # fmt: skip
    assert ours > theirs


class NumpyBayes(observers.BayesGreedy):
    """The ideal observer with its posterior in numpy: a boolean mask over the support, or matrix products."""

    def __init__(self, support, how: str) -> None:
        super().__init__(support)
        self.how = how
        self.boards = ((support.bits[:, None] >> np.arange(49, dtype=np.uint64)) & np.uint64(1)).astype(bool)
        self.red = self.boards.astype(np.float32)
        self.reds = self.boards.sum(axis=1)
        self.weighted = self.red * self.weight[:, None]  # float64

    def posterior(self, board):
        if self.how == "mask":
            rows, fitting = [], []
            for tiles in board:
                places = np.flatnonzero(tiles >= 0)
                fits = (self.boards[:, places] == (tiles[places] == 1)).all(axis=1)
                fits &= self.reds > (tiles == 1).sum()
                rows.append(self.weighted[fits].sum(axis=0) / self.weight[fits].sum())
                fitting.append(np.count_nonzero(fits))
            probability, fitting = np.array(rows), np.array(fitting)
        else:
            blue, red = (board == 0).astype(np.float32), (board == 1).astype(np.float32)
            wrong = (blue - red) @ self.red.T + red.sum(axis=1, keepdims=True)  # tiles at odds with what is open
            fits = (wrong < 0.5) & (self.reds > red.sum(axis=1, keepdims=True))
            fitting = np.count_nonzero(fits, axis=1)
            probability = (fits @ self.weighted) / (fits @ self.weight)[:, None]
        return np.where(board == -1, probability, 0), fitting


@pytest.mark.parametrize(("rule", "passes"), [("cross", 8), ("copy", 1)])
def test_bayes_greedy(benchmark, table, published, rule, passes):
    items, support = published(f"{rule}/abstract"), records.support(rule)
    ours = partial(scoring.judge, observers.BayesGreedy(support), items, passes=passes)
    rivals = {how: partial(scoring.judge, NumpyBayes(support, how), items, passes=passes) for how in ("mask", "matrix")}
    for rival in rivals.values():
        assert (rival().actions == ours().actions).all()  # the same games, tie by tie
    how = fastest(rivals, rivals.get)
    best, others = race(benchmark, ours, rivals[how], rounds=3)
    boards = passes * len(items)
    table.append((
        f"Bayes-greedy games a second, {rule} (support {len(support):,})", f"{boards / best:,.0f}", "bit words",
        f"{boards / others:,.0f}", f"numpy, best of mask and matrix: {how}", others / best,
    ))  # fmt: skip
    assert best < others
