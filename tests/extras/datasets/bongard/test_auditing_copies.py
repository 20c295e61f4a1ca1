"""`cogkit audit` of copies of the published set: without manifest, and without placements."""

from __future__ import annotations

import json
import re

from carded import exchange
from stored import edit, faults, folders

from cogkit.extras.datasets.bongard import layout

WHOLE = {"train": 9300, "val": 900, "test_ff": 600, "test_bd": 480, "test_hd_comb": 400, "test_hd_novel": 320}
PUBLISHED = ("counts", *WHOLE)  # fields of what a small copy lacks to be the published set


def of_a_copy(folder) -> list[tuple[str, str, str]]:
    """Return the findings of a copy but for those that it is not the whole published set, and its quirks."""
    return [fault for fault in faults(folder) if fault[1] not in (*PUBLISHED, "published quirk")]


def test_a_sound_copy_lacks_only_numbers_and_has_the_published_quirks(copied):
    findings = faults(copied)
    assert [fault for fault in findings if fault[1] not in (*PUBLISHED, "published quirk")] == []
    split = json.loads((copied / layout.FULL.split).read_text())
    numbers = ("free-form", "3,600"), ("basic", "4,000"), ("abstract", "4,400")
    assert [fault[1:] for fault in findings if fault[1] in PUBLISHED] == [
        *(("counts", f"4 {kind} problems instead of the published {n}") for kind, n in numbers),
        ("counts", "pictures of 128 pixels instead of the published 512 (12 problems)"),
        *((part, f"{len(split[part])} problems instead of the published {n:,}") for part, n in WHOLE.items()),
    ]


def test_negatives_and_concepts_that_repeat_in_a_copy_are_quirks(copied):
    first, second, *others = (folder.name for folder in folders(copied, "ff"))

    def repeat(programs):
        for name in (first, *others):
            programs[name][1][6] = programs[name][1][0]
        programs[second] = programs[first]

    edit(copied / "ff" / "ff_action_programs.json", repeat)
    repeating = 0
    for path in copied.glob("*/*_action_program*.json"):
        programs = json.loads(path.read_text())
        repeating += sum(len({json.dumps(picture) for picture in negatives}) < 7 for _, negatives in programs.values())
    concept, negative = sorted(fault[2] for fault in faults(copied) if fault[1] == "published quirk")
    assert concept.startswith("1 problems have the concept of another, ff_")
    assert repeating >= 3 and re.fullmatch(rf"{repeating} problems repeat a negative, ff_\w+ is the first", negative)


def test_pictures_of_another_problem_are_found_in_a_copy(copied):
    pairs = [folders(copied, kind)[:2] for kind in ("ff", "bd", "hd")]
    for first, second in pairs:
        exchange(first, second)
    findings = of_a_copy(copied)
    assert {fault[0] for fault in findings} == {folder.name for pair in pairs for folder in pair}
    assert all("is unlike anything that its programs draw" in fault[2] for fault in findings)


def test_swapped_sides_are_found_in_a_copy(copied):
    """Of the strings, where labels say it, and of the pictures, where the shapes are not alike."""
    name, other = folders(copied, "bd")[0].name, folders(copied, "bd")[1].name
    edit(copied / "bd" / "bd_action_program.json", lambda entries: entries[name].reverse())
    folder = copied / "bd" / "images" / other
    exchange(folder / "1", folder / "0")
    entries = of_a_copy(copied)
    assert (name, "label", "positive 1 is not the concept") in entries
    assert [fault for fault in entries if fault[0] == other and "unlike" in fault[2]]


def test_a_split_by_other_rules_is_found_in_a_copy(copied):
    path = copied / layout.FULL.split
    split = json.loads(path.read_text())
    pair, taught, single = "hd_convex-symmetric_0000", "hd_convex-symmetric_0019", "bd_bird8_0000"
    moves = {
        "train": ("ff_nact9_0299", taught), "val": ("hd_has_eight_straight_lines_0019",),
        "test_ff": ("ff_nact5_0299",), "test_bd": (single,), "test_hd_novel": ("hd_convex_0019",),
        "test_hd_comb": (pair,),
    }  # fmt: skip
    path.write_text(json.dumps({part: [*names, *moves.get(part, ())] for part, names in split.items()}))
    assert {fault[1:] for fault in of_a_copy(copied) if ", though" in fault[2]} == {
        ("ff_nact9_0299", "is in train, though it has the most strokes"),
        ("ff_nact5_0299", "is in test_ff, though it has fewer strokes"),
        ("hd_has_eight_straight_lines_0019", "is in val, though its concept has the novel attribute"),
        ("hd_convex_0019", "is in test_hd_novel, though its concept has not the novel attribute"),
        (pair, "is in test_hd_comb, though its concept is no pair of attributes that is new"),
        (single, "is in test_bd, though its concept is no pair of shapes"),
    }


def test_a_shape_that_nobody_knows_is_found(copied):
    name = next(folder.name for folder in folders(copied, "hd"))

    def spoil(programs):
        programs[name][0][1] = [["line_normal_0.123-0.500", "line_normal_0.321-0.700"]]

    edit(copied / "hd" / "hd_action_programs.json", spoil)
    findings = [fault[1:] for fault in of_a_copy(copied) if fault[0] == name]
    assert ("positive 2", "draws a shape that is none of the 627 published ones") in findings
    assert ("positive 2", "is unlike anything that its programs draw") in findings
