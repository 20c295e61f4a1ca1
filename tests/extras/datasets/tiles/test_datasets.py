"""`cogkit make tiles` and the audit of its files, and of the published ones."""

from __future__ import annotations

import pickle
import re
import shutil
from itertools import product

import numpy as np
import pytest
from cases import case

from cogkit.extras.datasets.tiles import datasets
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    datasets.make(folder, n=6, seed=3)
    return folder


@pytest.fixture
def dataset(made, tmp_path):
    return shutil.copytree(made, tmp_path / "dataset")


def faults(folder):
    return [(finding.path.rsplit("/")[-1], finding.field, finding.problem) for finding in datasets.audit(folder)]


def test_made_files_have_the_published_names_types_and_shapes(mirror, tmp_path):
    paths = datasets.make(tmp_path / "new" / "folder")
    folder = mirror / "abstract_neural_metamers" / "data"
    arrays = [path for path in paths if path.suffix == ".npy"]
    assert {path.name for path in arrays} == {path.name for path in folder.glob("*.npy")}
    for path in arrays:
        array, published = np.load(path, allow_pickle=False), np.load(folder / path.name, allow_pickle=False)
        assert (array.dtype, array.shape) == (published.dtype, published.shape), path.name
    assert {path.name for path in paths} == {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    assert datasets.audit(tmp_path / "new" / "folder") == []


def test_made_boards_are_the_generated_items(made):
    for rule, (kind, part) in product(RULES, (("abstract", "sample"), ("metamer", "null_sample"))):
        items = records.items(f"{rule}/{kind}", "generated", n=6, seed=3)
        assert (np.load(made / f"{rule}_{part}.npy") == items.boards).all(), (rule, kind)
        assert (np.load(made / f"{rule}_{part}_starts.npy") @ [7, 1] == items.starts).all(), (rule, kind)


REPEATS = {  # the number of a board, and of an earlier one that it is
    "symmetry": {21: 20, 22: 12}, "symmetry_null": {13: 3, 17: 8}, "tree": {11: 5}, "tree_null": {16: 0},
    "pyramid": {16: 6, 22: 6}, "pyramid_null": {16: 8}, "zigzag": {4: 2},
}  # fmt: skip


def test_audit_of_the_published_folder_finds_its_repeats_and_overlaps_and_nothing_else(mirror):
    """Repeats and overlaps as the README of the reference data lists them (its zigzag overlaps by brute force)."""
    folder = mirror / "abstract_neural_metamers" / "data"
    problems = faults(folder)
    repeats = {(name, field, problem) for name, field, problem in problems if "repeats" in problem}
    assert repeats == {
        (f"{name}_sample.npy", f"board {k}", f"repeats board {earlier}")
        for name, pairs in REPEATS.items()
        for k, earlier in pairs.items()
    }
    overlaps = {(name, field) for name, field, problem in problems if "of the rule's too" in problem}
    expected = set()
    for rule in RULES:
        abstract, metamers = (np.load(folder / f"{rule}{part}.npy") for part in ("_sample", "_null_sample"))
        both = [k for k in range(25) if any((metamers[k] == board).all() for board in abstract)]
        expected |= {(f"{rule}_null_sample.npy", f"board {k}") for k in both}
    assert overlaps == expected and len(expected) == 5 + 1 + 2
    assert len(problems) == len(repeats) + len(overlaps)


def flip(array):
    array[2, [0, 6], 0] = 1 - array[2, [0, 6], 0]
    return array


def repeat(array):
    array[4] = array[1]
    return array


def all_red(array):
    array[1] = 1
    return array


BOMB = (
    b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 7, 7), }".ljust(127)
    + b"\n"
)
BOARDS, STARTS = "cross_sample.npy", "cross_sample_starts.npy"
SPOILT = [  # file; its new content, or how its array is changed; the field and the words of the finding
    (BOARDS, b"", "boards", "whole .npy file"),
    (BOARDS, b"not numpy at all", "boards", "whole .npy file"),
    (BOARDS, pickle.dumps([1]), "boards", "whole .npy file"),
    (BOARDS, BOMB.ljust(127) + b"\n", "boards", "whole .npy file"),
    (BOARDS, lambda a: a.astype(object), "boards", "whole .npy file"),  # pickled
    (BOARDS, lambda a: a[:, :6], "boards", r"shape \(6, 6, 7\)"),
    (BOARDS, lambda a: a[0], "boards", r"shape \(7, 7\)"),
    (BOARDS, lambda a: np.where(a == 1, 0.5, 0), "boards", "got 0.5 at row"),
    (BOARDS, lambda a: a.astype("U1"), "boards", "values of type"),
    (BOARDS, flip, "board 2", "does not satisfy the rule cross"),
    (BOARDS, all_red, "board 1", "has 49 reds"),
    (BOARDS, repeat, "board 4", "repeats board 1"),
    (STARTS, lambda a: 6 - a, "starts", "red"),
    (STARTS, lambda a: a + 7, "starts", "between 0 and 6"),
    (STARTS, lambda a: a[:5], "starts", r"shape \(5, 2\)"),
    (STARTS, lambda a: a[:, 0], "starts", r"shape \(6,\)"),
    (STARTS, None, "file", "is missing"),
    ("manifest.json", b"{", "sha256", "no manifest"),
    ("manifest.json", b'{"sha256": [1]}', "sha256", "no manifest"),
    ("manifest.json", b'{"sha256": {"../a.npy": "0"}}', "sha256", "no dataset has"),
]


def test_audit_names_the_file_the_field_and_the_fault(dataset):
    for file, change, field, words in SPOILT:
        path = dataset / file
        whole = path.read_bytes()
        if change is None:
            path.unlink()
        elif isinstance(change, bytes):
            path.write_bytes(change)
        else:
            np.save(path, change(np.load(path)))
        findings = faults(dataset)
        with case((words, findings)):
            assert any(re.search(words, message) for *place, message in findings if place == [file, field])
            if file != "manifest.json":
                assert {name for name, part, _ in findings if part in ("sha256", "file")} == {file}
        path.write_bytes(whole)
    metamers = np.load(dataset / "cross_null_sample.npy")
    metamers[3] = np.load(dataset / BOARDS)[5]
    np.save(dataset / "cross_null_sample.npy", metamers)
    assert ("cross_null_sample.npy", "board 3", "is board 5 of the rule's too") in faults(dataset)
