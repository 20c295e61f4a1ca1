"""A class: what is handed in is read, checked again, collected and reported on; every fault is one sentence."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import studied
from cases import case
from classes import sat
from markup import HOSTILE

from cogkit.app import cli, exercises
from cogkit.app.exercises import Attempt
from cogkit.extras.classroom import gathered, hand_in
from cogkit.study.gathering import PEOPLE
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials, plain
from cogkit.tiles.people.study import free
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import Items

NAMES = ("01_play_tiles", "05_bongard_logo", "07_word_learning", "09_stimulus_equivalence")
ABOUT = hand_in.About("c1a55", "A lesson", NAMES, seed=3, cogkit="0.2.0")
DONE = (
    hand_in.Exercise("01-first-click", "open", "first_click = ..."),
    hand_in.Exercise("01-corner", "right", "corner = 36"),
    hand_in.Exercise("01-your-player", "wrong", "my_player = Mine"),
)
MADE = (
    Attempt("2026-11-27T10:00:00.000+00:00", "01-corner", False, "Not yet: 35 is too few.", "35"),
    Attempt("2026-11-27T10:01:00.000+00:00", "01-corner", False, "Not yet: 35 is too few.", "35"),
    Attempt("2026-11-27T10:02:00.000+00:00", "01-corner", True, "Correct.", "36"),
)


def handed(trials: Trials, who: str = "5ca1ab1e") -> hand_in.HandIn:
    """Return what a student hands in who has these trials, and answered two exercises."""
    rows, timestamp = tuple(map(plain, trials.frame().to_dict("records"))), "2026-11-27T11:00:00.000+00:00"
    return hand_in.HandIn(ABOUT, who, name="", at=timestamp, cogkit="0.2.0", exercises=DONE, attempts=MADE, trials=rows)


@pytest.fixture(scope="module")
def one(tmp_path_factory) -> hand_in.HandIn:
    """A hand-in with a sitting of every study."""
    trials = Trials(tmp_path_factory.mktemp("one") / "trials.sqlite")
    for name in studied.SMALL:
        sat(name, trials, "5ca1ab1e")
    return handed(trials)


@pytest.fixture(scope="module")
def quick(tmp_path_factory) -> hand_in.HandIn:
    """A hand-in of one short sitting, for tests of files."""
    trials = Trials(tmp_path_factory.mktemp("quick") / "trials.sqlite")
    sat("mewl", trials, "0ddba11")
    return handed(trials, "0ddba11")


def test_a_class_counts_every_study_and_works_out_itself_what_is_right(one, tmp_path):
    assert hand_in.read(hand_in.write(one, tmp_path / "a.jsonl")) == one
    lies = tuple(row | ({"correct": 0.0, "score": -5.0} if row["correct"] is not None else {}) for row in one.trials)
    for trials in (one.trials, lies):
        hand_in.write(replace(one, trials=trials), tmp_path / "a.jsonl")
        merged = gathered.collect(tmp_path)
        assert merged.sittings["reason"].tolist() == [""] * 4 and merged.sittings["finished"].all()
        assert set(merged.sittings["instrument"]) == {*studied.SMALL}
        assert (merged.trials["correct"].dropna() == 1).all()
        assert set(merged.rows[merged.rows["who"] == PEOPLE]["instrument"]) == {*studied.SMALL}
        scores = merged.rows[merged.rows["metric"].isin(["accuracy", "accuracy, forced choice"])]
        assert len(scores) and (scores["value"] == 1).all()
    assert merged.students.iloc[0].tolist()[:2] == [one.student, ""]
    assert merged.students["trials"].tolist() == [len(one.trials)]


def test_answers_that_are_plain_are_checked_again_and_a_cell_run_twice_is_one_attempt(quick, tmp_path):
    hand_in.write(quick, tmp_path / "a.jsonl")
    table = gathered.collect(tmp_path).exercises.set_index("exercise")
    row = table.loc["01-corner", ["state", "by", "attempts", "said"]].tolist()
    assert row == ["right", gathered.AGAIN, 2, "Not yet: 35 is too few."]
    assert table.loc["01-first-click", ["state", "by", "attempts"]].tolist() == ["open", "", 0]
    assert table.loc["01-your-player", ["state", "by"]].tolist() == ["wrong", gathered.TOLD]
    cheated = (replace(MADE[2], answer="35"),)
    hand_in.write(replace(quick, attempts=cheated), tmp_path / "a.jsonl")
    table = gathered.collect(tmp_path).exercises.set_index("exercise")
    assert table.loc["01-corner", ["state", "by"]].tolist() == ["wrong", gathered.AGAIN]


def test_a_class_is_loaded_as_it_was_written(one, tmp_path):
    hand_in.write(one, tmp_path / "in" / "a.jsonl")
    merged = gathered.collect(tmp_path / "in")
    gathered.write(merged, tmp_path / "class")
    again = gathered.load(tmp_path / "class")
    assert again.about == merged.about
    for name in ("students", "exercises", "sittings"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(merged, name), check_dtype=False)
    for name in ("who", "task", "metric"):
        assert again.rows[name].tolist() == merged.rows[name].tolist()
    assert again.rows["value"].tolist() == pytest.approx(merged.rows["value"].tolist(), nan_ok=True)
    assert again.trials["response"].tolist() == merged.trials["response"].tolist()


def test_of_two_files_of_one_student_the_later_counts(quick, tmp_path):
    hand_in.write(quick, tmp_path / "a.jsonl")
    hand_in.write(replace(quick, at="2026-11-27T09:00:00.000+00:00", exercises=()), tmp_path / "b.jsonl")
    merged = gathered.collect(tmp_path)
    assert merged.students["file"].tolist() == [str(tmp_path / "a.jsonl")] and len(merged.exercises) == 3


def test_an_unfinished_sitting_and_free_play_do_not_count(tmp_path):
    trials = Trials(tmp_path / "a.sqlite")
    sat("tiles", trials, "p-1", until=2)
    every = records.items("tree/abstract")
    board = Sitting.begin(free(Items(every.boards[:2], every.starts[:2], every.task, "generated")), 0, trials, "p-1")
    board.answer(studied.right(board), 1.0)
    hand_in.write(handed(trials, "p-1"), tmp_path / "a.jsonl")
    merged = gathered.collect(tmp_path)
    assert sorted(merged.sittings["reason"]) == ["not finished", gathered.FREE] and merged.rows.empty
    assert len(merged.trials) == len(trials.frame())


# Faults


def ended(lines: list[str]) -> str:
    """Return a file of a hand-in with these lines, its end made anew so that only what they say is at fault."""
    body = "".join(line + "\n" for line in lines)
    end = {"end": {"lines": len(lines), "sha256": hashlib.sha256(body.encode()).hexdigest()}}
    return body + json.dumps(end) + "\n"


def head(**fields):
    """Return what changes the head of a file; a field of None is left out."""

    def change(line: str) -> str:
        held = json.loads(line)["hand-in"] | fields
        return json.dumps({"hand-in": {name: value for name, value in held.items() if value is not None}})

    return change


def trial(**fields):
    """Return what changes a trial; a field of ``...`` is left out."""
    return lambda line: json.dumps(
        {"trial": {k: v for k, v in (json.loads(line)["trial"] | fields).items() if v != ...}}
    )


FAULTS = [  # the number of a line, what changes it, and what is said
    (-1, trial(rt_s=...), "without rt_s"),
    (-1, trial(who="somebody"), "somebody"),
    (-1, lambda line: json.dumps(json.loads(line) | {"exercise": {"exercise": "a", "state": "open"}}), "2 parts"),
    (0, head(version=99), "update cogkit"),
    (0, head(student=None), "student"),
    (1, lambda line: line.replace('"open"', '"splendid"'), "splendid"),
    (1, lambda line: line.replace("first_click", "x" * 20_001), "$.exercise.code"),
    (-1, lambda line: '{"trial": ' + "[" * 100_000 + "]" * 100_000 + "}", "JSON"),
]


def test_every_fault_names_file_and_line_and_nothing_is_written(quick, tmp_path, capsys):
    path = hand_in.write(quick, tmp_path / "in" / "bad.jsonl")
    hand_in.write(replace(quick, student="other", trials=()), tmp_path / "in" / "good.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()[:-1]
    for place, change, message in FAULTS:
        spoilt = [*lines]
        spoilt[place] = change(lines[place])
        path.write_text(ended(spoilt), encoding="utf-8")
        with case(message):
            assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 1
            fault, end = capsys.readouterr().err.splitlines()
            assert fault.startswith(f"{path}: line {place % len(lines) + 1}: ") and message in fault
            assert end == "cogkit: nothing was written, because of 1 faults" and not (tmp_path / "out").exists()


def test_a_truncated_a_changed_and_a_foreign_file_are_told(quick, tmp_path):
    path = hand_in.write(quick, tmp_path / "a.jsonl")
    whole = path.read_bytes()
    contents = {whole[:-cut]: "ask the student for it again" for cut in (1, 40, 200, 5000)}
    contents |= {whole.replace(b"corner = 36", b"corner = 37"): "changed after it was written"}
    contents |= dict.fromkeys((b"", b"\x00" * 4096, b"{}", b'{"a": 1}\n', b"PK\x03\x04", b"[" * 10**6), "a.jsonl")
    contents[b'{"hand-in": {"version": 1}}\n' * 10**6] = "1,000,001 lines"
    for content, message in contents.items():
        path.write_bytes(content)
        (fault,) = gathered.collect(tmp_path)
        with case(content[-60:]):
            assert message in str(fault) and len(str(fault)) < 500


def test_what_does_not_belong_together_is_told(quick, tmp_path):
    impossible = replace(quick, trials=(*quick.trials[:-1], quick.trials[-1] | {"response": "no such option"}))
    stolen = tuple(row | {"who": "thief"} for row in quick.trials)
    other = hand_in.About("0ther", "Another", NAMES)
    for first, second, message in (
        (quick, replace(quick, about=other, student="b", trials=()), "0ther"),
        (quick, replace(quick, student="thief", trials=stolen), "every sitting once"),
        (impossible, replace(quick, student="b", trials=()), "no such option"),
    ):
        hand_in.write(first, tmp_path / message / "a.jsonl")
        hand_in.write(second, tmp_path / message / "b.jsonl")
        (fault,) = gathered.collect(tmp_path / message)
        assert message in str(fault)


def test_a_lesson_that_cannot_be_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line, message in (
        ("pack --out x --notebooks 01,01", "each once"),
        ("pack --out x --notebooks 00,01", "with exercises"),
        ("pack --out x --minutes 12", "50 or more"),
        ("hand-in", "cogkit class pack"),
    ):
        assert cli.main(["class", *line.split()]) == 2, line
        assert message in capsys.readouterr().err and not (tmp_path / "x").exists(), line


def test_hostile_names_and_answers_stay_text(quick, tmp_path):
    evil = (hand_in.Exercise("01-corner", "wrong", HOSTILE),)
    hand_in.write(replace(quick, name=HOSTILE, exercises=evil, trials=()), tmp_path / "in" / "a.jsonl")
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    again = gathered.load(tmp_path / "out")  # nobody sat a study: these tables are empty
    assert again.exercises["code"].tolist() == again.students["name"].tolist() == [HOSTILE]
    assert again.sittings.empty and again.rows.empty and again.trials.empty


# Attempts


@pytest.fixture
def in_notebook(home, monkeypatch) -> Path:
    """The file of attempts, as in a notebook: elsewhere none is kept."""
    exercises.check("01-corner", 35)
    assert exercises.attempts() == []
    monkeypatch.setattr(exercises, "get_ipython", lambda: type("Shell", (), {"user_ns": {}})())
    return home / "attempts.jsonl"


def test_an_attempt_is_kept_in_a_notebook_alone(in_notebook):
    for answer in (..., 35, 36, len):
        exercises.check("01-corner", answer)
    attempts = [(attempt.passed, attempt.answer) for attempt in exercises.attempts()]
    assert attempts == [(False, "35"), (True, "36"), (False, "")]
    with in_notebook.open("a") as file:
        file.write("torn\n")
    assert len(exercises.attempts()) == 3


def attempt(k: int) -> None:
    exercises.check("01-corner", k)


def test_attempts_of_many_notebooks_at_once_are_all_kept(in_notebook):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.map(attempt, range(200), chunksize=1)
    assert sorted(int(attempt.answer) for attempt in exercises.attempts()) == list(range(200))
