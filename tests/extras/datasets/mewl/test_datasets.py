"""`cogkit make mewl`: what it writes, what it keeps, and what it leaves alone."""

from __future__ import annotations

import hashlib
import json
import shutil

import numpy as np
import pytest
from carded import contents
from carded import episodes as episodes_at
from PIL import Image

from cogkit.extras.datasets.mewl import datasets, layout
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.rendering import render as rendering

ROOT = "MEWL_Release_V1"
N = 63  # five episodes, one and one of each task


def episodes_of(folder) -> list:
    return sorted(folder.glob("MEWL*/[!.]*/*/*/"))  # a hidden folder is still being made, and can go while one looks


@pytest.fixture
def dataset(stored, tmp_path):
    return shutil.copytree(stored / "verified", tmp_path / "dataset")


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_the_files_are_those_of_the_published_layout_and_hold_the_episodes(stored, profile):
    (root,) = (stored / profile).iterdir()
    counts = {"train": 5, "val": 1, "test": 1}
    names = {"README.md", "croissant.json", "manifest.json", *counts}
    assert root.name == ROOT and {path.name for path in root.iterdir()} == names
    for part, count in counts.items():
        assert sorted(path.name for path in (root / part).iterdir()) == sorted(TASKS)
        for task in TASKS:
            numbers = sorted(int(path.name) for path in (root / part / task).iterdir())
            assert numbers == list(range(count))
            assert all(len(list((root / part / task / str(k)).iterdir())) == 8 for k in numbers)
    for episode in episodes_at(root):
        assert episode == making.episode(episode.task, episode.number, profile, 0, episode.part)


def test_the_manifest_says_what_was_asked_for_and_every_sum(stored):
    root = stored / "verified" / ROOT
    manifest = json.loads((root / "manifest.json").read_text())
    config = {"n": N, "seed": 0, "profile": "verified", "only": None, "images": None}
    assert (manifest["cell"], manifest["config"], manifest["seed"]) == ("mewl/make", config, 0)
    assert {"cogkit", "numpy"} <= manifest["versions"].keys() and manifest["renderer"] is None
    counts = (("train", 5), ("val", 1), ("test", 1))
    assert manifest["parts"] == {f"{part}/{task}": n for part, n in counts for task in TASKS}
    assert len(manifest["episodes"]) == N
    for name, digest in manifest["episodes"].items():
        content = b"".join(path.read_bytes() for path in sorted((root / name).iterdir()))
        assert hashlib.sha256(content).hexdigest() == digest


def test_several_processes_make_the_same_set_and_a_seed_another(stored, tmp_path):
    datasets.make(tmp_path / "two", n=N, jobs=2)
    assert contents(tmp_path / "two") == contents(stored / "verified")
    datasets.make(tmp_path / "other", n=9, seed=1, jobs=1)
    info = f"{ROOT}/train/shape/0/info.json"
    sets = tmp_path / "other", stored / "verified", stored / "as_published"
    assert len({(folder / info).read_bytes() for folder in sets}) == 3


def test_pictures_are_those_of_the_scenes(tmp_path):
    *_, path = datasets.make(tmp_path, n=1, only="composite", images="browse", jobs=1)
    assert json.loads(path.read_text())["renderer"] == f"{rendering.NAME} {rendering.VERSION}"
    for folder in episodes_of(tmp_path):
        assert len(list(folder.iterdir())) == 15
    for episode in episodes_at(path.parent):
        folder = path.parent / episode.part / episode.task / str(episode.number)
        names = [*layout.panel_names(episode), "question"]
        files = [Image.open(folder / f"{name}.png") for name in names]
        assert {(image.size, image.mode, image.format) for image in files} == {((320, 240), "RGB", "PNG")}
        images = np.stack([rendering.render(scene, "browse") for scene in episode.trial.scenes])
        assert (np.stack(list(map(np.asarray, files))) == images).all()
    assert datasets.audit(tmp_path, jobs=1) == []
