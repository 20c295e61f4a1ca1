"""The speed of the Gibbs sampler beside two rivals that run the same chains, in the same run.

Not part of the test run. All times are processor time of one process and one thread::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_metamers.py

The rounds of all three alternate, and the best round of each counts. A table stands at the end. The goal is as many
boards as torch gives from its best batches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import torch

from cogkit.tiles.metamers import sampling
from cogkit.tiles.rules import RULES

_ROUNDS, _ALONE = 5, 40
_SIZES = (128, 512, 2048, 8192)
pytestmark = [pytest.mark.benchmark(timer=time.process_time), pytest.mark.usefixtures("one_thread")]


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def loop(network: sampling.Conditional, chains: int, rng, sweeps: int = sampling.SWEEPS) -> np.ndarray:
    """Return the boards of chains run one after the other, as the original's ``gibbs_sample``, here without torch."""
    (first, second, last), (b1, b2, b3) = network.weights, network.biases
    boards = rng.integers(0, 2, (chains, 49)).astype(np.float32)
    for board in boards:
        for _ in range(sweeps):
            for tile, u in zip(rng.permutation(49).tolist(), rng.random(49).tolist(), strict=True):
                board[tile] = -1
                hidden = np.maximum(second @ np.maximum(first @ board + b1, 0) + b2, 0)
                board[tile] = u < 1 / (1 + np.exp(-(last[tile] @ hidden + b3[tile])))
    return boards


@torch.no_grad()
def batch(network: sampling.Conditional, chains: int, generator, sweeps: int = sampling.SWEEPS) -> np.ndarray:
    """Return the boards of chains run side by side in torch, as the original's ``batch_gibbs``; of the last layer, only
    the row that is needed."""
    weights, biases = ([torch.from_numpy(array) for array in part] for part in (network.weights, network.biases))
    boards = torch.randint(0, 2, (chains, 49), generator=generator).float()
    for _ in range(sweeps):
        for tile in torch.randperm(49, generator=generator).tolist():
            boards[:, tile] = -1
            hidden = torch.addmm(biases[0], boards, weights[0].T).relu_()
            hidden = torch.addmm(biases[1], hidden, weights[1].T).relu_()
            chance = torch.sigmoid(hidden @ weights[2][tile] + biases[2][tile])
            boards[:, tile] = (torch.rand(chains, generator=generator) < chance).float()
    return boards.numpy()


def fastest(sampler: Callable, network: sampling.Conditional, source) -> int:
    """Return the number of chains of which the sampler gives most a second, the better of two tries each."""
    sampler(network, _SIZES[0], source)
    cost = {n: min(seconds(partial(sampler, network, n, source)) for _ in range(2)) / n for n in _SIZES}
    return min(cost, key=cost.get)


@pytest.mark.parametrize("rule", RULES)
def test_the_three_draw_from_one_distribution(rule):
    network, rng, generator = sampling.load(rule), np.random.default_rng(0), torch.Generator().manual_seed(0)
    means = {  # of the reds of a batch, whose chains share the order of visits and so are not independent
        "ours": [sampling.gibbs(network, 100, rng).sum() / 100 for _ in range(40)],
        "batch": [batch(network, 100, generator).sum() / 100 for _ in range(40)],
        "loop": loop(network, _ALONE, rng).sum(axis=1),
    }
    ours, *others = map(np.array, means.values())
    for other in others:
        assert abs(ours.mean() - other.mean()) <= 4 * np.sqrt(ours.var() / len(ours) + other.var() / len(other))


def test_boards_a_second(benchmark, request):
    network, rng, generator = sampling.load("copy"), np.random.default_rng(0), torch.Generator().manual_seed(0)
    n, m = fastest(sampling.gibbs, network, rng), fastest(batch, network, generator)
    rivals = {"numpy, board by board": [], f"torch, batches of {m}": []}
    calls = (partial(loop, network, _ALONE, rng), partial(batch, network, m, generator))

    def before() -> None:
        for spent, call in zip(rivals.values(), calls, strict=True):
            spent.append(seconds(call))

    benchmark.pedantic(partial(sampling.gibbs, network, n, rng), setup=before, rounds=_ROUNDS)
    ours = n / benchmark.stats["min"]
    theirs = {how: size / min(spent) for (how, spent), size in zip(rivals.items(), (_ALONE, m), strict=True)}
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n\nboards of 20 sweeps a second of processor time, batches the best of {_SIZES}\n")
        print(f"| sampler | boards/s | ours is |\n|---|---|---|\n| metamers.gibbs, {n} chains | {ours:,.0f} | |")
        for how, rate in theirs.items():
            print(f"| {how} | {rate:,.0f} | {ours / rate:,.1f} × |")
