"""One kill of everything, and what a kill leaves behind."""

from __future__ import annotations

import json

import pytest
from kills import makes
from kills.campaigns import CAMPAIGNS, assert_nothing_lost
from kills.harness import contents


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("home", "sixth", "mirror", "one_thread")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_is_killed_and_resumed_is_what_nobody_ended(name, tmp_path, record_property):
    assert_nothing_lost(name, 1, tmp_path, record_property)


@pytest.mark.usefixtures("home", "mirror")
@pytest.mark.parametrize("name", makes.MAKES)
def test_what_a_kill_left_beside_the_files_of_a_set_is_cleared(name, tmp_path):
    makes.finish(name, tmp_path)
    before = contents(tmp_path)
    (manifest,) = tmp_path.rglob("manifest.json")
    for file in ("manifest.json", *json.loads(manifest.read_text())["sha256"]):
        path = manifest.parent / file
        path.with_name(f".{path.name}.aaaa.part").touch()
        path.with_name(f".{path.name}.0123abcd.part").write_bytes(b"half of it")
    makes.finish(name, tmp_path)
    assert contents(tmp_path) == before
