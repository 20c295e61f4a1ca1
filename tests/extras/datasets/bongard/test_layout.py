"""A problem as a line and as action strings: read as it was stored, and what is said of a broken one."""

from __future__ import annotations

import io
import json
import struct
import zlib

import numpy as np
import pytest
from carded import record
from cases import case
from PIL import Image
from stored import ROOT, problems_of

from cogkit.bongard.logo.programs import write_program
from cogkit.core.errors import InputError
from cogkit.extras.datasets.bongard import audit_item, datasets, layout


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_what_was_stored_is_read_as_it_was(stored, profile):
    for problem in problems_of(profile):
        assert layout.from_record(record(stored / profile / ROOT, problem.name)) == problem
        strings = layout.strings(problem)
        programs = layout.parse_problem(strings, problem.name)
        assert [[list(map(write_program, picture)) for picture in side] for side in programs] == strings


def png(array) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "PNG")
    return buffer.getvalue()


def bomb() -> bytes:
    """A picture whose header asks for 10¹⁰ pixels, every checksum right."""
    small = png(np.zeros((2, 2), np.uint8))
    header = b"IHDR" + struct.pack(">II", 100_000, 100_000) + small[24:29]
    return small[:12] + header + struct.pack(">I", zlib.crc32(header)) + small[33:]


PICTURES = (
    (lambda data: b"", "a whole PNG file"),
    (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "a whole PNG file"),
    (lambda data: bomb(), "is broken"),
)


def test_a_picture_that_is_none_is_a_fault_and_one_in_colour_is_read(copied):
    name = next(path.name for path in (copied / "ff" / "images").iterdir())
    entry = audit_item.Entry(name, copied / "ff" / "images" / name)
    expected = audit_item.Expected(None, None, "", exact=False)
    path = entry.folder / "0" / "4.png"
    whole = path.read_bytes()
    for change, problem in PICTURES:
        path.write_bytes(change(whole))
        ((place, text),) = audit_item.inspect(entry, expected).faults
        assert place == "negative 5" and problem in text and "\n" not in text and len(text) <= 300
    Image.open(io.BytesIO(whole)).convert("RGB").save(path)
    report = audit_item.inspect(entry, expected)
    assert report.faults == [] and report.size == 128 and len(report.pixels) == 14


STRINGS = (  # what becomes of the action strings of a shape
    (lambda strings: ["lines_normal_1.000-0.500", *strings[1:]], ["action 1", "character 1", "line or arc"]),
    (lambda strings: [strings[0], "line_wavy_1.000-0.500"], ["action 2", "character 6", "stroke type"]),
    (lambda strings: [strings[0], "line_normal_1.500-0.500"], ["action 2", "character 13", "length"]),
    (lambda strings: [], ["list of one action string"]),
    (lambda strings: "line_normal_1.000-0.500", ["list of one action string"]),
)
NESTINGS = (
    (lambda sides: sides[:1], "length 2, got 1"),
    (lambda sides: [sides[0], sides[1][:6]], "length >= 7 - at `$[1]`"),
    (lambda sides: [sides[0], [*sides[1][:6], sides[1][0] * 3]], "length <= 2 - at `$[1][6]`"),
    (lambda sides: None, "got `null`"),
)


def test_malformed_action_strings_are_a_sentence_with_their_position():
    problem = next(one for one in problems_of("as_published") if len(one.negatives[2]) == 2)
    positives, negatives = layout.strings(problem)

    def fault(sides) -> str:
        with pytest.raises(InputError) as raised:
            layout.parse_problem(sides, problem.name)
        assert problem.name in str(raised.value)
        return str(raised.value)

    for change, words in STRINGS:  # of the second shape of negative 3
        shapes = [negatives[2][0], change(negatives[2][1])]
        message = fault([positives, [*negatives[:2], shapes, *negatives[3:]]])
        assert all(word in message for word in ("negative 3", "shape 2", *words)), message
    for change, wanted in NESTINGS:
        assert wanted in fault(change([positives, negatives]))


RECORDS = (  # changes of a stored problem
    (lambda fields: fields["positives"].pop(), ["length >= 7 - at `$.positives`"]),
    (lambda fields: fields["negatives"][4][0].pop("at"), ["`at` - at `$.negatives[4][0]`"]),
    (lambda fields: fields["negatives"][4][0].update(at=[1, 2, 3, 0]), ["> 0.0 - at `$.negatives[4][0].at[3]`"]),
    (lambda fields: fields["negatives"][4][0].update(at=[1, 2, float("nan"), 9]), ["is malformed"]),
    (lambda fields: fields["positives"][0][0]["program"].append(["loop", 1, 0, "normal"]), ["`$.positives[0][0].prog"]),
    (lambda fields: fields["positives"][0][0]["program"].append(["line", 2, 0, "normal"]), ["<= 1.0 - at `$.posit"]),
    (lambda fields: fields["positives"][0][0].update(program=[]), ["length >= 1 - at `$.positives[0][0].program`"]),
    (None, ["a line of JSON"]),
)


def test_a_stored_problem_that_is_none_is_a_sentence_with_its_position():
    first = layout.to_record(problems_of("verified")[0])
    for change, words in RECORDS:
        fields = json.loads(first)
        if change:
            change(fields)
        spoilt = json.dumps(fields, separators=(",", ":")) if change else first[: len(first) // 2]
        with case(words), pytest.raises(InputError) as raised:
            layout.from_record(spoilt)
        assert all(word in str(raised.value) for word in words), raised.value


def test_only_sets_of_problems_look_like_one(stored, copied, tmp_path):
    (tmp_path / "other" / "images").mkdir(parents=True)
    assert all(map(datasets.looks_like, (stored / "verified", stored / "verified" / ROOT, copied)))
    assert not datasets.looks_like(tmp_path / "other")
