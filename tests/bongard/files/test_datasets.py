"""`cogkit make bongard`: what it writes, what it keeps, and what it leaves alone."""

from __future__ import annotations

import hashlib
import json
import shutil

import numpy as np
import pytest
from PIL import Image
from stored import ROOT, SIZE, N, again, contents, problems_of, times

from cogkit.app import cli
from cogkit.bongard.files import datasets, layout
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.programs import write
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError
from cogkit.data import folders
from cogkit.data.published import Unavailable


@pytest.fixture
def dataset(stored, tmp_path):
    return shutil.copytree(stored / "verified", tmp_path / "dataset")


def test_the_files_are_those_of_the_published_layout_and_what_it_lacks(stored):
    root = stored / "verified" / ROOT
    specs = sets.specs("verified", n=N, source="published")
    expected = {
        f"{spec.kind}/images/{spec.name}/{side}/{k}.png" for spec in specs for side in "10" for k in range(7)
    } | {
        "ShapeBongard_V2_split.json",
        "README.md",
        "croissant.json",
        "manifest.json",
    }
    for kind in ("ff", "bd", "hd"):
        expected |= {f"{kind}/{kind}_action_programs.json", f"{kind}/{kind}_placements.jsonl"}
    assert contents(root).keys() == expected
    assert [path.name for path in (stored / "verified").iterdir()] == [ROOT]
    assert not (root / folders.UNFINISHED).exists()


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_programs_placements_and_pictures_are_those_of_the_problems(stored, profile):
    root = stored / profile / ROOT
    for problem in problems_of(profile):
        programs = json.loads((root / problem.kind / f"{problem.kind}_action_programs.json").read_text())
        lines = (root / problem.kind / f"{problem.kind}_placements.jsonl").read_text().splitlines()
        record = next(line for line in lines if json.loads(line)["name"] == problem.name)
        assert layout.from_record(record) == problem  # to the last digit
        for side, (pictures, strings) in enumerate(zip(problem.sides, programs[problem.name], strict=True)):
            assert strings == [
                [[write(action) for action in shape.program] for shape in picture] for picture in pictures
            ]
            for k, picture in enumerate(pictures):
                image = Image.open(root / problem.kind / "images" / problem.name / "10"[side] / f"{k}.png")
                assert image.format == "PNG" and (np.asarray(image) == raster.image(picture, SIZE[profile])).all()


def test_the_manifest_says_what_was_asked_for_and_every_sum(stored):
    root = stored / "verified" / ROOT
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


def test_a_smaller_set_is_a_part_of_the_whole_one_and_so_is_its_split(stored):
    split = json.loads((stored / "verified" / ROOT / "ShapeBongard_V2_split.json").read_text())
    whole = sets.split(spec.name for spec in sets.specs("verified", source="published"))
    assert {part: len(names) for part, names in whole.items()} == {
        "train": 9300, "val": 900, "test_ff": 600, "test_bd": 480, "test_hd_comb": 400, "test_hd_novel": 320,
    }  # fmt: skip
    assert split.keys() == whole.keys() and all(set(split[part]) <= set(whole[part]) for part in whole)


def test_the_seed_and_the_profile_decide_what_is_made(stored, tmp_path):
    again(tmp_path / "same")
    assert contents(tmp_path / "same") == contents(stored / "verified")
    again(tmp_path / "other", seed=1)
    programs = f"{ROOT}/ff/ff_action_programs.json"
    three = {
        (folder / programs).read_bytes()
        for folder in (tmp_path / "other", stored / "verified", stored / "as_published")
    }
    assert len(three) == 3


def test_several_processes_make_the_same_set(stored, tmp_path):
    again(tmp_path, jobs=2)
    assert contents(tmp_path) == contents(stored / "verified")


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
    assert list(split) == ["train", "val", "test"]
    names = sorted(name for part in split.values() for name in part)
    assert names == sorted(path.name for path in (root / "images").iterdir()) and len(names) == 12
    assert sorted(split["test"]) == ["ff_nact4_5_0000", "ff_nact9_0000"]
    assert len(list(root.glob("images/*/1/*.png"))) == len(list(root.glob("images/*/0/*.png"))) == 12 * 7
    assert cli.main(["audit", str(tmp_path)]) == 0 and capsys.readouterr().out.endswith("every check passed\n")
    assert datasets.read(root).images(names[:2]).shape == (2, 2, 7, 32, 32)


def test_a_rerun_writes_only_what_is_not_whole(dataset):
    root = dataset / ROOT
    before, at = contents(dataset), times(dataset)
    broken, missing, gone = (sorted(root.glob(f"{kind}/images/*"))[0] for kind in ("ff", "bd", "hd"))
    (broken / "1" / "3.png").write_bytes((broken / "1" / "3.png").read_bytes()[:-9])
    (missing / "0" / "6.png").unlink()
    shutil.rmtree(gone)
    (root / "hd" / "hd_action_programs.json").write_text("{}")
    again(dataset)
    assert contents(dataset) == before
    rewritten = {name for name, when in times(dataset).items() if when != at[name]}
    redrawn = [folder.relative_to(dataset) for folder in (broken, missing, gone)]
    beside = {f"{ROOT}/manifest.json", f"{ROOT}/hd/hd_action_programs.json"}
    assert rewritten == beside | {str(folder / file) for folder in redrawn for file in layout.FILES}


