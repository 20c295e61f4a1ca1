"""A sweep, killed and run again: what was stored stays as it is, and in the end every result is there, once."""

from __future__ import annotations

import json
import os
from pathlib import Path

from kills.harness import CLI, attack, contents
from sixth_package import path_with

from cogkit.app import experiments

CELLS, SEEDS = "counting/spinner/*", 12


def whole(root) -> dict:
    """Return everything in a store but the seconds of each run, and the commit: somebody may commit meanwhile."""
    files = contents(root)
    for name in [name for name in files if name.endswith(".json")]:
        files[name] = json.loads(files[name])
        del files[name]["manifest"]["seconds"], files[name]["manifest"]["commit"]
    return files


def attacked(kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many runs of ``cogkit sweep``."""

    def finish(root) -> None:
        assert experiments.sweep(CELLS, seeds=range(SEEDS), jobs=1, root=root) == []
        assert len(list(root.rglob("*.json"))) == 2 * SEEDS

    def done(root) -> dict[str, int]:
        # by the whole path: two cells have files of one name
        return {path.relative_to(root).as_posix(): path.stat().st_mtime_ns for path in root.rglob("*.json")}

    def command(root) -> list[str]:
        return [*CLI, "sweep", CELLS, "--jobs", "2", "--seeds", str(SEEDS), "--out", str(root)]

    return attack(kills, folder, command, finish, whole, done, env=os.environ | {"PYTHONPATH": path_with()})
