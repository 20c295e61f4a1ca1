"""The hash in compiled code, and the one line about compiling."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from numba import njit

from cogkit.core import seeding
from cogkit.core.compiled import item_state, item_word, to_unit


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
        "import numpy as np; from cogkit.core import compiled; from cogkit.tiles.rules.game import Game;"
        "game = Game(np.eye(7), [0]); game.step([8])"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    first, second = (run.stderr.splitlines() for run in runs)
    assert len(first) == 1 and "compiling loops" in first[0] and second == []


def test_what_stands_in_another_file_and_has_changed_is_compiled_again(tmp_path):
    folder = tmp_path / "cogkit_more"
    folder.mkdir()
    (folder / "constants.py").write_text("SIZE = 1\nWIDE = 10\nFAR = 7\n")
    (folder / "calls.py").write_text(
        "from cogkit.core.compiled import compiled\nfrom cogkit.more.constants import SIZE\n"
        "@compiled\ndef add(x):\n    return x + SIZE\n"
    )
    (folder / "loops.py").write_text(
        "from cogkit.core.compiled import compiled\n"
        "from cogkit.more import constants\nfrom cogkit.more.calls import add\n"
        "@compiled\ndef run(x):\n    return add(x) * constants.WIDE\n"
    )
    code = (
        "import sys, types, cogkit; more = types.ModuleType('cogkit.more'); more.__path__ = [sys.argv[1]];"
        "sys.modules['cogkit.more'] = more; from cogkit.more.loops import run; print(run(3))"
    )

    def ran() -> tuple[int, bool]:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.run(
            [sys.executable, "-c", code, folder], env=environment, capture_output=True, text=True, check=True
        )
        return int(process.stdout), "compiling loops" in process.stderr

    assert ran() == (40, True)
    (folder / "constants.py").write_text("SIZE = 1\nWIDE = 10\nFAR = 8\n")  # which no loop names
    assert ran() == (40, False)
    for file, old, new, expected in [
        ("constants.py", "SIZE = 1", "SIZE = 2", 50),
        ("constants.py", "WIDE = 10", "WIDE = 20", 100),
        ("calls.py", "x + SIZE", "x + SIZE + 500", 10_100),
    ]:
        (folder / file).write_text((folder / file).read_text().replace(old, new))
        assert ran() == (expected, True)
