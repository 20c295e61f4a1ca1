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
from datetime import datetime, timedelta
from threading import Barrier

import numpy as np
import pandas as pd
import playing
import pytest
from playing import row

from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.study.trials import Trials, now, pseudonym


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trials.sqlite"


def start(path, sitting: str, count: int) -> subprocess.Popen:
    program = [sys.executable, playing.__file__, str(path), sitting, str(count)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def assert_rows(frame: pd.DataFrame, rows: list[dict]) -> None:
    """Assert that a frame holds exactly these rows, in every field."""
    assert frame.to_dict("records") == rows


def raw(path, sql: str) -> list:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


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
    assert_rows(frame.iloc[:1], rows[:1])
    assert_rows(Trials(path).frame(sitting="a", order=0), rows[:1])
    assert list(Trials(path).frame(response="left")["order"]) == [1]
    assert len(Trials(path).frame(score=None)) == 1
    assert Trials(path).frame(who="nobody").empty


def test_dtypes_are_the_same_with_and_without_rows(path):
    trials = Trials(path)
    empty = trials.frame().dtypes
    trials.add(row("a", 0))
    assert list(trials.frame().dtypes) == list(empty)
    expected = dict.fromkeys(["order", "seed"], "int64") | dict.fromkeys(["correct", "score", "rt_s"], "float64")
    assert {name: str(empty[name]) for name in expected} == expected
    assert {str(empty[name]) for name in ("response", "extra")} == {"object"}
    assert trials.sittings().dtypes.equals(Trials(path.with_name("other")).sittings().dtypes)


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


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"order": "first"}, "wanted a whole number"),
        ({"order": 1.5}, "wanted a whole number"),
        ({"seed": 2**63}, "wanted a whole number below"),
        ({"who": None}, "wanted text, got None for 'who'"),
        ({"kind": "persn"}, "did you mean 'person'"),
        ({"correct": "yes"}, "wanted a finite number or None, got 'yes' for 'correct'"),
        ({"rt_s": float("nan")}, "wanted a finite number or None"),
        ({"response": [1]}, "wanted a finite number, text or None"),
        ({"extra": "{}"}, "wanted a dict that JSON can hold"),
        ({"extra": {"x": {1, 2}}}, "wanted a dict that JSON can hold"),
        ({"extra": {"x": float("inf")}}, "wanted a dict that JSON can hold"),
        ({"colour": "red"}, "with the unknown colour"),
        ({"sitting": "a", "order": 0}, "second row 0 of sitting a"),
    ],
)
def test_a_faulty_row_is_refused_and_nothing_is_written(path, changes, match):
    trials = Trials(path)
    trials.add(row("a", 0))
    before = path.read_bytes()
    with pytest.raises(InputError, match=match):
        trials.add(row("b", 0) | changes)
    lacking = row("b", 0)
    del lacking["order"], lacking["extra"]
    with pytest.raises(InputError, match="without extra, order"):
        trials.add(lacking)
    with pytest.raises(InputError, match="wanted columns among"):
        trials.frame(colour="red")
    assert path.read_bytes() == before


def test_a_sitting_is_deleted_whole_and_leaves_no_trace_in_the_file(path):
    trials = Trials(path)
    for order in range(3):
        trials.add(row("a", order, who="delete-me"))
        trials.add(row("b", order))
    assert trials.delete("a") == 3
    assert_rows(trials.frame(), [row("b", order) for order in range(3)])
    assert b"delete-me" not in path.read_bytes() and raw(path, "PRAGMA integrity_check") == [("ok",)]
    assert trials.delete() == 3 and trials.frame().empty and trials.delete() == 0


def test_what_is_not_there_is_not_deleted(path):
    trials = Trials(path)
    trials.add(row("a", 0))
    with pytest.raises(InputError, match="wanted a sitting in"):
        trials.delete("b")
    assert len(trials.frame()) == 1


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


def test_a_deletion_that_fails_deletes_nothing(path, monkeypatch):
    monkeypatch.setattr("cogkit.data.database._PATIENCE", 0.2)
    trials = Trials(path)
    for order in range(2):
        trials.add(row("a", order))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="database is locked"):
        trials.delete("a")
    holder.execute("ROLLBACK")
    holder.close()
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


