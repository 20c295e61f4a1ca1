"""The hash in compiled code, and the one line about compiling."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from numba import njit

from cogkit import seeding
from cogkit.compiled import item_state, item_word, to_unit


@njit
def _uniforms(key, items, out):
    for i in range(len(items)):
        state = item_state(key, items[i])
        for j in range(out.shape[1]):
            out[i, j] = to_unit(item_word(state, np.uint64(j)))


def test_the_compiled_hash_is_the_one_of_seeding():
    items = np.random.default_rng(0).integers(0, 2**63, 500, dtype=np.uint64)
    out = np.empty((500, 5))
    _uniforms(seeding.item_key(9, "x"), items, out)
    assert (out == seeding.item_uniforms(9, "x", items, 5)).all()


def test_compiling_is_announced_in_one_line_and_only_when_it_happens(tmp_path):
    code = (
        "import numpy as np; from cogkit import compiled; from cogkit.tiles.game import Game;"
        "game = Game(np.eye(7), [0]); game.step([8])"
    )
    said = []
    for _ in range(2):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        said.append(run.stderr.splitlines())
    assert len(said[0]) == 1 and "compiling loops" in said[0][0]
    assert said[1] == []
