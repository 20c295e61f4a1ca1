"""`cogkit make mewl`: what it writes, what it keeps, and what it leaves alone."""

from __future__ import annotations

import hashlib
import json
import shutil

import numpy as np
import pytest
from carded import contents, times
from mewl import foreign
from PIL import Image

from cogkit.core.errors import InputError
from cogkit.extras.datasets import folders
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
    for episode in datasets.read(stored / profile):
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
    archive = datasets.read(tmp_path)
    for address in archive.addresses:
        episode = archive.episode(*address)
        names = [*layout.panel_names(episode), "question"]
        files = [Image.open(path.parent / str(address) / f"{name}.png") for name in names]
        assert {(image.size, image.mode, image.format) for image in files} == {((320, 240), "RGB", "PNG")}
        images = np.stack([rendering.render(scene, "browse") for scene in episode.trial.scenes])
        assert (np.stack(list(map(np.asarray, files))) == images).all() and (archive.images(*address) == images).all()
    assert datasets.audit(tmp_path, jobs=1) == []


def test_a_rerun_writes_only_what_is_not_whole(dataset):
    before, stamps = contents(dataset), times(dataset)
    tasks = "shape", "object", "number", "color"
    broken, missing, gone, more = places = [dataset / ROOT / "train" / task / "2" for task in tasks]
    path = sorted(broken.iterdir())[0]
    path.write_bytes(path.read_bytes()[:-9])
    (missing / "info.json").unlink()
    shutil.rmtree(gone)
    (more / "notes.txt").write_text("mine")
    datasets.make(dataset, n=N, jobs=1)
    assert contents(dataset) == before
    rewritten = {name.rpartition("/")[0] for name, when in times(dataset).items() if when != stamps[name]}
    assert rewritten == {ROOT, *(folder.relative_to(dataset).as_posix() for folder in places)}


def interrupted(out, monkeypatch, after: int, **options):
    """Begin a set, and end it before episode ``after``."""
    begun, episode = iter(range(after)), making.episode

    def some(*arguments):
        if next(begun, None) is None:
            raise KeyboardInterrupt
        return episode(*arguments)

    monkeypatch.setattr(making, "episode", some)
    with pytest.raises(KeyboardInterrupt):
        datasets.make(out, n=N, jobs=1, **options)
    monkeypatch.setattr(making, "episode", episode)


def test_what_a_killed_run_had_at_hand_is_cleared_away_and_what_is_noted_stays(stored, tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch, 6)
    bench = tmp_path / ROOT / folders.UNFINISHED
    (bench / "train-shape-0-123").mkdir()
    (bench / "train-shape-0-123" / "info.json").write_bytes(b"{")
    journal = bench / "sums.jsonl"
    assert len(journal.read_text().splitlines()) == 6
    journal.write_bytes(journal.read_bytes()[:-5])  # torn: one line is lost
    stamps = {folder: times(folder) for folder in episodes_of(tmp_path)}
    datasets.make(tmp_path, n=N, jobs=1)
    assert contents(tmp_path) == contents(stored / "verified")
    assert sum(times(folder) == when for folder, when in stamps.items()) == 5


def test_another_set_is_not_overwritten(dataset, tmp_path, monkeypatch):
    interrupted(tmp_path / "begun", monkeypatch, 1)
    for folder in (dataset, tmp_path / "begun"):
        before = contents(folder)
        for changed in ({"n": 62}, {"seed": 1}, {"profile": "as_published"}, {"only": "shape"}, {"images": "browse"}):
            with pytest.raises(InputError, match="choose another folder|a folder without one"):
                datasets.make(folder, **({"n": N, "jobs": 1} | changed))
            assert contents(folder) == before, changed


def test_a_published_copy_is_not_overwritten(tmp_path):
    foreign.write(tmp_path / ROOT / "train" / "shape" / "0", foreign.Writer(0).episode("shape"))
    before = contents(tmp_path)
    with pytest.raises(InputError, match="an empty folder"):
        datasets.make(tmp_path, n=N, jobs=1)
    assert contents(tmp_path) == before and datasets.looks_like(tmp_path)


def test_a_bad_option_is_a_sentence_and_writes_nothing(tmp_path):
    for options, wanted in (
        ({"n": 0}, "1 to 1,000,000"),
        ({"only": "colour"}, "did you mean 'color'"),
        ({"profile": "verifed"}, "'verified'"),
        ({"images": "fine"}, "a quality of pictures"),
    ):
        with pytest.raises(InputError, match=wanted):
            datasets.make(tmp_path / "x", **options)
    assert not (tmp_path / "x").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can be written"):
        datasets.make(tmp_path / "file", n=9, jobs=1)
