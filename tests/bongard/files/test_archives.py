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
from PIL import Image
from stored import ROOT, SIZE, N, problems_of

from cogkit.bongard.files import archives, datasets
from cogkit.bongard.logo.programs import write
from cogkit.core.contracts import InputError

COPIED = SIZE["as_published"]


@pytest.fixture
def dataset(stored, tmp_path):
    return shutil.copytree(stored / "verified", tmp_path / "dataset")


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_what_was_made_is_read_as_it_was(stored, profile):
    archive = datasets.read(stored / profile)
    problems = problems_of(profile)
    assert (archive.size, len(archive)) == (SIZE[profile], N) and sorted(archive.names) == sorted(
        problem.name for problem in problems
    )
    assert [archive.problem(problem.name) for problem in problems] == problems
    names = [problem.name for problem in problems[::3]]
    images = archive.images(names)
    assert images.shape == (4, 2, 7, SIZE[profile], SIZE[profile]) and images.dtype == np.uint8
    for name, sides in zip(names, images, strict=True):
        for side, pictures in zip("10", sides, strict=True):
            for k, image in enumerate(pictures):
                path = stored / profile / ROOT / name[:2] / "images" / name / side / f"{k}.png"
                assert (image == np.asarray(Image.open(path))).all()


def test_a_published_copy_is_read_without_placements(copied):
    archive = datasets.read(copied, size=COPIED)
    for problem in problems_of("as_published"):
        sides = archive.programs(problem.name)
        strings = [[[[write(action) for action in part] for part in picture] for picture in side] for side in sides]
        assert strings == [
            [[[write(action) for action in part.program] for part in picture] for picture in side]
            for side in problem.sides
        ]
    assert archive.images(archive.split["train"][:1]).shape == (1, 2, 7, COPIED, COPIED)
    with pytest.raises(InputError, match="placements, which published sets lack"):
        archive.problem(archive.names[0])


def test_colour_pictures_of_a_copy_are_read_as_grey_ones(copied):
    name = datasets.read(copied).split["train"][0]
    path = copied / name[:2] / "images" / name / "1" / "0.png"
    grey = np.asarray(Image.open(path))
    Image.fromarray(np.repeat(grey[..., None], 3, axis=2)).save(path)
    assert (datasets.read(copied, size=COPIED).images([name])[0, 0, 0] == grey).all()


def png(array) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "PNG")
    return buffer.getvalue()


def bomb() -> bytes:
    """A picture whose header asks for 10¹⁰ pixels, every checksum right."""
    small = png(np.zeros((2, 2), np.uint8))
    header = b"IHDR" + struct.pack(">II", 100_000, 100_000) + small[24:29]
    return small[:12] + header + struct.pack(">I", zlib.crc32(header)) + small[33:]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: None, "fourteen pictures a problem"),
        (lambda data: data[: len(data) // 2], "a whole PNG file"),
        (lambda data: b"", "a whole PNG file"),
        (lambda data: b"GIF89a" + data, "a whole PNG file"),
        (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "a whole PNG file"),
        (
            lambda data: png(np.full((32, 32), 255, np.uint8)),
            f"a picture of {COPIED}×{COPIED}, got 32×32 pixels",
        ),
        (lambda data: png(np.full((64, 32), 255, np.uint8)), "32×64 pixels"),
        (lambda data: bomb(), "a picture of|a whole PNG file"),
    ],
)
def test_a_picture_that_is_none_is_a_sentence_with_its_file_and_position(copied, change, problem):
    archive = datasets.read(copied, size=COPIED)
    name = archive.split["train"][1]
    path = copied / name[:2] / "images" / name / "0" / "4.png"
    content = change(path.read_bytes())
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as raised:
        archive.images([name])
    error = str(raised.value)
    assert str(path)[-40:] in error and "negative 5" in error and "\n" not in error and len(error) <= 300


def test_a_flipped_bit_anywhere_in_a_picture_is_found(stored):
    """In all but the bytes whose change leaves every pixel as it was."""
    path = next(stored.glob(f"verified/{ROOT}/ff/images/*/1/0.png"))
    content, rng = path.read_bytes(), np.random.default_rng(0)
    right = archives.pixels(content, SIZE["verified"])
    for at in rng.integers(len(content), size=400):
        copy = bytearray(content)
        copy[at] ^= 1 << int(rng.integers(8))
        try:
            assert (archives.pixels(bytes(copy), SIZE["verified"]) == right).all()
        except InputError:
            pass


