"""The speed of drawing scenes, beside the same tracer without culling, in the same run.

Not part of the test run. All times are processor time of one process::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_mewl.py

The rival is our own tracer told that every ball that holds a body is as large as the world, so that each ray asks every
body: the same pictures, byte for byte but for rays of shadows that need not have been asked. Rounds of both alternate,
and the best of each counts. A table stands at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.rendering.lighting import world
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import EVERY

_ROUNDS, _SCENES = 3, 7  # pictures of an episode: six panels and a question
_WIDE = 1e3
pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.fixture(scope="module")
def table(request):
    """Rows (what, quality, ours and the rival's seconds a picture), printed after the last benchmark."""
    rows = []
    yield rows
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n| scenes | quality | CPU s a picture | seven pictures | without culling | ratio |")
        print("|---|---|---|---|---|---|")
        for what, quality, ours, theirs in rows:
            print(f"| {what} | {quality} | {ours:.3f} | {7 * ours:.2f} | {theirs:.3f} | {theirs / ours:.1f} |")


def scenes(what: str) -> list[Scene]:
    rng, placements = np.random.default_rng(3), []
    for k in range(_SCENES):
        things = [EVERY[j] for j in rng.choice(144, 3 if what == "pointing" else int(what[0]), replace=False)]
        if what == "pointing":
            placements.append(placing.place(things, rng, fit=geometry.clear, target=k % 3))
        else:
            placements.append(placing.place(things, rng, fit=geometry.clear))
    return placements


def unculled(scene: Scene) -> tuple[np.ndarray, ...]:
    rows, balls, groups, looks, lit = world(scene)
    balls, groups = balls.copy(), groups.copy()
    balls[:, 3] = groups[:, 3] = _WIDE
    return rows, balls, groups, looks, lit


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


@pytest.mark.parametrize("quality", ["browse", "final"])
@pytest.mark.parametrize("what", ["1 thing", "3 things", "6 things", "pointing"])
def test_pictures(benchmark, table, monkeypatch, what, quality):
    batch, rivals = scenes(what), []

    def ours() -> None:
        for scene in batch:
            rendering.render(scene, quality)

    def rival() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(rendering, "world", unculled)
            rivals.append(seconds(ours))

    rendering.render(batch[0], quality)
    benchmark.pedantic(ours, setup=rival, rounds=_ROUNDS)
    mean = benchmark.stats["min"] / _SCENES
    table.append((what, quality, mean, min(rivals) / _SCENES))
    assert mean < min(rivals) / _SCENES


def test_the_first_picture_comes_quickly(benchmark):
    scene = scenes("6 things")[0]
    picture = min(seconds(lambda: rendering.render(scene)) for _ in range(_ROUNDS))
    benchmark.pedantic(lambda: rendering.coarse(scene), rounds=_ROUNDS)
    assert benchmark.stats["min"] < picture / 4
