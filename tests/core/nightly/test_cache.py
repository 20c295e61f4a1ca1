"""The cache of compiled loops: full, broken or not to be written, it costs time and stops nothing."""

from __future__ import annotations

import os
import subprocess
import sys

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
    printed, messages = looped(tmp_path, "", *BOUND, **only)
    assert printed == "6\n" and len(messages) == 1 and "not kept" in messages[0] and not list(cache.iterdir())
    cache.chmod(0o755)
    assert [len(looped(tmp_path, **only)[1]) for _ in range(2)] == [1, 0]
    cache.chmod(0o555)
    for path in cache.rglob("*"):
        path.chmod(0o000)
    printed, messages = looped(tmp_path, "", *BOUND, **only)  # it was kept, and cannot be read any more
    assert printed == "6\n" and len(messages) == 1


def test_a_full_disk_keeps_no_loop_and_stops_none(tmp_path):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    printed, messages = looped(tmp_path, full, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert printed == "6\n" and len(messages) == 2 and "not kept for the next time: File too large" in messages[1]
    assert [len(looped(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))[1]) for _ in range(2)] == [1, 0]


def test_a_broken_cache_is_made_anew(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    looped(tmp_path, **cache)
    for ending in ("nbi", "nbc"):
        for path in (tmp_path / "cache").rglob(f"*.{ending}"):
            path.write_bytes(path.read_bytes()[:9])
        assert [(printed, len(messages)) for printed, messages in (looped(tmp_path, **cache) for _ in range(2))] == [
            ("6\n", 1), ("6\n", 0),
        ]  # fmt: skip
