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
    messages = []
    for _ in range(2):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        messages.append(run.stderr.splitlines())
    assert len(messages[0]) == 1 and "compiling loops" in messages[0][0]
    assert messages[1] == []


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


# As root the permissions of a folder refuse nothing, unless the process gives up that right.
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
LOOP = (
    "import sys, types\n"
    "sys.modules['cogkit.more'] = types.ModuleType('cogkit.more')\n"
    "from cogkit.core.compiled import compiled\n"
    "def double(x):\n    return x * 2\n"
    "double.__module__ = 'cogkit.more'\n"
    "loop = compiled(double)\n"
)


def looped(folder, before: str = "", *command: str, **environment: str) -> tuple[str, list[str]]:
    """Return what a new process prints that doubles three in a compiled loop, and what it says beside."""
    if not (folder / "loop.py").exists():  # a file that is written again is compiled again
        (folder / "loop.py").write_text(LOOP)
    code = f"{before}\nfrom loop import loop\nprint(loop(3))"
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"} | environment
    command = [*command, sys.executable, "-c", code]
    process = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    return process.stdout, process.stderr.splitlines()


def test_without_a_folder_that_can_be_written_loops_work_and_are_not_kept(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o555)
    only = {"NUMBA_CACHE_DIR": str(cache), "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    printed, said = looped(tmp_path, "", *BOUND, **only)
    assert printed == "6\n" and len(said) == 2 and "not kept" in said[1] and not list(cache.iterdir())
    cache.chmod(0o755)
    assert [len(looped(tmp_path, **only)[1]) for _ in range(2)] == [1, 0]
    cache.chmod(0o555)
    for path in cache.rglob("*"):
        path.chmod(0o000)
    printed, said = looped(tmp_path, "", *BOUND, **only)  # it was kept, and cannot be read any more
    assert printed == "6\n" and len(said) == 2


def test_a_full_disk_keeps_no_loop_and_stops_none(tmp_path):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    printed, said = looped(tmp_path, full, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert printed == "6\n" and len(said) == 2 and "not kept for the next time: File too large" in said[1]
    assert [len(looped(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))[1]) for _ in range(2)] == [1, 0]


def test_a_broken_cache_is_made_anew(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    looped(tmp_path, **cache)
    for ending in ("nbi", "nbc"):
        for path in (tmp_path / "cache").rglob(f"*.{ending}"):
            path.write_bytes(path.read_bytes()[:9])
        assert [(printed, len(said)) for printed, said in (looped(tmp_path, **cache) for _ in range(2))] == [
            ("6\n", 1), ("6\n", 0),
        ]  # fmt: skip


def test_a_user_without_a_home_gets_no_folder_named_after_it(tmp_path):
    nobody = (
        "import os, pwd\n"
        "def none(number):\n    raise KeyError(number)\n"
        "pwd.getpwuid = none\n"
        "for name in ('HOME', 'XDG_CACHE_HOME'):\n    os.environ.pop(name, 0)"
    )
    (tmp_path / "__pycache__").touch()  # so that loops cannot be kept beside their file
    printed, said = looped(tmp_path, nobody)
    assert printed == "6\n" and len(said) == 2 and "not kept" in said[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["__pycache__", "loop.py"]
