"""`cogkit audit` of copies of the published set: without manifest, and without placements."""

from __future__ import annotations

import json
import re

import pytest
from stored import edit, faults, folders

from cogkit.bongard.files import auditing, layout
from cogkit.bongard.problems import sets

PUBLISHED = ("counts", *auditing.SPLIT)  # fields of what a small copy lacks to be the published set


def of_a_copy(folder) -> list[tuple[str, str, str]]:
    """Return the findings of a copy but for those that it is not the whole published set, and its quirks."""
    return [fault for fault in faults(folder) if fault[1] not in (*PUBLISHED, "published quirk")]


def test_a_sound_copy_lacks_only_numbers_and_has_the_published_quirks(copied):
    findings = faults(copied)
    assert [fault for fault in findings if fault[1] not in (*PUBLISHED, "published quirk")] == []
    split = json.loads((copied / layout.FULL.split).read_text())
    assert [fault[1:] for fault in findings if fault[1] in PUBLISHED] == [
        ("counts", "4 free-form problems instead of the published 3,600"),
        ("counts", "4 basic problems instead of the published 4,000"),
        ("counts", "4 abstract problems instead of the published 4,400"),
        ("counts", "pictures of 128 pixels instead of the published 512 (12 problems)"),
        ("train", f"{len(split['train'])} problems instead of the published 9,300"),
        ("val", f"{len(split['val'])} problems instead of the published 900"),
        ("test_ff", f"{len(split['test_ff'])} problems instead of the published 600"),
        ("test_bd", f"{len(split['test_bd'])} problems instead of the published 480"),
        ("test_hd_comb", f"{len(split['test_hd_comb'])} problems instead of the published 400"),
        ("test_hd_novel", f"{len(split['test_hd_novel'])} problems instead of the published 320"),
    ]


def test_negatives_that_repeat_in_a_copy_are_a_quirk(copied):
    names = [folder.name for folder in folders(copied, "ff")]

    def repeat(programs):
        for name in names:
            programs[name][1][6] = programs[name][1][0]

    edit(copied / "ff" / "ff_action_programs.json", repeat)
    repeating = 0
    for kind in ("ff", "bd", "hd"):
        (path,) = (copied / kind).glob("*_action_program*.json")
        programs = json.loads(path.read_text())
        repeating += sum(len({json.dumps(picture) for picture in negatives}) < 7 for _, negatives in programs.values())
    (quirk,) = [fault[2] for fault in faults(copied) if fault[1] == "published quirk"]
    assert repeating >= 3 and re.fullmatch(rf"{repeating} problems repeat a negative, ff_\w+ is the first", quirk)


def test_a_concept_that_comes_twice_in_a_copy_is_a_quirk(copied):
    first, second = (folder.name for folder in folders(copied, "ff")[:2])
    edit(copied / "ff" / "ff_action_programs.json", lambda programs: programs.update({second: programs[first]}))
    quirks = [fault[2] for fault in faults(copied) if fault[1] == "published quirk"]
    assert any(quirk.startswith("1 problems have the concept of another, ff_") for quirk in quirks)


@pytest.mark.parametrize("kind", ["ff", "bd", "hd"])
def test_pictures_of_another_problem_are_found_in_a_copy(copied, kind):
    first, second = folders(copied, kind)[:2]
    first.rename(copied / "x")
    second.rename(first)
    (copied / "x").rename(second)
    findings = of_a_copy(copied)
    assert {fault[0] for fault in findings} == {first.name, second.name}
    assert all("is unlike anything that its programs draw" in fault[2] for fault in findings)


def test_swapped_sides_are_found_in_a_copy(copied):
    """Of the strings, where labels say it, and of the pictures, where the shapes are not alike."""
    name, other = folders(copied, "bd")[0].name, folders(copied, "bd")[1].name
    edit(copied / "bd" / "bd_action_program.json", lambda entries: entries[name].reverse())
    folder = copied / "bd" / "images" / other
    (folder / "1").rename(folder / "x")
    (folder / "0").rename(folder / "1")
    (folder / "x").rename(folder / "0")
    entries = of_a_copy(copied)
    assert (name, "label", "positive 1 is not the concept") in entries
    assert [fault for fault in entries if fault[0] == other and "unlike" in fault[2]]


def test_a_split_by_other_rules_is_found_in_a_copy():
    problems = [spec.name for spec in sets.specs("as_published", source="published")]
    split = sets.split(problems)
    assert list(auditing._misplaced(split)) == []
    moves = ("ff_nact9", "train", "the most"), ("hd_has_eight", "val", "the novel"), ("ff_nact5", "test_ff", "fewer")
    for kind, part, why in moves:
        name = next(name for name in problems if name.startswith(kind))
        wrong = {other: [problem for problem in names if problem != name] for other, names in split.items()}
        wrong[part] = [*wrong[part], name]
        ((found_part, found_name, found_why),) = auditing._misplaced(wrong)
        assert (found_part, found_name) == (part, name) and why in found_why
    pair = split["test_hd_comb"][0]
    wrong = split | {"train": [*split["train"], pair], "test_hd_comb": split["test_hd_comb"][1:]}
    assert {name for _, name, _ in auditing._misplaced(wrong)} == {
        name for name in wrong["test_hd_comb"] if name.rpartition("_")[0] == pair.rpartition("_")[0]
    }


def test_a_shape_that_nobody_knows_is_found(copied):
    name = next(folder.name for folder in folders(copied, "hd"))

    def spoil(programs):
        programs[name][0][1] = [["line_normal_0.123-0.500", "line_normal_0.321-0.700"]]

    edit(copied / "hd" / "hd_action_programs.json", spoil)
    findings = [fault[1:] for fault in of_a_copy(copied) if fault[0] == name]
    assert ("positive 2", "draws a shape that is none of the 627 published ones") in findings
    assert ("positive 2", "is unlike anything that its programs draw") in findings
