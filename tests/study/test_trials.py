"""The trials database: an acknowledged row is there, whole, whatever happens to the program that wrote it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from threading import Barrier
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from playing import row, start, write_at_once

from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.data import database
from cogkit.study.trials import Trials, pseudonym


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trials.sqlite"


@pytest.fixture
def other(path, monkeypatch):
    """Another program, which can hold the file for itself; half a minute passes at each look at the clock."""
    ticks = count(step=30.0)
    monkeypatch.setattr(database, "time", SimpleNamespace(monotonic=lambda: next(ticks), sleep=lambda seconds: None))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def raw(path, sql: str) -> list:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_rows_come_back_as_they_went_in(path):
    rows = [
        row("a", 0),
        row("a", 1, response="left", correct=None, score=None, rt_s=None, extra={}),
        row("b", 0, response=None, correct=True, seed=np.int64(5), score=np.float32(0.5)),
        row("b", 1, response=0.25, extra={"options": [1, "two", None], "step": np.int64(3)}),
    ]
    trials = Trials(path)
    for entry in rows:
        trials.add(entry)
    frame = Trials(path).frame()
    assert list(frame.columns) == list(TRIAL_COLUMNS)
    assert frame.loc[1, ["correct", "score", "rt_s"]].isna().all() and frame.loc[1, "response"] == "left"
    assert frame.loc[2, "response"] is None
    assert frame.loc[2, ["correct", "seed", "score"]].tolist() == [1.0, 5, 0.5]
    assert frame.loc[3, "extra"] == {"options": [1, "two", None], "step": 3}
    assert frame.iloc[:1].to_dict("records") == rows[:1]
    assert Trials(path).frame(sitting="a", order=0).to_dict("records") == rows[:1]
    assert list(Trials(path).frame(response="left")["order"]) == [1]
    assert len(Trials(path).frame(score=None)) == 1
    assert Trials(path).frame(who="nobody").empty


def test_sittings_are_summed_up(path):
    trials = Trials(path)
    trials.add(row("a", 0, item="begin", response="odd", score=None))
    for order in (1, 2):
        trials.add(row("a", order, score=1.5))
    trials.add(row("b", 0, score=None))
    table = trials.sittings().set_index("sitting")
    assert list(table.index) == ["a", "b"]
    assert table.loc["a", ["condition", "answers", "score"]].tolist() == ["odd", 2, 3.0]
    assert table.loc["a", ["began", "last"]].tolist() == [row("a", o)["at"] for o in (0, 2)]
    assert table.loc["b", ["condition", "answers", "score"]].tolist() == [None, 1, 0.0]


def test_the_file_is_as_designed(path):
    Trials(path).add(row("a", 0))
    assert raw(path, "PRAGMA journal_mode") == [("delete",)]
    assert raw(path, "PRAGMA user_version") == [(1,)]
    assert raw(path, "PRAGMA application_id") == [(0x636F676B,)]  # "cogk"
    columns = raw(path, "PRAGMA table_info(trials)")
    assert [column[1] for column in columns] == list(TRIAL_COLUMNS)
    assert [column[1] for column in columns if column[5]] == ["sitting", "order"]


def test_a_faulty_row_is_refused_and_nothing_is_written(path):
    trials = Trials(path)
    trials.add(row("a", 0))
    before, good = path.read_bytes(), row("b", 0)
    faults = (
        (good | {"order": 1.5}, "wanted a whole number"),
        (good | {"seed": 2**63}, "wanted a whole number below"),
        (good | {"who": None}, "wanted text, got None for 'who'"),
        (good | {"kind": "persn"}, "did you mean 'person'"),
        (good | {"correct": "yes"}, "wanted a finite number or None, got 'yes' for 'correct'"),
        (good | {"rt_s": float("nan")}, "wanted a finite number or None"),
        (good | {"response": [1]}, "wanted a finite number, text or None"),
        (good | {"extra": {"x": float("inf")}}, "wanted a dict that JSON can hold"),
        (good | {"colour": "red"}, "the unknown colour"),
        (good | {"sitting": "a", "order": 0}, "second row 0 of sitting a"),
        ({name: good[name] for name in good.keys() - {"order", "extra"}}, "without extra, order"),
    )
    for faulty, message in faults:
        with pytest.raises(InputError, match=message):
            trials.add(faulty)
    with pytest.raises(InputError, match="wanted a column"):
        trials.frame(colour="red")
    assert path.read_bytes() == before


def test_a_sitting_is_deleted_whole_and_leaves_no_trace_in_the_file(path):
    trials = Trials(path)
    for order in range(3):
        trials.add(row("a", order, who="delete-me"))
        trials.add(row("b", order))
    assert trials.delete("a") == 3
    assert trials.frame().to_dict("records") == [row("b", order) for order in range(3)]
    assert b"delete-me" not in path.read_bytes() and raw(path, "PRAGMA integrity_check") == [("ok",)]
    with pytest.raises(InputError, match="wanted a sitting in"):
        trials.delete("a")
    assert trials.delete() == 3 and trials.frame().empty and trials.delete() == 0


def test_a_window_that_is_still_open_brings_no_half_of_a_deleted_sitting_back(path):
    trials = Trials(path)
    for order in range(2):
        trials.add(row("a", order))
    trials.delete("a")
    with pytest.raises(InputError, match="which was deleted"):
        trials.add(row("a", 2))
    assert trials.frame().empty
    trials.add(row("a", 0))
    assert len(trials.frame()) == 1


def test_a_lock_that_does_not_end_is_one_sentence_and_nothing_is_added_or_deleted(path, other):
    trials = Trials(path)
    trials.add(row("a", 0))
    other.execute("BEGIN EXCLUSIVE")
    for act in (lambda: trials.add(row("a", 1)), lambda: trials.delete("a")):
        with pytest.raises(InputError, match="database is locked"):
            act()
    other.execute("ROLLBACK")
    trials.add(row("a", 1))
    assert len(trials.frame()) == 2


def test_the_export_holds_what_people_did(path, tmp_path):
    trials = Trials(path)
    trials.add(row("a", 0, response=None))
    trials.add(row("a", 1, response="left", extra={"board": 'é, "x"\n'}))
    trials.add(row("m", 0, kind="model"))
    (tmp_path / "my_trials.csv").write_text("an older one")
    csv, parquet = trials.save(tmp_path)
    assert (csv.name, parquet.name) == ("my_trials.csv", "my_trials.parquet")
    for table in (pd.read_csv(csv, keep_default_na=False), pd.read_parquet(parquet)):
        assert list(table.columns) == list(TRIAL_COLUMNS) and table.sitting.tolist() == ["a", "a"]
        assert table.response.iloc[1] == "left" and table.score.astype(float).iloc[1] == 1 / 3
        assert json.loads(table.extra.iloc[1]) == {"board": 'é, "x"\n'}


def test_a_database_of_another_version_is_left_alone(path):
    Trials(path).add(row("a", 0))
    for version in (0, 2):
        raw(path, f"PRAGMA user_version = {version}")
        before = path.read_bytes()
        with pytest.raises(InputError, match=f"database of version 1, got .* .version {version}"):
            Trials(path)
        assert path.read_bytes() == before and [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_stranger_is_left_alone_even_with_a_log_to_replay(path, tmp_path):
    """A copy of a database in use is what a killed program leaves: whoever opens it, replays its log into it."""
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE trials AS SELECT 1 AS x")
    left = shutil.copytree(tmp_path, tmp_path / "left", ignore=shutil.ignore_patterns("*-shm", "left"))
    connection.close()

    def files():
        return {file.name: file.read_bytes() for file in left.iterdir()}

    before = files()
    assert set(before) == {"trials.sqlite", "trials.sqlite-wal"}
    with pytest.raises(InputError, match="database of another program"):
        Trials(left / "trials.sqlite")
    assert files() == before
    raw(left / "trials.sqlite", "SELECT x FROM trials")
    assert files() != before


def test_a_file_that_is_no_database_is_left_alone(path):
    for content in (b"sitting,order\na,0\n" * 90, b"x", b"SQLite format 3\0" + bytes(2000)):
        path.write_bytes(content)
        with pytest.raises(InputError, match="wanted a cogkit trials database"):
            Trials(path)
        assert path.read_bytes() == content


def test_an_impossible_place_is_one_sentence(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="unable to open"):
        Trials(tmp_path / "missing" / "trials.sqlite")
    with pytest.raises(InputError):
        Trials(tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match="wanted a home folder that can be written, got .*file"):
        Trials()


def test_killed_at_a_random_moment_no_acknowledged_row_is_lost(path):
    acknowledged = int(np.random.default_rng().integers(1, 120))  # another moment at every run of the tests
    with start(path, "a", 100_000) as process:
        for order in range(acknowledged):
            assert process.stdout.readline() == f"{order}\n"
        process.kill()
        lines = process.stdout.read().split()
    assert process.returncode == -signal.SIGKILL
    acknowledged += len(lines)
    frame = Trials(path).frame()
    assert acknowledged <= len(frame) <= acknowledged + 1
    assert frame.to_dict("records") == [row("a", order) for order in range(len(frame))]
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]
    Trials(path).add(row("a", len(frame)))  # and the next kernel goes on
    assert len(Trials(path).frame()) == len(frame) + 1


def test_kernels_that_meet_at_a_new_database_make_it_once(tmp_path):
    barrier = Barrier(4)

    def meet(k: int, path) -> None:
        barrier.wait()
        Trials(path).add(row(f"s{k}", 0))

    with ThreadPoolExecutor(4) as pool:
        for attempt in range(10):
            path = tmp_path / f"{attempt}.sqlite"
            for job in [pool.submit(meet, k, path) for k in range(4)]:
                job.result()
            assert sorted(Trials(path).frame()["sitting"]) == ["s0", "s1", "s2", "s3"]


def test_two_processes_write_at_once(path):
    write_at_once(path, "ab", 150)
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]


def test_the_readers_own_files_are_nobody_elses(home):
    old = Trials()
    old.path.chmod(0o644)  # of a version that left it so
    mask = os.umask(0)
    try:
        Trials(), pseudonym()
    finally:
        os.umask(mask)
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in home.iterdir()} == {
        "trials.sqlite": "0o600", "pseudonym": "0o600",
    }  # fmt: skip


def test_the_reader_keeps_one_pseudonym(home):
    program = "from cogkit.study.trials import pseudonym; print(pseudonym())"
    command = [sys.executable, "-c", program]
    starting = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in "ab"]
    names = {process.communicate()[0].strip() for process in starting} | {pseudonym()}
    assert len(names) == 1 and len(names.pop()) == 8
    assert [file.name for file in home.iterdir()] == ["pseudonym"]
