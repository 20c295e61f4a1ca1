"""Reading sets of problems: ours, and copies as they were published; and what is said of a broken one."""

from __future__ import annotations

import io
import json
import re
import shutil
import struct
import zlib

import numpy as np
import pytest
from cases import case
from PIL import Image
from stored import ROOT, SIZE, N, problems_of

from cogkit.bongard.logo.programs import write_program
from cogkit.core.errors import InputError
from cogkit.extras.datasets.bongard import datasets

COPIED = SIZE["as_published"]


@pytest.fixture
def dataset(stored, tmp_path):
    return shutil.copytree(stored / "verified", tmp_path / "dataset")


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_what_was_made_is_read_as_it_was(stored, profile):
    archive, problems = datasets.read(stored / profile), problems_of(profile)
    assert (archive.size, len(archive)) == (SIZE[profile], N)
    assert sorted(archive.names) == sorted(problem.name for problem in problems)
    assert [archive.problem(problem.name) for problem in problems] == problems
    images = archive.images([problem.name for problem in problems[::3]])
    assert images.shape == (4, 2, 7, SIZE[profile], SIZE[profile]) and images.dtype == np.uint8


def test_a_published_copy_is_read_without_placements_and_in_colour(copied):
    archive = datasets.read(copied, size=COPIED)
    for problem in problems_of("as_published"):
        read, made = (
            [[[write_program(program) for program in picture] for picture in side] for side in sides]
            for sides in (
                archive.programs(problem.name),
                [[[placed.program for placed in picture] for picture in side] for side in problem.sides],
            )
        )
        assert read == made
    name = archive.split["train"][0]
    path = copied / name[:2] / "images" / name / "1" / "0.png"
    grey = np.asarray(Image.open(path))
    Image.fromarray(np.repeat(grey[..., None], 3, axis=2)).save(path)
    images = datasets.read(copied, size=COPIED).images([name])
    assert images.shape == (1, 2, 7, COPIED, COPIED) and (images[0, 0, 0] == grey).all()
    with pytest.raises(InputError, match="placements, which published sets lack"):
        archive.problem(archive.names[0])


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
    (lambda data: data[: len(data) // 2], "a whole PNG file"),
    (lambda data: b"", "a whole PNG file"),
    (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "a whole PNG file"),
    (lambda data: png(np.full((32, 32), 255, np.uint8)), f"a picture of {COPIED}×{COPIED}, got 32×32 pixels"),
    (lambda data: bomb(), "a picture of|a whole PNG file"),
    (lambda data: None, "No such file"),
)


def test_a_picture_that_is_none_is_a_sentence_with_its_file_and_position(copied):
    archive = datasets.read(copied, size=COPIED)
    name = archive.split["train"][1]
    path = copied / name[:2] / "images" / name / "0" / "4.png"
    whole = path.read_bytes()
    for change, problem in PICTURES:
        content = change(whole)
        path.unlink() if content is None else path.write_bytes(content)
        with case(problem), pytest.raises(InputError, match=problem) as raised:
            archive.images([name])
        error = str(raised.value)
        assert str(path)[-40:] in error and "negative 5" in error and "\n" not in error and len(error) <= 300


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


def test_malformed_action_strings_are_a_sentence_with_their_position(copied):
    path = copied / "bd" / "bd_action_program.json"
    programs = json.loads(path.read_text())
    name = next(name for name, sides in programs.items() if len(sides[1][2]) == 2)
    positives, negatives = programs[name]

    def fault(sides) -> str:
        path.write_text(json.dumps(programs | {name: sides}))
        with pytest.raises(InputError) as raised:
            datasets.read(copied).programs(name)
        assert str(path)[-40:] in str(raised.value) and name in str(raised.value)
        return str(raised.value)

    for change, words in STRINGS:  # of the second shape of negative 3
        shapes = [negatives[2][0], change(negatives[2][1])]
        message = fault([positives, [*negatives[:2], shapes, *negatives[3:]]])
        assert all(word in message for word in ("negative 3", "shape 2", *words)), message
    for change, wanted in NESTINGS:
        assert wanted in fault(change([positives, negatives]))


def test_a_file_of_programs_or_of_splits_that_is_none_is_a_sentence(copied):
    for path, look in (
        (copied / "ff" / "ff_action_programs.json", lambda archive: archive.programs("ff_nact4_0000")),
        (copied / "ShapeBongard_V2_split.json", lambda archive: archive.split),
    ):
        for content in (b"", b"[]", b"\xff\xfe", b'{"a": ', b"[" * 100_000, None):
            path.unlink() if content is None else path.write_bytes(content)
            with case(content and content[:9]), pytest.raises(InputError, match=re.escape(str(path))):
                look(datasets.read(copied))


RECORDS = (  # changes of a stored problem
    (lambda fields: fields["positives"].pop(), ["length >= 7 - at `$.positives`"]),
    (lambda fields: fields["negatives"][4][0].pop("at"), ["`at` - at `$.negatives[4][0]`"]),
    (lambda fields: fields["negatives"][4][0].update(at=[1, 2, 3, 0]), ["> 0.0 - at `$.negatives[4][0].at[3]`"]),
    (lambda fields: fields["negatives"][4][0].update(at=[1, 2, float("nan"), 9]), ["is malformed"]),
    (lambda fields: fields["positives"][0][0]["program"].append(["loop", 1, 0, "normal"]), ["`$.positives[0][0].prog"]),
    (
        lambda fields: fields["positives"][0][0]["program"].append(["line", 2, 0, "normal"]),
        ["<= 1.0 - at `$.positives"],
    ),
    (lambda fields: fields["positives"][0][0].update(program=[]), ["length >= 1 - at `$.positives[0][0].program`"]),
    (None, ["a line of JSON"]),
)


def test_a_stored_problem_that_is_none_is_a_sentence_with_its_position(dataset):
    path = dataset / ROOT / "ff" / "ff_placements.jsonl"
    first, *lines = path.read_text().splitlines()
    for change, words in RECORDS:
        fields = json.loads(first)
        if change:
            change(fields)
        spoilt = json.dumps(fields, separators=(",", ":")) if change else first[: len(first) // 2]
        path.write_text("\n".join([spoilt, *lines]))
        with case(words), pytest.raises(InputError) as raised:
            datasets.read(dataset).problem(json.loads(first)["name"])
        assert all(word in str(raised.value) for word in (str(path)[-20:], *words)), raised.value


def test_only_sets_of_problems_look_like_one_and_of_two_one_is_named(dataset, copied, tmp_path):
    (tmp_path / "other" / "images").mkdir(parents=True)
    assert all(map(datasets.looks_like, (dataset, dataset / ROOT, copied)))
    assert not datasets.looks_like(tmp_path / "other")
    with pytest.raises(InputError, match="ShapeBongard_V2 or ShapeBongard_V2_FF"):
        datasets.read(tmp_path / "nowhere")
    datasets.make(dataset, n=2, only="ff", size=16, jobs=1)
    with pytest.raises(InputError, match="name the set's own folder"):
        datasets.read(dataset)
    assert len(datasets.read(dataset / "ShapeBongard_V2_FF")) == 2