def interrupted(out, monkeypatch, after: int):
    """Begin a set, and end it before problem ``after``."""
    budget, png = iter(range(after * 14)), raster.png

    def some(*arguments):
        if next(budget, None) is None:
            raise KeyboardInterrupt
        return png(*arguments)

    monkeypatch.setattr(raster, "png", some)
    with pytest.raises(KeyboardInterrupt):
        again(out)
    monkeypatch.setattr(raster, "png", png)


def test_a_torn_journal_costs_no_more_than_its_last_line(stored, tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch, 6)
    journal = tmp_path / ROOT / folders.UNFINISHED / "sums.jsonl"
    assert len(journal.read_text().splitlines()) == len(list(tmp_path.glob("*/*/images/*"))) == 6
    journal.write_bytes(journal.read_bytes()[:-5])
    at = {folder: times(folder) for folder in tmp_path.glob("*/*/images/*")}
    again(tmp_path)
    assert contents(tmp_path) == contents(stored / "verified")
    assert sum(times(folder) == when for folder, when in at.items()) == 5


def test_pictures_of_another_version_are_drawn_again(stored, tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch, 3)
    path = tmp_path / ROOT / folders.UNFINISHED / "asked.json"
    path.write_text(path.read_text().replace('"pillow": "', '"pillow": "0.'))
    at = {folder: times(folder) for folder in tmp_path.glob("*/*/images/*")}
    again(tmp_path)
    assert len(at) == 3 and not any(times(folder) == when for folder, when in at.items())
    assert contents(tmp_path) == contents(stored / "verified")


def test_what_a_killed_run_had_at_hand_is_cleared_away(stored, tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch, 2)
    folder = tmp_path / ROOT / folders.UNFINISHED / "ff_nact4_0000-123"
    (folder / "1").mkdir(parents=True)
    (folder / "1" / "0.png").write_bytes(b"half a pic")
    again(tmp_path)
    assert contents(tmp_path) == contents(stored / "verified")


@pytest.mark.parametrize("changed", [{"n": 13}, {"seed": 1}, {"profile": "as_published"}, {"size": 65}])
@pytest.mark.parametrize("finished", [True, False])
def test_another_set_is_not_overwritten(dataset, tmp_path, monkeypatch, changed, finished):
    folder = dataset if finished else tmp_path / "begun"
    if not finished:
        interrupted(folder, monkeypatch, 1)
    before = contents(folder)
    with pytest.raises(InputError, match="choose another folder|finish"):
        again(folder, **changed)
    assert contents(folder) == before


def test_a_published_copy_is_not_overwritten(copied):
    before = contents(copied)
    with pytest.raises(InputError, match="an empty folder"):
        again(copied.parent)
    assert contents(copied) == before


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--problems", "12001"], "1 to 12,000"),
        (["--only", "hd"], "a kind that is a set of its own"),
        (["--size", "9"], "pixels a side"),
        (["--profile", "verifed"], "did you mean 'verified'"),
    ],
)
def test_a_bad_option_is_a_sentence_and_writes_nothing(arguments, wanted, tmp_path, capsys, mirror):
    assert cli.main(["make", "bongard", *arguments, "--out", str(tmp_path / "x")]) == 2
    assert wanted in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path, mirror):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can be written"):
        again(tmp_path / "file")


@pytest.fixture
def offline(monkeypatch):
    """No mirror, no cache and no network: only the catalogue of our own."""

    def unavailable():
        raise Unavailable("nothing", "the published shapes")

    monkeypatch.setattr(inventory, "published", unavailable)


def test_without_the_published_shapes_a_set_is_made_of_our_own(offline, tmp_path):
    (*_, path) = again(tmp_path, n=6)
    assert json.loads(path.read_text())["config"]["shapes"] == "catalogue"
    assert datasets.audit(tmp_path) == []
    names = {placed.name for problem in map(datasets.read(tmp_path).problem, datasets.read(tmp_path).names)
             for side in problem.sides for picture in side for placed in picture}  # fmt: skip
    assert names <= {"", *inventory.catalogue().by_name}


def test_a_set_of_other_shapes_is_not_gone_on_with(dataset, offline):
    before = contents(dataset)
    with pytest.raises(InputError, match="an empty folder, or a dataset of .*'shapes': 'catalogue'"):
        again(dataset)
    assert contents(dataset) == before


def test_what_was_noted_of_an_unfinished_set_may_be_broken(stored, tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch, 2)
    journal = tmp_path / ROOT / folders.UNFINISHED / "sums.jsonl"
    journal.write_bytes(b'\xff\n[1]\n3\n{"a": 1}\n' + journal.read_bytes())
    again(tmp_path)
    assert contents(tmp_path) == contents(stored / "verified")
