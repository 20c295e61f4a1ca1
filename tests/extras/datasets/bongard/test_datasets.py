"""`cogkit make bongard`: what it writes, what it keeps, and what it leaves alone."""

from __future__ import annotations

import hashlib
import json
import shutil

import numpy as np
import pytest
from carded import contents, times
from cases import case
from PIL import Image
from stored import ROOT, SIZE, N, again, problems_of

from cogkit.app import cli
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.programs import write
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import InputError
from cogkit.data.published import Unavailable
from cogkit.extras.datasets import folders
from cogkit.extras.datasets.bongard import datasets, layout


@pytest.fixture
def dataset(stored, tmp_path):
    return shutil.copytree(stored / "verified", tmp_path / "dataset")


def test_the_files_are_those_of_the_published_layout_and_what_it_lacks(stored):
    root = stored / "verified" / ROOT
    names = [spec.name for spec in sets.specs("verified", n=N, source="published")]
    expected = {f"{name[:2]}/images/{name}/{side}/{k}.png" for name in names for side in "10" for k in range(7)}
    for end in ("action_programs.json", "placements.jsonl"):
        expected |= {f"{kind}/{kind}_{end}" for kind in layout.FULL.kinds}
    expected |= {"ShapeBongard_V2_split.json", "README.md", "croissant.json", "manifest.json"}
    assert contents(root).keys() == expected and [path.name for path in root.parent.iterdir()] == [ROOT]
    manifest = json.loads((root / "manifest.json").read_text())
    config = {"n": N, "seed": 0, "profile": "verified", "only": None, "size": SIZE["verified"], "shapes": "published"}
    assert (manifest["cell"], manifest["config"], manifest["seed"]) == ("bongard/make", config, 0)
    assert {"cogkit", "numpy", "pillow", "shapely"} <= manifest["versions"].keys()
    assert sum(manifest["kinds"].values()) == sum(manifest["splits"].values()) == len(manifest["problems"]) == N
    for name, digest in manifest["sha256"].items():
        assert hashlib.sha256((root / name).read_bytes()).hexdigest() == digest
    for name, digest in manifest["problems"].items():
        folder = root / name[:2] / "images" / name
        files = [(folder / side / f"{k}.png").read_bytes() for side in "10" for k in range(7)]
        assert hashlib.sha256(b"".join(files)).hexdigest() == digest


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_programs_and_pictures_are_those_of_the_problems(stored, profile):
    root = stored / profile / ROOT
    for problem in problems_of(profile):
        programs = json.loads((root / problem.kind / f"{problem.kind}_action_programs.json").read_text())
        assert programs[problem.name] == [
            [[[write(action) for action in shape.program] for shape in picture] for picture in side]
            for side in problem.sides
        ]
        for side, pictures in zip("10", problem.sides, strict=True):
            for k, picture in enumerate(pictures):
                image = Image.open(root / problem.kind / "images" / problem.name / side / f"{k}.png")
                assert image.format == "PNG" and (np.asarray(image) == raster.image(picture, SIZE[profile])).all()


def test_the_command_makes_the_set_of_the_ablation(tmp_path, capsys):
    command = ["make", "bongard", "--only", "ff", "--problems", "12", "--profile", "as_published", "--size", "32"]
    assert cli.main([*command, "--jobs", "1", "--seed", "3", "--out", str(tmp_path)]) == 0
    root = tmp_path / "ShapeBongard_V2_FF"
    lines = capsys.readouterr().out.splitlines()
    data = ("ff_action_programs.json", "ff_placements.jsonl", "ShapeBongard_FF_split.json")
    assert lines == [str(root / name) for name in (*data, "croissant.json", "README.md", "manifest.json")]
    config = json.loads((root / "manifest.json").read_text())["config"]
    assert config == {"n": 12, "seed": 3, "profile": "as_published", "only": "ff", "size": 32, "shapes": None}
    split = json.loads((root / "ShapeBongard_FF_split.json").read_text())
    names = sorted(name for part in split.values() for name in part)
    assert names == sorted(path.name for path in (root / "images").iterdir()) and len(names) == 12
    assert list(split) == ["train", "val", "test"] and sorted(split["test"]) == ["ff_nact4_5_0000", "ff_nact9_0000"]
    assert len(list(root.glob("images/*/1/*.png"))) == len(list(root.glob("images/*/0/*.png"))) == 12 * 7
    assert datasets.audit(tmp_path) == []


