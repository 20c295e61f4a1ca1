"""Every `cogkit make`, killed and run again: the set is sound, and byte for byte the one of a run nobody ended."""

from __future__ import annotations

import json

from kills.harness import CLI, attack, contents

from cogkit.app import cli
from cogkit.extras.datasets.folders import UNFINISHED

MAKES = {
    "tiles": ["--n", "6", "--seed", "3"],
    "mts": ["--n", "2", "--seed", "3"],
    "bongard": ["--problems", "24", "--size", "64", "--jobs", "2"],
    "mewl": ["--n", "126", "--jobs", "2"],
}


def arguments(name: str, folder) -> list[str]:
    return ["make", name, *MAKES[name], "--out", str(folder)]


def finish(name: str, folder) -> None:
    """Run the command again, in this process, and audit the set."""
    assert cli.main(arguments(name, folder)) == 0
    assert cli.main(["audit", str(folder)]) == 0


def done(folder) -> dict[str, int]:
    """Return when each file was written that a later run keeps: with a journal, those of the items it notes."""
    journals = [bench / "sums.jsonl" for bench in folder.glob(f"*/{UNFINISHED}")]
    lines = [line for path in journals if path.is_file() for line in path.read_text().split("\n")[:-1]]
    items = tuple(f"/{json.loads(line)[0]}/" for line in lines)
    files = [path for path in folder.rglob("[!.]*") if path.is_file() and path.name != "manifest.json"]
    names = {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in files}
    own = {name: at for name, at in names.items() if f"/{UNFINISHED}/" not in name}
    return {name: at for name, at in own.items() if not journals or any(item in name for item in items)}


def attacked(name: str, kills: int, folder) -> tuple[int, list[str]]:
    """Kill so many runs of ``cogkit make``."""
    command = lambda root: [*CLI, *arguments(name, root)]  # noqa: E731
    return attack(kills, folder, command, lambda root: finish(name, root), contents, done)