@pytest.mark.parametrize("version", [0, 2])
def test_a_database_of_another_version_is_left_alone(path, version):
    Trials(path).add(row("a", 0))
    raw(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(InputError, match=f"wanted a cogkit trials database of version 1, got .* version {version}"):
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


@pytest.mark.parametrize("content", [b"sitting,order\na,0\n" * 90, b"x", b"SQLite format 3\0" + bytes(2000)])
def test_a_file_that_is_no_database_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(InputError, match="wanted a cogkit trials database"):
        Trials(path)
    assert path.read_bytes() == content


def test_a_damaged_description_of_the_table_is_one_sentence(path):
    Trials(path)
    content = path.read_bytes()
    for start in [
        place for place in range(len(content)) if content.startswith((b"CREATE", b"trials", b"INTEGER"), place)
    ]:
        path.write_bytes(content[: start + 2] + b"\xac\xe5" + content[start + 4 :])
        try:
            Trials(path).frame()
        except InputError as error:
            assert str(path) in str(error) and "\n" not in str(error)


def test_an_impossible_place_is_one_sentence(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="unable to open"):
        Trials(tmp_path / "missing" / "trials.sqlite")
    with pytest.raises(InputError):
        Trials(tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match="wanted a home folder that can be written, got .*file"):
        Trials()


@pytest.mark.parametrize("attempt", range(5))
def test_killed_at_a_random_moment_no_acknowledged_row_is_lost(path, attempt):
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
    assert_rows(frame, [row("a", order) for order in range(len(frame))])
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]
    Trials(path).add(row("a", len(frame)))  # and the next kernel goes on
    assert len(Trials(path).frame()) == len(frame) + 1


def test_killed_while_the_database_is_made_it_is_made_by_the_next(path):
    for _ in range(5):
        with start(path, "a", 1) as process:
            process.kill()
        Trials(path).frame()


def test_kernels_that_meet_at_a_new_database_make_it_once(tmp_path):
    barrier = Barrier(4)

    def meet(k: int, path) -> None:
        barrier.wait()
        Trials(path).add(row(f"s{k}", 0))

    with ThreadPoolExecutor(4) as pool:
        for attempt in range(20):
            path = tmp_path / f"{attempt}.sqlite"
            for job in [pool.submit(meet, k, path) for k in range(4)]:
                job.result()
            assert sorted(Trials(path).frame()["sitting"]) == ["s0", "s1", "s2", "s3"]


def test_two_processes_write_at_once(path):
    count = 150
    with start(path, "a", count) as first, start(path, "b", count) as second:
        lines = [process.communicate()[0].split() for process in (first, second)]
    assert lines == [[str(order) for order in range(count)]] * 2
    frame = Trials(path).frame()
    for sitting in ("a", "b"):
        assert_rows(frame[frame["sitting"] == sitting], [row(sitting, order) for order in range(count)])
    assert len(frame) == 2 * count and raw(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.kills)])
def test_four_writers_on_a_busy_machine_lose_and_double_nothing(path, count):
    names = "abcd"
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        writers = [start(path, name, count) for name in names]
        told = [writer.communicate()[0].split() for writer in writers]
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert [writer.returncode for writer in writers] == [0] * 4
    assert told == [[str(order) for order in range(count)]] * 4
    frame = Trials(path).frame()
    for name in names:
        assert_rows(frame[frame.sitting == name], [row(name, order) for order in range(count)])
    assert len(frame) == 4 * count


def test_threads_share_one_object_while_others_open_the_file(path):
    trials = Trials(path)
    for k in range(4):
        trials.add(row(f"s{k}", 0))  # a sitting begins before it goes on
    with ThreadPoolExecutor(4) as pool:
        adding = [pool.submit(trials.add, row(f"s{k % 4}", k // 4)) for k in range(4, 80)]
        opening = [pool.submit(lambda: len(Trials(path).frame())) for _ in range(40)]
        for job in adding:
            job.result()
        assert all(0 <= job.result() <= 80 for job in opening)
    assert sorted(zip(*(trials.frame()[name] for name in ("sitting", "order")), strict=True)) == [
        (f"s{k}", order) for k in range(4) for order in range(20)
    ]


def test_a_lock_that_does_not_end_is_one_sentence(path, monkeypatch):
    monkeypatch.setattr("cogkit.data.database._PATIENCE", 0.2)
    trials = Trials(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="database is locked"):
        trials.add(row("a", 0))
    holder.execute("ROLLBACK")
    holder.close()
    trials.add(row("a", 0))


def test_the_reader_keeps_one_pseudonym(home):
    program = "from cogkit.study.trials import pseudonym; print(pseudonym())"
    command = [sys.executable, "-c", program]
    starting = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in "ab"]
    names = {process.communicate()[0].strip() for process in starting} | {pseudonym()}
    assert len(names) == 1 and len(names.pop()) == 8
    assert [file.name for file in home.iterdir()] == ["pseudonym"]


def test_the_home_is_where_it_is_said_to_be(home):
    assert Trials().path == home / "trials.sqlite" and Trials().path.exists()
    assert datetime.fromisoformat(now()).utcoffset() == timedelta(0)