def interrupted(out, monkeypatch, after: int):
    """Begin a set, end it before problem ``after``, and return the folder of what is noted of it."""
    budget, png = iter(range(after * 14)), raster.png

    def some(*arguments):
        if next(budget, None) is None:
            raise KeyboardInterrupt
        return png(*arguments)

    monkeypatch.setattr(raster, "png", some)
    with pytest.raises(KeyboardInterrupt):
        again(out)
    monkeypatch.setattr(raster, "png", png)
    return out / ROOT / folders.UNFINISHED


def torn(notes):
    """Tear the last line of the journal."""
    path = notes / "sums.jsonl"
    path.write_bytes(path.read_bytes()[:-5])


def another_version(notes):
    path = notes / "asked.json"
    path.write_text(path.read_text().replace('"pillow": "', '"pillow": "0.'))


def at_hand(notes):
    """Leave what a killed run was writing."""
    (notes / "ff_nact4_0000-123" / "1").mkdir(parents=True)
    (notes / "ff_nact4_0000-123" / "1" / "0.png").write_bytes(b"half a pic")


def nonsense(notes):
    path = notes / "sums.jsonl"
    path.write_bytes(b'\xff\n[1]\n3\n{"a": 1}\n' + path.read_bytes())


@pytest.mark.parametrize(("spoil", "n_unchanged"), [(torn, 3), (another_version, 0), (at_hand, 4), (nonsense, 4)])
def test_an_interrupted_set_is_gone_on_with(stored, tmp_path, monkeypatch, spoil, n_unchanged):
    """What is noted of it may be spoilt: no more is drawn again than has to be, and the set is the same."""
    notes = interrupted(tmp_path, monkeypatch, 4)
    assert len((notes / "sums.jsonl").read_text().splitlines()) == len(list(tmp_path.glob("*/*/images/*"))) == 4
    spoil(notes)
    at = {folder: times(folder) for folder in tmp_path.glob("*/*/images/*")}
    again(tmp_path)
    assert contents(tmp_path) == contents(stored / "verified")
    assert sum(times(folder) == when for folder, when in at.items()) == n_unchanged


def test_a_set_that_is_begun_and_a_copy_are_not_overwritten(copied, tmp_path, monkeypatch):
    interrupted(tmp_path / "begun", monkeypatch, 1)
    for folder in (tmp_path / "begun", copied.parent):
        before = contents(folder)
        for changed in ({"n": 13}, {"seed": 1}, {"profile": "as_published"}, {"size": 65}):
            with case((folder, changed)), pytest.raises(InputError, match="another folder|an empty"):
                again(folder, **changed)
        assert contents(folder) == before


def test_without_the_published_shapes_a_set_is_made_of_our_own(dataset, tmp_path, monkeypatch):
    def unavailable():
        raise Unavailable("nothing", "the published shapes")

    monkeypatch.setattr(inventory, "published", unavailable)
    (*_, path) = again(tmp_path / "own", n=6)
    assert json.loads(path.read_text())["config"]["shapes"] == "catalogue"
    assert datasets.audit(tmp_path / "own") == []
    before, lines = contents(dataset), [line for file in path.parent.glob("*/*.jsonl") for line in file.open()]
    shapes = {p.name for line in lines for side in layout.from_record(line).sides for picture in side for p in picture}
    assert shapes <= {"", *inventory.catalogue().by_name}
    with pytest.raises(InputError, match="an empty folder, or a dataset of .*'shapes': 'catalogue'"):
        again(dataset)
    assert contents(dataset) == before
