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
    assert speed >= (1e5 if rule in ("copy", "connected") else 1e6)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("rule", RULES)
def test_check(benchmark, capsys, rule):
    boards = records.sample(rule, 10_000, 0)
    assert benchmark.pedantic(records.check, args=(rule, boards), rounds=3).all()
    with capsys.disabled():
        print(f"\n{rule}: 10,000 boards checked in {benchmark.stats['min'] * 1e3:.0f} ms")
    assert benchmark.stats["min"] <= 1


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("rule", RULES)
def test_enumerate(benchmark, rule):
    """The first call of a process; cached afterwards."""
    enumerate_afresh = TABLES[rule].__wrapped__
    benchmark.pedantic(enumerate_afresh, rounds=1)
    assert benchmark.stats["max"] <= 5
