"""After one warm-up no reader waits for a compiler: every loop is kept, for the types that it is called with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from children import run
from sixth_package import installed

import cogkit

ROOT = Path(cogkit.__file__).parents[1]

# One small item of each instrument, as a reader meets it: a cell, a game, a sample, a picture, a score.
ITEMS = """
import gymnasium
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from cogkit.app import experiments
from cogkit.generalization.estimator import GRStar
from cogkit.extras.datasets.mewl import image_audit
from cogkit.mewl.problems import making
from cogkit.mewl.rendering import render
from cogkit.mewl.world import geometry
from cogkit.tiles.metamers import sampling
from cogkit.tiles.people import scenarios

experiments.compare("tiles/bayes-greedy/tree/abstract", "tiles/nearest-neighbour/zigzag/metamer", passes=1)
experiments.compare("equivalence/e-eps/OTM/select-only", "equivalence/eps/LS/select-reject", trials=200)
experiments.compare("bongard/program-oracle", problems=1)
experiments.compare("mewl/ideal-learner", episodes=1)
sampling.sample("tree", 2)
scenarios.find("copy", 3, 0)
env = gymnasium.make("cogkit.tiles:cogkit/Tiles-v0", rule="copy")
env.reset(seed=0)
env.step(3)
for task in ("shape", "pragmatic"):  # several things, and a hand
    scene = making.episode(task, 0).trial.panels[0].scene
    image_audit.Sight(render.render(scene, "final"), scene)
    geometry.visible(scene)
render.coarse(scene, width=64)
GRStar(resamples=20).score(GaussianNB(), *load_iris(return_X_y=True))
"""


def cache_files(folder: Path) -> dict[str, bytes]:
    """Return what numba keeps: an index for each loop, and the machine code of each of its types."""
    return {path.name: path.read_bytes() for path in folder.rglob("*.nb[ic]")}


def test_after_a_warm_up_nothing_is_compiled(tmp_path, mirror):
    folder = tmp_path / "compiled"
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder), "COGKIT_HOME": str(tmp_path / "home"), "COGKIT_MIRROR": str(mirror),
        "PYTHONPATH": os.pathsep.join([installed(), str(ROOT)]),
    }  # fmt: skip

    def ran(*command: str) -> subprocess.CompletedProcess:
        return run([sys.executable, *command], env=environment, check=True)

    warmed = ran("-m", "cogkit.app.cli", "warm")
    assert warmed.stdout == "compiled and kept: the loops of counting, datasets, equivalence, mewl, tiles\n"
    assert "compiling loops" in warmed.stderr
    assert "not kept" not in warmed.stderr  # what they call is compiled into them
    before = cache_files(folder)
    assert sum(name.endswith(".nbi") for name in before) > 40
    assert "compiling loops" not in ran("-c", ITEMS).stderr
    assert cache_files(folder) == before
