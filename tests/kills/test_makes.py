"""Every `cogkit make`, killed and run again: the set is sound, and byte for byte the one of a run nobody ended."""

from __future__ import annotations

import json

import pytest
from kills.harness import CLI, attack, campaign, contents

from cogkit.app import cli
from cogkit.data.folders import UNFINISHED

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
    names = {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("[!.]*") if path.is_file() and path.name != "manifest.json"
    }  # fmt: skip
    own = {name: at for name, at in names.items() if f"/{UNFINISHED}/" not in name}
    return {name: at for name, at in own.items() if not journals or any(item in name for item in items)}


@campaign(50)
@pytest.mark.parametrize("name", MAKES)
def test_a_killed_make_is_taken_up_where_it_was(name, kills, tmp_path, mirror, home, record_property):
    attack(
        f"make {name}", kills, tmp_path, lambda folder: [*CLI, *arguments(name, folder)],
        lambda folder: finish(name, folder), contents, done, record_property,
    )  # fmt: skip


@pytest.mark.parametrize("name", MAKES)
def test_what_a_kill_left_beside_the_files_of_a_set_is_cleared(name, tmp_path, mirror, home):
    finish(name, tmp_path)
    before = contents(tmp_path)
    (manifest,) = tmp_path.rglob("manifest.json")
    for file in ("manifest.json", *json.loads(manifest.read_text())["sha256"]):
        path = manifest.parent / file
        path.with_name(f".{path.name}.aaaa.part").touch()
        path.with_name(f".{path.name}.0123abcd.part").write_bytes(b"half of it")
    finish(name, tmp_path)
    assert contents(tmp_path) == before
