"""`cogkit make tiles` and the audit of its files, and of the published ones."""

from __future__ import annotations

import io
import pickle
import shutil

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.tiles.files import datasets
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


@pytest.mark.parametrize(("kind", "part"), [("abstract", "sample"), ("metamer", "null_sample")])
@pytest.mark.parametrize("rule", RULES)
def test_made_boards_are_the_generated_items(dataset, rule, kind, part):
    items = records.items(f"{rule}/{kind}", "generated", n=6, seed=3)
    assert (np.load(dataset / f"{rule}_{part}.npy") == items.boards).all()
    starts = np.load(dataset / f"{rule}_{part}_starts.npy")
    assert (starts @ [7, 1] == items.starts).all()


def test_a_rerun_writes_only_what_is_not_whole(dataset):
    broken, missing = dataset / "cross_sample.npy", dataset / "tree_sample_starts.npy"
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in dataset.iterdir()}
    broken.write_bytes(broken.read_bytes()[:-5])
    missing.unlink()
    assert {name for name, *_ in faults(dataset)} == {broken.name, missing.name}
    datasets.make(dataset, n=6, seed=3)
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in dataset.iterdir()}
    assert {name: content for name, (content, _) in before.items()} == {n: content for n, (content, _) in after.items()}
    rewritten = {name for name in before if before[name][1] != after[name][1]}
    assert rewritten == {broken.name, missing.name, "manifest.json"}


@pytest.mark.parametrize("config", [{"n": 7, "seed": 3}, {"n": 6, "seed": 4}])
def test_another_dataset_is_not_overwritten(dataset, config):
    before = {path: path.read_bytes() for path in dataset.iterdir()}
    with pytest.raises(InputError, match="an empty folder"):
        datasets.make(dataset, **config)
    assert before == {path: path.read_bytes() for path in dataset.iterdir()}


def test_a_strangers_file_is_not_overwritten(tmp_path):
    stranger = tmp_path / "copy_sample.npy"
    stranger.write_bytes(b"mine")
    with pytest.raises(InputError, match="another file at .*copy_sample.npy"):
        datasets.make(tmp_path, n=3)
    assert stranger.read_bytes() == b"mine" and list(tmp_path.iterdir()) == [stranger]


@pytest.mark.parametrize("n", [0, -1, 99])
def test_a_bad_number_of_boards_writes_nothing(tmp_path, n):
    with pytest.raises(InputError, match=r"1 to 98 boards in each file"):
        datasets.make(tmp_path / "x", n=n)
    assert not (tmp_path / "x").exists()


def test_audit_of_the_published_folder_finds_its_repeats_and_overlaps_and_nothing_else(mirror):
    """Repeats and overlaps as the README of the reference data lists them (its zigzag overlaps by brute force)."""
    folder = mirror / "abstract_neural_metamers" / "data"
    problems = faults(folder)
    repeats = {(name, field, problem) for name, field, problem in problems if "repeats" in problem}
    assert repeats == {
        ("symmetry_sample.npy", "board 21", "repeats board 20"),
        ("symmetry_sample.npy", "board 22", "repeats board 12"),
        ("symmetry_null_sample.npy", "board 13", "repeats board 3"),
        ("symmetry_null_sample.npy", "board 17", "repeats board 8"),
        ("tree_sample.npy", "board 11", "repeats board 5"),
        ("tree_null_sample.npy", "board 16", "repeats board 0"),
        ("pyramid_sample.npy", "board 16", "repeats board 6"),
        ("pyramid_sample.npy", "board 22", "repeats board 6"),
        ("pyramid_null_sample.npy", "board 16", "repeats board 8"),
        ("zigzag_sample.npy", "board 4", "repeats board 2"),
    }
    overlaps = {(name, field) for name, field, problem in problems if "of the rule's too" in problem}
    expected = set()
    for rule in RULES:
        abstract, metamers = (np.load(folder / f"{rule}{part}.npy") for part in ("_sample", "_null_sample"))
        expected |= {
            (f"{rule}_null_sample.npy", f"board {k}")
            for k in range(25)
            if any((metamers[k] == board).all() for board in abstract)
        }
    assert overlaps == expected and len(expected) == 5 + 1 + 2
    assert len(problems) == len(repeats) + len(overlaps)


def rewrite(change):
    def spoil(path):
        array = np.load(path)
        np.save(path, change(array))

    return spoil


def flip(array):
    array[2, 0, 0] = 1 - array[2, 0, 0]
    array[2, 6, 0] = 1 - array[2, 6, 0]
    return array


def many_reds(array):
    array[1] = 1
    return array


def repeat(array):
    array[4] = array[1]
    return array


