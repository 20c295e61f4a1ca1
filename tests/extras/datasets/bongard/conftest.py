"""Small sets of problems on the disk, made once."""

from __future__ import annotations

import shutil

import pytest
from stored import ROOT, SIZE, again


@pytest.fixture(scope="session")
def stored(tmp_path_factory, mirror):
    """A small set of each profile on the disk, by the name of the profile; not to be written to."""
    folder = tmp_path_factory.mktemp("stored")
    for profile, size in SIZE.items():
        again(folder / profile, profile=profile, size=size)
    return folder


@pytest.fixture
def copied(stored, tmp_path):
    """What a published copy has: no manifest, and no placements; a file of programs is called as the README has it."""
    root = shutil.copytree(stored / "as_published" / ROOT, tmp_path / "copy" / ROOT)
    for extra in (root / "manifest.json", *root.glob("*/*_placements.jsonl")):
        extra.unlink()
    (root / "bd" / "bd_action_programs.json").rename(root / "bd" / "bd_action_program.json")
    return root
