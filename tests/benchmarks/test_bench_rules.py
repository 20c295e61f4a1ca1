"""Boards a second on one core, beside a plain loop over boards; process CPU time, both measured in the same run."""

from __future__ import annotations

import runpy
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES, TABLES

_draw = runpy.run_path(str(Path(__file__).parents[1] / "tiles" / "oracles.py"))["draw"]
_BOARDS, _PLAIN = 500_000, 3000


def _plain(rule: str) -> float:
    """Return the boards a second of the plain loop, each board an array as `records.sample` gives it."""
    rng, began = Random(0), time.process_time()
    for _ in range(_PLAIN):
        board = np.zeros((7, 7), np.uint8)
        for tile in _draw(rule, rng):
            board[tile] = 1
    return _PLAIN / (time.process_time() - began)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("rule", RULES)
def test_sample(benchmark, capsys, rule):
    records.support(rule)
    benchmark.pedantic(records.sample, args=(rule, _BOARDS, 0), rounds=5, warmup_rounds=1)
    speed, plain = _BOARDS / benchmark.stats["min"], _plain(rule)
    with capsys.disabled():
        print(f"\n{rule}: {speed / 1e6:.2f} M boards/s, {speed / plain:.0f} × the plain loop ({plain:,.0f}/s)")
    assert speed > plain


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("rule", RULES)
def test_enumerate(benchmark, capsys, rule):
    """A rule's boards and their probabilities; the other way to know all boards is to draw until each has come."""
    draws = _until_each_has_come(records.support(rule).probability)
    benchmark.pedantic(TABLES[rule].__wrapped__, rounds=3)
    ours, plain = benchmark.stats["min"], draws / _plain(rule)
    with capsys.disabled():
        print(f"\n{rule}: {ours * 1e3:.0f} ms, {plain / ours:.3g} × as fast as {draws:.3g} boards of the plain loop")
    assert ours < plain


def _until_each_has_come(probability: np.ndarray) -> float:
    """Return how many draws it takes on average until every board has come: the integral of P(one is missing)."""
    common, counts = np.unique(probability, return_counts=True)
    t = np.geomspace(1e-3, 100 / common[0], 2000)
    missing = 1 - np.exp(counts @ np.log1p(-np.exp(-np.outer(common, t))))
    return np.trapezoid(missing, t)
