"""A dataset of any instrument as files: the manifest last, one file at a time, nothing of anybody else's lost."""

from __future__ import annotations

import hashlib
import json

import pytest
from carded import contents

from cogkit.core.errors import InputError
from cogkit.extras.datasets import sets

CONFIG = {"n": None, "seed": 5}
FILES = [("a.txt", b"one", 1), ("b.txt", b"two two", 2)]


def test_the_manifest_names_what_was_asked_for_and_every_file(tmp_path):
    paths = sets.write(tmp_path / "set", "counting/make", CONFIG, FILES, ["numpy", "pytest"], kinds=[2])
    assert [path.name for path in paths] == ["a.txt", "b.txt", "manifest.json"]
    manifest = json.loads(paths[-1].read_bytes())
    assert (manifest["cell"], manifest["config"], manifest["seed"]) == ("counting/make", CONFIG, 5)
    assert manifest["counts"] == {"a.txt": 1, "b.txt": 2} and manifest["kinds"] == [2]
    assert manifest["sha256"] == {name: hashlib.sha256(text).hexdigest() for name, text, _ in FILES}
    assert manifest["versions"].keys() == {"cogkit", "numpy", "pytest"}
    assert manifest["versions"]["pytest"] == pytest.__version__
    assert sets.audit(tmp_path / "set", ["a.txt", "b.txt"]) == []
    assert sets.known_files(tmp_path / "set", CONFIG) == manifest["sha256"]


def test_a_file_lies_there_before_the_next_is_made(tmp_path):
    def files():
        yield FILES[0]
        assert contents(tmp_path) == {"a.txt": b"one"}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sets.write(tmp_path, "counting/make", CONFIG, files(), [])
    assert contents(tmp_path) == {"a.txt": b"one"}
    time = (tmp_path / "a.txt").stat().st_mtime_ns
    sets.write(tmp_path, "counting/make", CONFIG, FILES, [])
    assert (tmp_path / "a.txt").stat().st_mtime_ns == time and (tmp_path / "b.txt").read_bytes() == b"two two"


def test_a_folder_with_another_manifest_is_refused_before_anything_is_made(tmp_path):
    def files():
        raise AssertionError("asked for a file")
        yield

    for manifest in ("[]", "{", "null", '{"config": 3}', '{"config": {"n": null, "seed": 5}}'):
        (tmp_path / "manifest.json").write_text(manifest)
        with pytest.raises(InputError, match="an empty folder"):
            sets.write(tmp_path, "counting/make", CONFIG, files(), [])
        assert contents(tmp_path) == {"manifest.json": manifest.encode()}


def test_audit_says_what_is_missing_changed_or_strange(tmp_path):
    sets.write(tmp_path, "counting/make", CONFIG, FILES, [])
    (tmp_path / "a.txt").write_bytes(b"uno")
    (tmp_path / "b.txt").unlink()
    changed, names = "is not the file that the manifest names", ["a.txt", "b.txt", "c"]
    findings = sets.audit(tmp_path, names)
    assert [finding.path for finding in findings] == [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    assert [(one.field, one.problem) for one in findings] == [("sha256", changed), ("file", "is missing")]
    problems = [finding.problem for finding in sets.audit(tmp_path, ["a.txt"])]
    assert problems == ["names 'b.txt', which no dataset has", changed]
    (tmp_path / "manifest.json").unlink()
    missing = [finding.path for finding in sets.audit(tmp_path, names)]
    assert missing == [str(tmp_path / "b.txt"), str(tmp_path / "c")]
