"""`cogkit audit` of sets that were made here: sound ones, and spoiled in every way."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from PIL import Image
from stored import ROOT, SIZE, edit, edit_line, faults, folders, png, sign

from cogkit.app import cli
from cogkit.bongard.files import datasets, layout
from cogkit.bongard.logo import raster
from cogkit.bongard.problems.records import pictures
from cogkit.bongard.shapes import inventory
from cogkit.data import auditing
from cogkit.data.folders import UNFINISHED
from cogkit.data.published import Unavailable


@pytest.fixture
def root(stored, tmp_path):
    return shutil.copytree(stored / "verified" / ROOT, tmp_path / ROOT)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_set_as_it_was_made_is_sound(stored, profile, capsys):
    assert datasets.audit(stored / profile) == []
    assert cli.main(["audit", str(stored / profile / ROOT)]) == 0 and capsys.readouterr().out.endswith(
        "every check passed\n"
    )


def test_several_processes_find_the_same(root, monkeypatch):
    for folder in (*folders(root, "ff"), *folders(root, "hd")):
        (folder / "1" / "2.png").unlink()
    alone = faults(root)
    assert len(alone) == len(folders(root, "ff")) + len(folders(root, "hd")) == 8
    monkeypatch.setattr(auditing, "A_TASK", 1)
    assert [
        (fault.path.rsplit("/", 1)[-1], fault.field, fault.problem) for fault in datasets.audit(root, jobs=2)
    ] == alone


def test_every_fault_is_listed_and_the_command_ends_with_1(root, capsys):
    folder, other, third = (folders(root, kind)[0] for kind in ("ff", "bd", "hd"))
    for side, k in (("1", 3), ("1", 4), ("0", 0)):
        path = folder / side / f"{k}.png"
        path.write_bytes(path.read_bytes()[:100])
    (folder / "0" / "6.png").unlink()
    (other / "1" / "0.png").unlink()
    shutil.rmtree(third)
    assert cli.main(["audit", str(root.parent)]) == 1
    lines = capsys.readouterr().out.splitlines()
    broken = f"{folder}: positive 4: is broken: wanted a whole PNG file, got 100 bytes that are none ("
    assert [line for line in lines if line.startswith(broken) and line.endswith("); so are positive 5, negative 1")]
    assert f"{folder}: negative 7: is missing" in lines and f"{other}: positive 1: is missing" in lines
    (report,) = [line for line in lines if line.startswith(f"{third}: ")]
    assert report.startswith(f"{third}: positive 1: is missing; so are positive 2") and report.endswith("negative 7")
    assert len(lines) == 4


def test_a_picture_of_another_size_or_without_ink_is_found(root):
    folder = folders(root, "bd")[1]
    png(folder / "1" / "1.png", np.zeros((32, 32), np.uint8))
    png(folder / "0" / "1.png", np.full((64, 64), 255, np.uint8))
    (fault,) = [fault for fault in faults(root) if fault[0] == folder.name]
    assert fault[1] == "positive 2" and "a picture of 64×64, got 32×32 pixels" in fault[2]
    assert fault[2].endswith("so is negative 2")


@pytest.mark.parametrize("signed", [False, True])
def test_one_pixel_that_no_program_draws_is_found(root, signed):
    folder = folders(root, "hd")[2]
    pixels = np.asarray(Image.open(folder / "0" / "2.png")).copy()
    pixels[0, 0] = 254
    png(folder / "0" / "2.png", pixels)
    if signed:
        sign(root)
    sums = [] if signed else [(folder.name, "sha256", "the pictures are not those that the manifest names")]
    fault = (folder.name, "negative 3", "is not what its programs draw: 1 pixels differ")
    assert sorted(faults(root)) == sorted([fault, *sums])


def test_another_version_may_draw_edges_otherwise_but_nothing_else(root):
    rng = np.random.default_rng(0)
    for folder in folders(root, "ff"):
        pixels = np.asarray(Image.open(folder / "0" / "2.png")).astype(int)
        png(folder / "0" / "2.png", np.clip(pixels + rng.integers(-60, 61, pixels.shape), 0, 255).astype(np.uint8))
    edit(root / "manifest.json", lambda manifest: manifest["versions"].update(pillow="9.9"))
    sign(root)
    assert faults(root) == []
    first, second = folders(root, "ff")[:2]
    shutil.copy(second / "1" / "0.png", first / "1" / "0.png")
    sign(root)
    findings = [(name, field, re.sub(r"\d+", "#", problem)) for name, field, problem in faults(root)]
    assert (first.name, "positive 1", "is not what its programs draw: # pixels differ") in findings


def test_pictures_under_the_wrong_side_are_found(root):
    folder = folders(root, "bd")[2]
    (folder / "1").rename(folder / "x")
    (folder / "0").rename(folder / "1")
    (folder / "x").rename(folder / "0")
    sign(root)
    (fault,) = faults(root)
    assert fault[:2] == (folder.name, "positive 1") and fault[2].endswith("negative 6, negative 7")


def swap(name: str, root) -> None:
    """Exchange the sides of a problem in everything that there is of it."""
    folder = root / name[:2] / "images" / name
    (folder / "1").rename(folder / "x")
    (folder / "0").rename(folder / "1")
    (folder / "x").rename(folder / "0")
    edit(root / name[:2] / f"{name[:2]}_action_programs.json", lambda programs: programs[name].reverse())
    edit_line(root, name, lambda line: line.update(positives=line["negatives"], negatives=line["positives"]))


@pytest.mark.parametrize("kind", ["ff", "bd", "hd"])
def test_wrong_labels_are_found_though_all_else_agrees(root, kind):
    name = folders(root, kind)[2].name
    swap(name, root)
    sign(root)
    findings = faults(root)
    assert findings and {fault[:2] for fault in findings} == {(name, "label")}
    assert {"ff": "positive 2", "bd": "positive 1", "hd": "positive 1"}[kind] in " ".join(
        fault[2] for fault in findings
    )


@pytest.mark.parametrize(("profile", "wanted"), [("verified", 1), ("as_published", 0)])
def test_a_negative_that_repeats_is_a_fault_of_verified_sets_alone(stored, tmp_path, profile, wanted):
    """Negative 6 becomes negative 2 in all but where its shapes lie."""
    root = shutil.copytree(stored / profile / ROOT, tmp_path / ROOT)
    name = folders(root, "ff")[2].name

    def repeat(line):
        for shape, other in zip(line["negatives"][5], line["negatives"][1], strict=True):
            shape.update(program=other["program"])

    edit_line(root, name, repeat)
    edit(root / "ff" / "ff_action_programs.json", lambda entries: entries[name][1].__setitem__(5, entries[name][1][1]))
    picture = datasets.read(root).problem(name).negatives[5]
    png(root / "ff" / "images" / name / "0" / "5.png", raster.image(picture, SIZE[profile]))
    sign(root)
    entries = [fault for fault in faults(root) if "same figure" in fault[2]]
    assert [fault[:2] for fault in entries] == [(name, "label")] * wanted


def test_action_strings_that_are_none_are_found_with_their_position(root):
    names = [folder.name for folder in folders(root, "bd")]

    def spoil(programs):
        programs[names[0]][1][2][0][1] = "line_normal_1.2-0.500"
        programs[names[1]][0].pop()
        del programs[names[2]]
        programs[names[3]][0][0][0][0] = "arc_normal_0.111_0.222-0.333"

    edit(root / "bd" / "bd_action_programs.json", spoil)
    findings = {name: (field, problem) for name, field, problem in faults(root)}
    assert findings.pop("bd_action_programs.json") == ("sha256", "is not the file that the manifest names")
    field, problem = findings.pop(names[0])
    assert field == "action programs"
    for words in (names[0], "negative 3", "shape 1", "action 2", "character 13", "a length over 0 to 1"):
        assert words in problem
    assert findings.pop(names[1]) == (
        "action programs",
        f"wanted a list of 7 pictures, got 6 pictures ({names[1]}, positives)",
    )
    assert findings.pop(names[2]) == ("action programs", "there are none of it")
    assert findings.pop(names[3]) == ("placements", "they are of other programs than the action strings")
    assert findings == {}


def test_placements_that_are_none_are_found(root):
    name, other = (folder.name for folder in folders(root, "hd")[:2])
    edit_line(root, name, lambda line: line["positives"][0][0].pop("at"))
    path = root / "hd" / "hd_placements.jsonl"
    path.write_text("".join(line + "\n" for line in path.read_text().splitlines() if other not in line))
    findings = {fault[0]: fault[1:] for fault in faults(root)}
    assert findings.pop(path.name)[0] == "sha256"
    assert findings.pop(other) == ("placements", "there are none of it")
    field, problem = findings.pop(name)
    assert field == "placements" and "positive 1, shape 1" in problem and findings == {}


@pytest.mark.parametrize("content", [None, b"", b"[]", b"\xff", b"{" * 5000])
@pytest.mark.parametrize("file", ["ff/ff_action_programs.json", "ShapeBongard_V2_split.json", "ff/ff_placements.jsonl"])
def test_a_file_that_is_missing_or_none_is_a_finding_or_two_and_no_more(root, file, content):
    path = root / file
    path.unlink() if content is None else path.write_bytes(content)
    findings = [fault for fault in faults(root) if fault[0] in (path.name, ROOT)]
    assert [fault for fault in findings if fault[:2] == (path.name, "file" if content is None else "sha256")]
    assert len(findings) <= 2


def test_problems_of_no_part_of_two_or_of_another_are_found(root):
    path = root / "ShapeBongard_V2_split.json"
    split = json.loads(path.read_text())
    lost, twice, moved = split["train"][:3]

    def spoil(split):
        split["train"].remove(lost)
        split["train"].remove(moved)
        split["val"] += [twice, moved]
        split["test_ff"].append("ff_nact9_0777")

    edit(path, spoil)
    findings = [fault for fault in faults(root) if fault[1] != "sha256"]
    assert set(findings) >= {
        (path.name, lost, "is in no part, not in one part"),
        (path.name, twice, "is in train and val, not in one part"),
        (path.name, moved, "is in val, not in train"),
    }
    strange = {fault[1:] for fault in findings if fault[0] == "ff_nact9_0777"}
    assert ("name", "is none of the problems that the manifest asks for") in strange and len(findings) == 3 + len(
        strange
    )


def test_strange_folders_are_found(root):
    shutil.copytree(folders(root, "hd")[0], root / "hd" / "images" / "hd_convex_9999")
    (root / "hd" / "images" / "notes").mkdir()
    findings = faults(root)
    assert ("hd_convex_9999", "name", "is none of the problems that the manifest asks for") in findings
    assert [fault for fault in findings if fault[1] == "name" and "got 'notes'" in fault[2]]
    assert [fault for fault in findings if fault[:2] == ("hd_convex_9999", "duplicate")]


def test_the_same_picture_twice_is_found(root):
    first, second = folders(root, "ff")[:2]
    shutil.copy(first / "1" / "0.png", second / "0" / "4.png")
    shutil.copy(first / "1" / "1.png", second / "0" / "5.png")
    ((name, _, problem),) = [fault for fault in faults(root) if fault[1] == "duplicate"]
    assert {name, *re.findall(r"of (ff_\w+)", problem)} == {first.name, second.name}
    copy, original = ("negative 5", "positive 1") if name == second.name else ("positive 1", "negative 5")
    assert problem.startswith(f"{copy} is the picture {original} of ") and problem.endswith(
        ", and 1 more are like others"
    )


def test_a_concept_that_comes_twice_is_found(root):
    """The second problem becomes the first in all but its name and where its shapes lie."""
    first, second = (folder.name for folder in folders(root, "ff")[:2])
    record = next(line for line in (root / "ff" / "ff_placements.jsonl").read_text().splitlines() if first in line)
    copy = json.loads(record) | {"name": second}
    for side in ("positives", "negatives"):
        for picture in copy[side]:
            for shape in picture:
                shape["at"][2] += 1.0
    edit_line(root, second, lambda line: line.update(copy))
    edit(root / "ff" / "ff_action_programs.json", lambda programs: programs.update({second: programs[first]}))
    problem = datasets.read(root).problem(second)
    for file, picture in zip(layout.FILES, pictures([problem]), strict=True):
        png(root / "ff" / "images" / second / file, raster.image(picture, SIZE["verified"]))
    sign(root)
    duplicates = [fault for fault in faults(root) if fault[1] == "duplicate"]
    assert len(duplicates) == 1 and duplicates[0][0] in (first, second)
    assert duplicates[0][2] == f"has the concept of {first if duplicates[0][0] == second else second}"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda manifest: manifest["config"].update(seed=1), "name"),
        (lambda manifest: manifest["config"].update(n=23), "name"),
        (lambda manifest: manifest["config"].update(n=-1), "config"),
        (lambda manifest: manifest["config"].update(profile="none"), "config"),
        (lambda manifest: manifest["config"].update(size=1.5), "config"),
        (lambda manifest: manifest["config"].__delitem__("shapes"), "config"),
        (lambda manifest: manifest["problems"].clear(), "sha256"),
        (lambda manifest: manifest["sha256"].update({"../x": "0"}), "sha256"),
        (lambda manifest: manifest.update(sha256=3), "sha256"),
        (lambda manifest: [manifest], "sha256"),
    ],
)
def test_a_manifest_of_something_else_is_found(root, change, field):
    edit(root / "manifest.json", change)
    assert field in {fault[1] for fault in faults(root)}


def test_an_unfinished_set_is_told_so(root):
    (root / UNFINISHED).mkdir()
    assert [fault[1] for fault in faults(root)] == ["manifest"]
    (root / "manifest.json").unlink()
    ((_, field, problem),) = faults(root)
    assert field == "manifest" and "is not finished" in problem


def test_without_its_shapes_a_set_cannot_be_audited_and_the_command_says_why(root, monkeypatch, capsys):
    def unavailable():
        raise Unavailable("no mirror", "the published shapes", "connect once")

    monkeypatch.setattr(inventory, "published", unavailable)
    layout._plan.cache_clear()
    assert cli.main(["audit", str(root)]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "connect once" in output.err
