"""`cogkit audit` of sets that were made here: sound ones, and spoiled in every way."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from carded import exchange, record
from cases import case
from PIL import Image
from stored import ROOT, SIZE, edit, edit_line, faults, folders, png, sign

from cogkit.app import cli
from cogkit.bongard.logo import raster
from cogkit.bongard.problems.records import pictures
from cogkit.bongard.shapes import inventory
from cogkit.data.published import Unavailable
from cogkit.extras.datasets.bongard import layout


@pytest.fixture
def root(stored, tmp_path):
    return shutil.copytree(stored / "verified" / ROOT, tmp_path / ROOT)


@pytest.mark.parametrize("profile", SIZE)
def test_a_set_as_it_was_made_is_sound(stored, profile):
    assert faults(stored / profile / ROOT) == []


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


def test_one_pixel_that_no_program_draws_is_found(root):
    folder = folders(root, "hd")[2]
    pixels = np.asarray(Image.open(folder / "0" / "2.png")).copy()
    pixels[0, 0] = 254
    png(folder / "0" / "2.png", pixels)
    sums = (folder.name, "sha256", "the pictures are not those that the manifest names")
    fault = (folder.name, "negative 3", "is not what its programs draw: 1 pixels differ")
    assert sorted(faults(root)) == sorted([fault, sums])
    sign(root)
    assert faults(root) == [fault]


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


def test_wrong_labels_are_found_though_all_else_agrees(root):
    """The sides of three problems are exchanged in everything that there is of them."""
    wanted = {folders(root, "ff")[2].name: "positive 2"}
    wanted |= {folders(root, kind)[2].name: "positive 1" for kind in ("bd", "hd")}
    for name in wanted:
        kind = name[:2]
        exchange(root / kind / "images" / name / "1", root / kind / "images" / name / "0")
        edit(root / kind / f"{kind}_action_programs.json", lambda programs, name=name: programs[name].reverse())
        edit_line(root, name, lambda line: line.update(positives=line["negatives"], negatives=line["positives"]))
    sign(root)
    findings = faults(root)
    assert {fault[:2] for fault in findings} == {(name, "label") for name in wanted}
    for name, words in wanted.items():
        assert words in " ".join(fault[2] for fault in findings if fault[0] == name)


def test_a_negative_that_repeats_is_a_fault_of_verified_sets_alone(stored, tmp_path):
    """Negative 6 becomes negative 2 in all but where its shapes lie."""

    def repeat(line):
        for shape, other in zip(line["negatives"][5], line["negatives"][1], strict=True):
            shape.update(program=other["program"])

    for profile, wanted in (("verified", 1), ("as_published", 0)):
        root = shutil.copytree(stored / profile / ROOT, tmp_path / profile / ROOT)
        name = folders(root, "ff")[2].name
        edit_line(root, name, repeat)
        path = root / "ff" / "ff_action_programs.json"
        edit(path, lambda entries, name=name: entries[name][1].__setitem__(5, entries[name][1][1]))
        picture = layout.from_record(record(root, name)).negatives[5]
        png(root / "ff" / "images" / name / "0" / "5.png", raster.image(picture, SIZE[profile]))
        sign(root)
        assert [fault[:2] for fault in faults(root) if "same figure" in fault[2]] == [(name, "label")] * wanted


def test_action_strings_and_placements_that_are_none_are_found_with_their_position(root):
    names = [folder.name for folder in folders(root, "bd")]

    def spoil(programs):
        programs[names[0]][1][2][0][1] = "line_normal_1.2-0.500"
        programs[names[1]][0].pop()
        del programs[names[2]]
        programs[names[3]][0][0][0][0] = "arc_normal_0.111_0.222-0.333"

    edit(root / "bd" / "bd_action_programs.json", spoil)
    first, second = (folder.name for folder in folders(root, "hd")[:2])
    edit_line(root, first, lambda line: line["positives"][0][0].pop("at"))
    path = root / "hd" / "hd_placements.jsonl"
    path.write_text("".join(line + "\n" for line in path.read_text().splitlines() if second not in line))
    findings = {name: (field, problem) for name, field, problem in faults(root)}
    spoilt = (names[0], "negative 3", "shape 1", "action 2", "character 13", "a length over 0 to 1")
    wanted = {
        "bd_action_programs.json": ("sha256", "is not the file that the manifest names"),
        "hd_placements.jsonl": ("sha256", "is not the file that the manifest names"),
        names[0]: ("action programs", *spoilt),
        names[1]: ("action programs", f"got {names[1]} (Expected `array` of length >= 7 - at `$[0]`)"),
        names[2]: ("action programs", "there are none of it"),
        names[3]: ("placements", "they are of other programs than the action strings"),
        first: ("placements", "`at` - at `$.positives[0][0]`"),
        second: ("placements", "there are none of it"),
    }
    assert findings.keys() == wanted.keys()
    for name, (field, *words) in wanted.items():
        assert findings[name][0] == field and all(word in findings[name][1] for word in words), name


@pytest.mark.parametrize("file", ["ff/ff_action_programs.json", "ShapeBongard_V2_split.json", "ff/ff_placements.jsonl"])
def test_a_file_that_is_missing_or_none_is_a_finding_or_two_and_no_more(root, file):
    path = root / file
    for content in (b"\xff", b"{" * 5000, None):
        path.unlink() if content is None else path.write_bytes(content)
        with case(content):
            findings = [fault for fault in faults(root) if fault[0] in (path.name, ROOT)]
            assert [fault for fault in findings if fault[:2] == (path.name, "file" if content is None else "sha256")]
            assert len(findings) <= 2


def test_problems_of_no_part_of_two_or_of_another_are_found(root):
    path = root / "ShapeBongard_V2_split.json"
    lost, twice, moved = json.loads(path.read_text())["train"][:3]

    def spoil(split):
        split["train"].remove(lost)
        split["train"].remove(moved)
        split["val"] += [twice, moved]
        split["test_ff"].append("ff_nact9_0777")

    edit(path, spoil)
    findings = {fault for fault in faults(root) if fault[1] != "sha256"}
    strange = {fault for fault in findings if fault[0] == "ff_nact9_0777"}
    assert ("ff_nact9_0777", "name", "is none of the problems that the manifest asks for") in strange
    assert findings - strange == {
        (path.name, lost, "is in no part, not in one part"),
        (path.name, twice, "is in train and val, not in one part"),
        (path.name, moved, "is in val, not in train"),
    }


def test_strange_folders_and_pictures_that_come_twice_are_found(root):
    shutil.copytree(folders(root, "hd")[0], root / "hd" / "images" / "hd_convex_9999")
    (root / "hd" / "images" / "notes").mkdir()
    first, second = folders(root, "ff")[:2]
    shutil.copy(first / "1" / "0.png", second / "0" / "4.png")
    shutil.copy(first / "1" / "1.png", second / "0" / "5.png")
    findings = faults(root)
    assert ("hd_convex_9999", "name", "is none of the problems that the manifest asks for") in findings
    assert [fault for fault in findings if fault[1] == "name" and "got 'notes'" in fault[2]]
    assert [fault for fault in findings if fault[:2] == ("hd_convex_9999", "duplicate")]
    ((name, _, problem),) = [fault for fault in findings if fault[1] == "duplicate" and fault[0][:2] == "ff"]
    assert {name, *re.findall(r"of (ff_\w+)", problem)} == {first.name, second.name}
    copy, original = ("negative 5", "positive 1") if name == second.name else ("positive 1", "negative 5")
    assert problem.startswith(f"{copy} is the picture {original} of ")
    assert problem.endswith(", and 1 more are like others")


def test_a_concept_that_comes_twice_is_found(root):
    """The second problem becomes the first in all but its name and where its shapes lie."""
    first, second = (folder.name for folder in folders(root, "ff")[:2])
    copy = json.loads(record(root, first)) | {"name": second}
    for shape in (shape for side in ("positives", "negatives") for picture in copy[side] for shape in picture):
        shape["at"][2] += 1.0
    edit_line(root, second, lambda line: line.update(copy))
    edit(root / "ff" / "ff_action_programs.json", lambda programs: programs.update({second: programs[first]}))
    problem = layout.from_record(record(root, second))
    for file, picture in zip(layout.FILES, pictures([problem]), strict=True):
        png(root / "ff" / "images" / second / file, raster.image(picture, SIZE["verified"]))
    sign(root)
    (duplicate,) = [fault for fault in faults(root) if fault[1] == "duplicate"]
    assert duplicate in [(a, "duplicate", f"has the concept of {b}") for a, b in ((first, second), (second, first))]


@pytest.mark.parametrize(("change", "field"), [
    (lambda manifest: manifest["config"].update(seed=1), "name"),
    (lambda manifest: manifest["config"].update(n=-1), "config"),
    (lambda manifest: manifest["config"].__delitem__("shapes"), "config"),
    (lambda manifest: manifest["problems"].clear(), "sha256"),
    (lambda manifest: manifest["sha256"].update({"../x": "0"}), "sha256"),
    (lambda manifest: [manifest], "sha256"),
])  # fmt: skip
def test_a_manifest_of_something_else_is_found(root, change, field):
    edit(root / "manifest.json", change)
    assert field in {fault[1] for fault in faults(root)}


def test_without_its_shapes_a_set_cannot_be_audited_and_the_command_says_why(root, monkeypatch, capsys):
    def unavailable():
        raise Unavailable("no mirror", "the published shapes", "connect once")

    monkeypatch.setattr(inventory, "published", unavailable)
    edit(root / "manifest.json", lambda manifest: manifest["config"].update(seed=77))  # of which no plan is kept
    assert cli.main(["audit", str(root)]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "connect once" in output.err