def half(array):
    return np.where(array == 1, 0.5, 0)


def shared(path):
    array = np.load(path)
    array[3] = np.load(path.with_name("cross_sample.npy"))[5]
    np.save(path, array)


def pickled(path):
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)


def bomb(path):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 7, 7)})
    path.write_bytes(file.getvalue())


@pytest.mark.parametrize(
    ("file", "spoil", "field", "problem"),
    [
        ("cross_sample.npy", lambda p: p.write_bytes(p.read_bytes()[:300]), "boards", "whole .npy file"),
        ("cross_sample.npy", lambda p: p.write_bytes(b""), "boards", "whole .npy file"),
        ("cross_sample.npy", lambda p: p.write_bytes(b"not numpy at all"), "boards", "whole .npy file"),
        ("cross_sample.npy", lambda p: p.write_bytes(pickle.dumps([1])), "boards", "whole .npy file"),
        ("cross_sample.npy", lambda p: np.savez(p.open("wb"), a=np.eye(7)), "boards", "npz"),
        ("cross_sample.npy", pickled, "boards", "whole .npy file"),
        ("cross_sample.npy", bomb, "boards", "whole .npy file"),
        ("cross_sample.npy", rewrite(lambda a: a[:, :6]), "boards", r"shape \(6, 6, 7\)"),
        ("cross_sample.npy", rewrite(lambda a: a[0]), "boards", r"shape \(7, 7\)"),
        ("cross_sample.npy", rewrite(half), "boards", "got 0.5 at row"),
        ("cross_sample.npy", rewrite(lambda a: a.astype("U1")), "boards", "values of type"),
        ("cross_sample.npy", rewrite(flip), "board 2", "does not satisfy the rule cross"),
        ("cross_sample.npy", rewrite(many_reds), "board 1", "has 49 reds"),
        ("cross_sample.npy", rewrite(repeat), "board 4", "repeats board 1"),
        ("cross_null_sample.npy", shared, "board 3", "is board 5 of the rule's too"),
        ("cross_sample_starts.npy", rewrite(lambda a: 6 - a), "starts", "red"),
        ("cross_sample_starts.npy", rewrite(lambda a: a + 7), "starts", "between 0 and 6"),
        ("cross_sample_starts.npy", rewrite(lambda a: a[:5]), "starts", r"shape \(5, 2\)"),
        ("cross_sample_starts.npy", rewrite(lambda a: a[:, 0]), "starts", r"shape \(6,\)"),
        (
            "cross_sample_starts.npy",
            lambda p: p.write_bytes(p.read_bytes()[:-1]),
            "starts",
            "whole .npy file",
        ),
        ("cross_sample_starts.npy", lambda p: p.unlink(), "file", "is missing"),
        ("manifest.json", lambda p: p.write_text("{"), "sha256", "no manifest"),
        ("manifest.json", lambda p: p.write_text('{"sha256": [1]}'), "sha256", "no manifest"),
        (
            "manifest.json",
            lambda p: p.write_text('{"sha256": {"../a.npy": "0"}}'),
            "sha256",
            "no dataset has",
        ),
    ],
)
def test_audit_names_the_file_the_field_and_the_fault(dataset, file, spoil, field, problem):
    import re

    spoil(dataset / file)
    problems = [fault for fault in faults(dataset) if fault[0] == file and fault[1] == field]
    assert any(re.search(problem, fault[2]) for fault in problems), faults(dataset)
    if file != "manifest.json":
        changed = {name for name, found_field, _ in faults(dataset) if found_field in ("sha256", "file")}
        assert changed == {file}


def test_a_manifest_that_is_none_does_not_lead_to_overwriting(dataset):
    (dataset / "manifest.json").write_text("[]")
    with pytest.raises(InputError, match="an empty folder"):
        datasets.make(dataset, n=6, seed=3)


@pytest.mark.parametrize("seed", range(60))
def test_audit_of_a_randomly_damaged_file_gives_findings_and_no_traceback(dataset, seed):
    rng = np.random.default_rng(seed)
    path = dataset / str(rng.choice(["tree_sample.npy", "copy_null_sample.npy", "cross_sample_starts.npy"]))
    content = bytearray(path.read_bytes())
    for place in rng.integers(0, 140, rng.integers(1, 8)):  # header and first values
        content[place] = rng.integers(256)
    if bytes(content) == path.read_bytes():
        content = content[:77]
    path.write_bytes(content)
    assert any(finding.path == str(path) for finding in datasets.audit(dataset))


def test_a_folder_of_something_else_does_not_look_like_boards(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"")
    assert not datasets.looks_like(tmp_path)
