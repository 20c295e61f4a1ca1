"""The result store: a file that exists is a whole result, and a broken one is named."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from data.started import FULL_DISK, started

import cogkit
from cogkit.app import experiments
from cogkit.core.errors import InputError
from cogkit.core.records import RESULT_COLUMNS
from cogkit.data import results
from cogkit.data.files import write_whole
from cogkit.data.results import Store, manifest


@dataclass(frozen=True)
class Config:
    n: int = 25
    sizes: tuple = (3, 4)


ROW = {"task": "copy/abstract", "kind": "floor", "who": "random", "inputs": "board", "metric": "blue", "value": 11.5}
ROW |= {"low": 10.25, "high": 12.0, "interval": "95% t, boards", "n": 25, "source": "published", "supervision": ""}
CELL = "tiles/random/copy/abstract"


def made(cell=CELL, config=None, profile="verified", preset="quick", seed=0):
    return manifest(cell, config or Config(), profile, preset, seed, 1.25)


def test_a_run_is_there_once_written_and_not_before(tmp_path):
    store = Store(tmp_path / "results")
    run = (CELL, "verified", "quick", 0, Config())
    assert not store.has(*run)
    path = store.write(made(), [ROW, ROW | {"metric": "z", "value": np.float32(0.5), "n": np.int64(7)}])
    assert store.has(*run) and path == store.path(*run)
    # the hash by hand: SHA-256 of class, version and fields as canonical JSON
    digest = hashlib.sha256(b'{"class":"Config","n":25,"sizes":[3,4],"version":1}').hexdigest()[:8]
    assert path == tmp_path / "results/tiles/random/copy/abstract" / f"verified-quick-s0-{digest}.json"
    for place, other in enumerate((CELL + "x", "as_published", "lab", 1, Config(n=26))):
        assert not store.has(*run[:place], other, *run[place + 1 :])
    assert [file for file in path.parent.iterdir()] == [path]
    manifest, rows = results.read(path)
    assert manifest.config == {"class": "Config", "version": 1, "n": 25, "sizes": [3, 4]}
    assert (manifest.cell, manifest.seconds) == (CELL, 1.25)
    shared = {"cell": CELL, "instrument": "tiles", "profile": "verified", "preset": "quick", "seed": 0}
    shared |= {"split": "copy, published boards", "rung": "orbit"}  # which follow from cell and task
    assert rows == [shared | ROW, shared | ROW | {"metric": "z", "value": 0.5, "n": 7}]
    content = json.loads(path.read_text())  # nothing is said twice
    assert content["columns"] == ["metric", "value", "n"] and content["rows"] == [["blue", 11.5, 25], ["z", 0.5, 7]]
    assert not {*content["alike"]} & {*content["columns"], *shared}


def test_numbers_are_stored_as_near_as_they_are_compared(tmp_path):
    rows = [ROW | {"value": 1 / 3, "low": -2e-7 / 3}, ROW | {"value": 2e5 / 3, "low": None}]
    _, copy = results.read(Store(tmp_path).write(made(), rows))
    assert [row["value"] for row in copy] == [0.3333333333, 66666.66667] and copy[0]["low"] == -6.666666667e-08
    assert experiments.differences(copy, [row | new for row, new in zip(copy, rows, strict=True)]) == []


def test_load_concatenates_and_filters(tmp_path):
    store = Store(tmp_path)
    for cell in ("tiles/random/copy", "mewl/random/shape"):
        for seed in (0, 1):
            store.write(made(cell, seed=seed), [ROW, ROW | {"metric": "z", "low": None, "value": float("nan")}])
    frame = store.load()
    assert list(frame.columns) == list(RESULT_COLUMNS) and len(frame) == 8
    assert results.load(tmp_path).equals(frame)
    assert len(store.load(instrument="mewl")) == 4 and len(store.load(metric="z", seed=1)) == 2
    assert set(store.load(cell="mewl/random/shape")["instrument"]) == {"mewl"}
    assert frame[frame["metric"] == "z"][["low", "value"]].isna().all().all()
    empty = Store(tmp_path / "none").load()
    assert list(empty.dtypes) == list(frame.dtypes) and str(frame["seed"].dtype) == "int64"
    assert [str(frame[name].dtype) for name in ("value", "low", "high")] == ["float64"] * 3
    with pytest.raises(InputError, match="wanted a column"):
        store.load(colour="red")


def test_a_corrupt_file_is_named(tmp_path):
    store = Store(tmp_path)
    store.write(made(), [ROW])
    bad = store.write(made(seed=1), [ROW])
    manifest = b'{"manifest": {"cell": 3}, "rows": []}'
    broken = bad.read_bytes().replace(b'"kind":"', b'"kind":"no ').replace(b'"kind": "', b'"kind": "no ')
    for content in (b"", b'{"manifest": {', b"[]", b'{"rows": []}', manifest, b"\xff\xfe", b"null", broken):
        bad.write_bytes(content)
        with pytest.raises(InputError, match=f"wanted a result file, got {bad} .*: delete it and run its cell again"):
            store.load()


def test_a_faulty_row_is_refused_and_nothing_is_written(tmp_path):
    store = Store(tmp_path)
    lacking = {name: value for name, value in ROW.items() if name != "interval"}
    faults = {
        "missing required field `interval`": lacking,
        "unknown field `colour`": ROW | {"colour": 1},
        "at `..value`": ROW | {"value": "5"},
        "at `..n`": ROW | {"n": 2.5},
        "did you mean 'model'": ROW | {"kind": "modl"},
    }
    for message, row in faults.items():
        with pytest.raises(InputError, match=message):
            store.write(made(), [ROW, row])
    assert not list(tmp_path.rglob("*"))


def test_a_cell_stays_inside_the_store(tmp_path):
    for cell in ("../outside", "/tiles", "tiles/../../x", "tiles//x", "", "tiles/.hidden", "a b"):
        with pytest.raises(InputError, match="wanted a cell id"):
            Store(tmp_path).write(made(cell), [ROW])


def test_what_a_reader_keeps_is_theirs_and_apart_from_what_is_shipped(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path))
    before = results.shipped("tiles")
    results.keep(pd.DataFrame([ROW]), CELL, Config(), "lab", 3, 1.5)
    results.keep(pd.DataFrame([ROW]), "counting/random/ten", Config(), "lab", 3, 1.5)
    rows = results.yours("tiles")
    assert rows[["cell", "profile", "preset", "seed"]].values.tolist() == [[CELL, "verified", "lab", 3]]
    assert results.shipped("tiles").equals(before) and len(before) > 0
    with pytest.raises(InputError, match="did you mean 'paper'"):
        results.shipped("tiles", "papre")
    with pytest.raises(InputError, match="profile"):
        Store(tmp_path).has(CELL, "verifed", "paper", 0, Config())


def test_runs_on_the_items_of_different_generators_are_not_put_side_by_side(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path))
    store = Store(tmp_path / "results")
    first, second = (f"{version}-{'0' * 8}" for version in (1, 2))
    store.write(replace(made(), items=first), [ROW])
    store.write(replace(made(seed=1), items="1-12345678"), [ROW])  # another seed, other items of the same generator
    store.write(replace(made("mewl/random/shape"), items=second), [ROW])  # an instrument of its own
    assert len(store.load()) == 3 and len(results.yours("tiles")) == 2
    other = "tiles/nearest-neighbour/copy/abstract"  # of the same instrument
    store.write(replace(made(other, seed=2), items=second), [ROW])
    with pytest.raises(InputError, match="wanted results on the same items, got items 1 and 2"):
        store.load()
    assert len(store.load(seed=0)) == 2 and len(store.load(instrument="mewl")) == 1
    for seed in (0, 1):
        store.path(CELL, "verified", "quick", seed, Config()).unlink()
    assert len(store.load()) == 2
    with pytest.raises(InputError, match="got items 1 and 2"):  # what is shipped is of the first
        results.yours("tiles")


def test_the_manifest_says_how_a_run_came_to_be():
    manifest = made()
    assert manifest.versions["cogkit"] == cogkit.__version__ and manifest.versions["numpy"] == np.__version__
    assert manifest.versions["python"] == sys.version.split()[0] and "torch" in manifest.versions
    assert manifest.commit and "\n" not in manifest.commit and manifest.device.startswith("cpu ")


def test_killed_while_writing_a_file_is_the_old_one_or_the_new_one(tmp_path):
    path = tmp_path / "file"
    code = "for k in range(10**6):\n    write_whole(to, b'%d ' % k * 20000)\n    print(k, flush=True)"
    count = int(np.random.default_rng().integers(1, 40))
    with started(code, path) as process:
        for _ in range(count):
            process.stdout.readline()
        process.kill()
        last = count - 1 + len(process.stdout.read().split())
    assert process.returncode == -signal.SIGKILL
    assert path.read_bytes() in (b"%d " % last * 20000, b"%d " % (last + 1) * 20000)


def test_a_full_disk_is_one_sentence_and_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    code = "try: write_whole(to, bytes(10_000))\nexcept InputError as error: print(error)"
    printed = started(FULL_DISK + code, path).communicate()[0]
    assert printed.startswith("wanted a file that can be written") and printed.count("\n") == 1
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_one_sentence_and_leaves_nothing(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(InputError, match="wanted a file that can be written, got .*taken"):
        write_whole(tmp_path / "taken", b"x")
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="wanted a file that can be written"):
        write_whole(tmp_path / "file" / "below", b"x")