def shape(change):
    """Return a change of the action strings of the second shape of negative 3."""

    def spoil(sides):
        sides[1][2][-1] = change(sides[1][2][-1])
        return sides

    return spoil


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (shape(lambda strings: ["lines_normal_1.000-0.500", *strings[1:]]), ["action 1", "character 1", "line or arc"]),
        (shape(lambda strings: [strings[0], "line_wavy_1.000-0.500"]), ["action 2", "character 6", "stroke type"]),
        (shape(lambda strings: [strings[0], "line_normal_1.500-0.500"]), ["action 2", "character 13", "length"]),
        (
            shape(lambda strings: [strings[0], "arc_normal_0.500_0.625"]),
            ["action 2", "character 23", "after the sweep"],
        ),
        (shape(lambda strings: []), ["list of one action string"]),
        (shape(lambda strings: [7]), ["action 1", "an action string"]),
        (shape(lambda strings: "line_normal_1.000-0.500"), ["list of one action string"]),
    ],
)
def test_a_malformed_action_string_is_a_sentence_with_its_position(copied, change, words):
    path = copied / "bd" / "bd_action_program.json"
    programs = json.loads(path.read_text())
    name = next(name for name, sides in programs.items() if len(sides[1][2]) == 2)
    programs[name] = change(programs[name])
    path.write_text(json.dumps(programs))
    with pytest.raises(InputError) as raised:
        datasets.read(copied).programs(name)
    for word in (str(path)[-40:], name, "negative 3", "shape 2", *words):
        assert word in str(raised.value), raised.value


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda sides: sides[:1], "2 positives and negatives"),
        (lambda sides: [sides[0], sides[1][:6]], "7 pictures"),
        (lambda sides: [sides[0], [*sides[1][:6], []]], "1 to 2 shapes"),
        (lambda sides: [sides[0], [*sides[1][:6], sides[1][0] * 3]], "1 to 2 shapes"),
        (lambda sides: {"positive": sides}, "2 positives and negatives"),
        (lambda sides: None, "2 positives and negatives"),
    ],
)
def test_another_nesting_of_the_strings_is_a_sentence(copied, change, wanted):
    path = copied / "ff" / "ff_action_programs.json"
    programs = json.loads(path.read_text())
    name = list(programs)[2]
    path.write_text(json.dumps(programs | {name: change(programs[name])}))
    with pytest.raises(InputError, match=wanted) as raised:
        datasets.read(copied).programs(name)
    assert str(path) in str(raised.value) and name in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b'{"a": ', b"[" * 100_000, None])
def test_a_file_of_programs_or_of_splits_that_is_none_is_a_sentence(copied, content):
    for path, ask in (
        (copied / "ff" / "ff_action_programs.json", lambda archive: archive.programs("ff_nact4_0000")),
        (copied / "ShapeBongard_V2_split.json", lambda archive: archive.split),
    ):
        path.unlink() if content is None else path.write_bytes(content)
        with pytest.raises(InputError, match=re.escape(str(path))):
            ask(datasets.read(copied))


def record(change):
    """Return a change of a stored problem."""

    def spoil(line):
        fields = json.loads(line)
        change(fields)
        return json.dumps(fields, separators=(",", ":"))

    return spoil


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda line: line[: len(line) // 2], ["a line of JSON"]),
        (record(lambda fields: fields["positives"].pop()), ["positives", "a list of 7"]),
        (record(lambda fields: fields["negatives"][4][0].pop("at")), ["negative 5, shape 1", "x, y, heading, scale"]),
        (record(lambda fields: fields["negatives"][4][0].update(at=[1, 2, 3])), ["negative 5, shape 1"]),
        (record(lambda fields: fields["negatives"][4][0].update(at=[1, 2, 3, 0])), ["negative 5", "a scale over 0"]),
        (record(lambda fields: fields["negatives"][4][0].update(at=[1, 2, float("nan"), 9])), ["is malformed"]),
        (record(lambda fields: fields["positives"][0][0]["program"].append(["line", 2, 0, "normal"])), ["length"]),
        (record(lambda fields: fields["positives"][0][0]["program"].append(["loop", 1, 0, "normal"])), ["positive 1"]),
        (record(lambda fields: fields["positives"][0][0].update(program=[])), ["one action or more"]),
        (record(lambda fields: fields.update(positives=3)), ["positives"]),
    ],
)
def test_a_stored_problem_that_is_none_is_a_sentence_with_its_position(dataset, spoil, words):
    path = dataset / ROOT / "ff" / "ff_placements.jsonl"
    first, *lines = path.read_text().splitlines()
    name = json.loads(first)["name"]
    path.write_text("\n".join([spoil(first), *lines]))
    with pytest.raises(InputError) as raised:
        datasets.read(dataset).problem(name)
    for word in (str(path)[-20:], *words):
        assert word in str(raised.value), raised.value


def test_a_folder_with_no_set_or_with_two_is_a_sentence(dataset, tmp_path):
    with pytest.raises(InputError, match="ShapeBongard_V2 or ShapeBongard_V2_FF"):
        datasets.read(tmp_path / "nowhere")
    datasets.make(dataset, n=2, only="ff", size=16, jobs=1)
    with pytest.raises(InputError, match="name the set's own folder"):
        datasets.read(dataset)
    assert len(datasets.read(dataset / "ShapeBongard_V2_FF")) == 2


def test_only_sets_of_problems_look_like_one(stored, copied, tmp_path):
    (tmp_path / "other" / "images").mkdir(parents=True)
    assert datasets.looks_like(stored / "verified") and datasets.looks_like(stored / "verified" / ROOT)
    assert datasets.looks_like(copied) and not datasets.looks_like(tmp_path / "other")
