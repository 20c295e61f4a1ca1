"""A class: what is handed in is read, checked again, collected and reported on; every fault is one sentence."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import hashlib
import io
import json
import multiprocessing
import shutil
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
import studied
from cases import case
from classes import about_file, sat
from markup import HOSTILE

from cogkit.app import cli, exercises, notebooks
from cogkit.app.exercises import Attempt
from cogkit.extras.classroom import gathered, hand_in
from cogkit.study.gathering import AGAIN, PEOPLE
from cogkit.study.rescoring import FREE
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials, plain
from cogkit.study.uploads import uploads
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
    (upload,) = uploads([hand_in.write(one, tmp_path / "a.jsonl")])
    assert hand_in.read(upload) == (one, "")
    lies = tuple(row | ({"correct": 0.0, "score": -5.0} if row["correct"] is not None else {}) for row in one.trials)
    for trials in (one.trials, lies):
        hand_in.write(replace(one, trials=trials), tmp_path / "a.jsonl")
        merged = gathered.collect(tmp_path, ABOUT)
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
    table = gathered.collect(tmp_path, ABOUT).exercises.set_index("exercise")
    row = table.loc["01-corner", ["state", "by", "attempts", "said"]].tolist()
    assert row == ["right", gathered.AGAIN, 2, "Not yet: 35 is too few."]
    assert table.loc["01-first-click", ["state", "by", "attempts"]].tolist() == ["open", "", 0]
    assert table.loc["01-your-player", ["state", "by"]].tolist() == ["wrong", gathered.TOLD]
    cheated = (replace(MADE[2], answer="35"),)
    hand_in.write(replace(quick, attempts=cheated), tmp_path / "a.jsonl")
    table = gathered.collect(tmp_path, ABOUT).exercises.set_index("exercise")
    assert table.loc["01-corner", ["state", "by"]].tolist() == ["wrong", gathered.AGAIN]


def test_a_class_is_loaded_as_it_was_written(one, tmp_path):
    hand_in.write(one, tmp_path / "in" / "a.jsonl")
    merged = gathered.collect(tmp_path / "in", ABOUT)
    gathered.write(merged, tmp_path / "class")
    again = gathered.load(tmp_path / "class")
    assert again.about == merged.about
    for name in ("students", "exercises", "sittings"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(merged, name), check_dtype=False)
    names = ["who", "task", "metric"]
    assert again.rows[names].values.tolist() == merged.rows[names].values.tolist()
    assert again.rows["value"].tolist() == pytest.approx(merged.rows["value"].tolist(), nan_ok=True)
    assert again.trials["response"].tolist() == merged.trials["response"].tolist()


def test_of_two_files_of_one_student_the_later_counts(quick, tmp_path):
    hand_in.write(quick, tmp_path / "a.jsonl")
    hand_in.write(replace(quick, at="2026-11-27T09:00:00.000+00:00", exercises=()), tmp_path / "b.jsonl")
    merged = gathered.collect(tmp_path, ABOUT)
    assert merged.students["file"].tolist() == [str(tmp_path / "a.jsonl")] and len(merged.exercises) == 3
    assert merged.left_out.empty and merged.passed_over["file"].tolist() == [str(tmp_path / "b.jsonl")]


def test_an_unfinished_sitting_and_free_play_do_not_count(tmp_path):
    trials = Trials(tmp_path / "a.sqlite")
    sat("tiles", trials, "p-1", until=2)
    every = records.items("tree/abstract")
    board = Sitting.begin(free(Items(every.boards[:2], every.starts[:2], every.task, "generated")), 0, trials, "p-1")
    board.answer(studied.right(board), 1.0)
    hand_in.write(handed(trials, "p-1"), tmp_path / "a.jsonl")
    merged = gathered.collect(tmp_path, ABOUT)
    assert sorted(merged.sittings["reason"]) == ["not finished", FREE] and merged.rows.empty
    assert len(merged.trials) == len(trials.frame())


# Faults


def ended(held: list[dict]) -> str:
    """Return a file of a hand-in with these lines, its end made anew so that only what they say is at fault."""
    body = "".join(json.dumps(part, ensure_ascii=False) + "\n" for part in held)
    end = {"end": {"lines": len(held), "sha256": hashlib.sha256(body.encode()).hexdigest()}}
    return body + json.dumps(end) + "\n"


def held_in(path: Path) -> list[dict]:
    """Return what the lines of a hand-in hold, but for its end."""
    return [*map(json.loads, path.read_text(encoding="utf-8").splitlines())][:-1]


def put(k: int, part: str, **fields):
    """Return what changes the k-th line of a file; a field of ``...`` is left out."""

    def change(held: list[dict]) -> str:
        own = {name: value for name, value in (held[k][part] | fields).items() if value is not ...}
        return ended([{part: own} if line is held[k] else line for line in held])

    return change


def cut(held: list[dict], characters: int = 0) -> str:
    """Return a file without its end, and without so many letters before it."""
    return ended(held).rpartition('\n{"end"')[0][: -characters or None]


trial, head = partial(put, -1, "trial"), partial(put, 0, "hand-in")
OTHER_LESSON = dataclasses.asdict(replace(ABOUT, seed=4))
FAULTS = {  # what becomes of the lines of a hand-in: the reason, and whether the student still counts
    "cut before its end": (cut, "its end is missing", False),
    "cut within a line": (lambda held: cut(held, 40), "cannot be read, or is cut", False),
    "cut within a letter": (lambda held: (cut(held) + "é").encode()[:-1], "within a letter", False),
    "empty": (lambda held: "", "it is empty", False),
    "changed by hand": (lambda held: ended(held).replace("corner = 36", "corner = 37"), "ask the student", False),
    "of another class": (head(about=OTHER_LESSON), "another class, 'A lesson': seed differ", False),
    "of a newer form": (head(version=99), "update cogkit", False),
    "without a student": (head(student=...), "student", False),
    "of a student who is a formula": (head(student="=1+1"), "student", False),
    "an exercise in no state": (put(1, "exercise", state="splendid"), "splendid", False),
    "an answer without end": (put(1, "exercise", code="x" * 20_001), "code", False),
    "an exercise twice": (put(2, "exercise", exercise="01-first-click"), "differs", False),
    "two parts in a line": (lambda held: ended([held[0], held[1] | {"trial": {}}, *held[2:]]), "2 with 2 parts", False),
    "a time below zero": (trial(rt_s=-5.0), "rt_s", True),
    "a time without end": (trial(rt_s=1e308), "rt_s", True),
    "no number": (trial(rt_s=float("nan")), "rt_s", True),
    "a trial without time": (trial(rt_s=...), "rt_s", True),
    "a trial of somebody": (trial(who="somebody"), "not the person who handed it in", True),
    "an instrument to come": (trial(instrument="chess"), "wanted an instrument", True),
    "an answer that is none": (trial(response="no such option"), "no such option", True),
    "a sitting with a gap": (lambda held: ended([*held[:-3], *held[-2:]]), "is missing", True),
}  # fmt: skip


def collect(folder: Path, out: Path, *options: str) -> int:
    return cli.main(["class", "collect", str(folder), "--out", str(out), *options])


def test_whoever_is_at_fault_is_left_out_with_a_reason_and_everybody_else_counts(quick, tmp_path, capsys):
    folder = tmp_path / "in"
    hand_in.write(replace(quick, student="other", name="B", trials=()), folder / "good.jsonl")
    path = hand_in.write(quick, folder / "bad.jsonl")
    held = held_in(path)
    about_file(tmp_path, ABOUT)
    for number, (name, (change, reason, counts)) in enumerate(FAULTS.items()):
        content = change(held)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        out = tmp_path / f"out-{number}"
        with case(name):
            assert collect(folder, out) == 1
            left = pd.read_csv(out / "left_out.csv", keep_default_na=False)
            lines_out = capsys.readouterr().out
            assert str(path) in lines_out and f"{len(left)} left out; left_out.csv says" in lines_out
            assert set(left["file"]) == {str(path)} and left["reason"].str.contains(reason, regex=False).sum() == 1
            students = pd.read_csv(out / "students.csv")["student"].tolist()
            assert students == (["0ddba11", "other"] if counts else ["other"])
            assert len(pd.read_csv(out / "exercises.csv")) == 3 * len(students)
            assert collect(folder, tmp_path / "strict", "--strict") == 2 and not (tmp_path / "strict").exists()
            assert "nothing was written" in capsys.readouterr().err


def test_half_a_letter_in_an_answer_is_no_end_of_the_class(quick, tmp_path, capsys):
    path = hand_in.write(quick, tmp_path / "a.jsonl")
    held = json.loads(json.dumps(held_in(path)).replace("first_click", "\\ud800"))
    held.append({"end": {"lines": len(held), "sha256": hand_in.digest(held)}})
    path.write_text("".join(json.dumps(part) + "\n" for part in held), encoding="utf-8")
    about_file(tmp_path, ABOUT)
    assert collect(tmp_path, tmp_path / "out") == 0, capsys.readouterr()
    assert "?" in pd.read_csv(tmp_path / "out" / "exercises.csv").to_string()


def test_a_line_twice_counts_once_and_what_is_whole_of_a_cut_file_is_written(quick, tmp_path):
    path = hand_in.write(quick, tmp_path / "a.jsonl")
    held = held_in(path)
    path.write_text(ended([*held, held[1], held[4], held[-1]]), encoding="utf-8")
    merged = gathered.collect(tmp_path, ABOUT)
    assert merged.left_out.empty and len(merged.trials) == len(quick.trials) and len(merged.exercises) == 3
    path.write_text(cut(held[:-2]), encoding="utf-8")
    merged = gathered.collect(tmp_path, ABOUT)
    assert len(merged.trials) == len(quick.trials) - 2 and merged.sittings["reason"].tolist() == ["not finished"]
    assert merged.students.empty and merged.rows.empty and set(merged.left_out["file"]) == {str(path)}


def pretty(content: bytes) -> bytes:
    return b"\n\n".join(json.dumps(json.loads(part), indent=1).encode() for part in content.splitlines())


FORMS = {  # what programs do to a file on the way
    "a.jsonl.txt": bytes,
    "A.JSONL": lambda content: content.replace(b"\n", b"\r\n"),
    "a.json": lambda content: b"\xef\xbb\xbf" + content,
    "a": lambda content: content.decode().encode("utf-16"),
    "a.jsonl.gz": gzip.compress,
    "one line.json": lambda content: b"[" + b",".join(content.splitlines()) + b"]",
    "pretty.json": pretty,
    "folder of others/a.zip": lambda content: zipped(content),
}


def zipped(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, held in {"a.jsonl": content, "notes.txt": b"notes", "../../b": b"evil"}.items():
            archive.writestr(name, held)
    return buffer.getvalue()


def test_a_file_is_known_by_what_it_holds(quick, tmp_path):
    content = hand_in.write(replace(quick, name="Ünal 🙂"), tmp_path / "source").read_bytes()
    for number, (name, change) in enumerate(FORMS.items()):
        path = tmp_path / f"in-{number}" / "in" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(change(content))
        with case(name):
            merged = gathered.collect(tmp_path / f"in-{number}", ABOUT)
            assert merged.left_out.empty and merged.students["name"].tolist() == ["Ünal 🙂"]
            assert merged.sittings["reason"].tolist() == [""]
            assert len(merged.passed_over) == 2 * name.endswith("zip") and not [*tmp_path.rglob("b")]


def test_two_students_of_one_pseudonym_are_two_and_a_partial_copy_is_nobody(quick, tmp_path):
    first = hand_in.write(replace(quick, name="Ada"), tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl.partial").write_bytes(first.read_bytes()[:-300])
    (tmp_path / "a (1).jsonl").write_bytes(first.read_bytes())
    trials = Trials(tmp_path / "trials.sqlite")
    sat("equivalence", trials, quick.student)
    later = replace(handed(trials, quick.student), name="Bob", at="2026-11-27T12:00:00.000+00:00")
    later = replace(later, trials=(*quick.trials, *later.trials))  # on the same account: Ada's sitting is in it too
    hand_in.write(later, tmp_path / "b.jsonl")
    merged = gathered.collect(tmp_path, ABOUT)
    assert merged.students[["student", "name"]].values.tolist() == [["0ddba11", "Ada"], ["0ddba11-2", "Bob"]]
    sittings = merged.sittings[["who", "instrument", "reason"]].values.tolist()
    assert sittings == [["0ddba11", "mewl", ""], ["0ddba11-2", "equivalence", ""]]
    assert merged.left_out.empty and len(merged.notes) == 1 and "0ddba11-2" in merged.notes[0]
    passed_over = sorted(Path(file).name for file in merged.passed_over["file"])
    assert passed_over == ["a (1).jsonl", "a.jsonl.partial", "trials.sqlite"]


def test_one_sitting_of_two_people_counts_for_neither_and_names_both(quick, tmp_path):
    stolen = tuple(row | {"who": "thief"} for row in quick.trials)
    hand_in.write(quick, tmp_path / "a.jsonl")
    hand_in.write(replace(quick, student="thief", trials=stolen), tmp_path / "b.jsonl")
    merged = gathered.collect(tmp_path, ABOUT)
    assert merged.sittings.empty and len(merged.students) == 2
    assert [Path(file).name for file in merged.left_out["file"]] == ["a.jsonl", "b.jsonl"]
    assert "b.jsonl" in merged.left_out["reason"][0] and "a.jsonl" in merged.left_out["reason"][1]


def test_a_second_sitting_of_a_student_is_kept_and_does_not_count(tmp_path):
    trials = Trials(tmp_path / "trials.sqlite")
    sat("mewl", trials, "p-1"), sat("mewl", trials, "p-1")
    merged = gathered.merge([("a.jsonl", handed(trials, "p-1"))])
    assert merged.sittings["reason"].tolist() == ["", AGAIN] and len(merged.trials) == len(trials.frame())
    assert merged.left_out["reason"].str.startswith(AGAIN).tolist() == [True]


def test_nobody_at_all_is_one_sentence(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("notes")
    about_file(tmp_path, ABOUT)
    assert collect(tmp_path, tmp_path / "out") == 2 and not (tmp_path / "out").exists()
    assert "cogkit class hand-in" in capsys.readouterr().err
    (tmp_path / hand_in.ABOUT).unlink()
    assert collect(tmp_path, tmp_path / "out") == 2 and "--lesson" in capsys.readouterr().err


def test_a_lesson_that_cannot_be_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line, message in {
        "pack --out x --notebooks 01,01": "each once", "pack --out x --notebooks 00,01": "with exercises",
        "pack --out x --minutes 12": "50 or more", "hand-in": "cogkit class pack",
    }.items():  # fmt: skip
        assert cli.main(["class", *line.split()]) == 2, line
        assert message in capsys.readouterr().err and not (tmp_path / "x").exists(), line


FORMULAS = ("=1+1", "+1+1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1")


@pytest.fixture
def student_folder(home, tmp_path) -> Path:
    """A folder of one notebook of a lesson, under another name."""
    about_file(tmp_path, replace(ABOUT, notebooks=NAMES[:1]))
    shutil.copy(*notebooks.find(["01"]), tmp_path / "01_play_tiles (1).ipynb")
    return tmp_path


def worked(folder: Path, name: str, answer: str) -> Path:
    """Write a copy of the notebook with an answer typed and never checked, and an output that is no number."""
    content = json.loads((folder / "01_play_tiles (1).ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in content["cells"] if cell["metadata"].get("exercise") == "01-corner"]
    cells[0]["source"] = [answer]
    cells[0]["outputs"] = [{"output_type": "display_data", "data": {"application/json": float("nan")}, "metadata": {}}]
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder / name


def test_work_is_found_by_its_exercises_and_what_was_typed_is_handed_in(student_folder, capsys):
    command = ["class", "hand-in", "--notebooks", str(student_folder)]
    assert cli.main(command) == 2 and "nothing was done" in capsys.readouterr().err
    sat("tiles", Trials(), hand_in.pseudonym(), until=0)  # to open a sitting is no answer
    assert cli.main(command) == 2 and "nothing was done" in capsys.readouterr().err
    worked(student_folder, "work-Copy1.ipynb", "corner = 36  # \ud83d")  # half a surrogate
    worked(student_folder, "the same.ipynb", "corner = 36  # \ud83d")
    assert cli.main(command) == 0
    text = capsys.readouterr().out
    assert "1 answer typed, not checked" in text and "Read from the same.ipynb for 01_play_tiles." in text
    (upload,) = uploads([*student_folder.glob("hand-in-*")])
    states = {each.exercise: each.state for each in hand_in.read(upload)[0].exercises}
    assert states["01-corner"] == "typed" and set(states.values()) == {"typed", "open"}
    worked(student_folder, "other.ipynb", "corner = 35")
    assert cli.main(command) == 2
    assert "different work in other.ipynb, the same.ipynb and work-Copy1.ipynb" in capsys.readouterr().err
    for path in student_folder.glob("*.ipynb"):
        path.unlink()
    assert cli.main(command) == 2 and "without 01_play_tiles.ipynb" in capsys.readouterr().err


def test_hostile_names_and_answers_stay_text(quick, tmp_path):
    about_file(tmp_path, ABOUT)
    for number, text in enumerate((HOSTILE, *FORMULAS)):
        evil, out = (hand_in.Exercise("01-corner", "wrong", text),), tmp_path / f"out-{number}"
        hand_in.write(replace(quick, name=text, exercises=evil, trials=()), tmp_path / "in" / "a.jsonl")
        assert collect(tmp_path / "in", out) == 0
        again = gathered.load(out)  # nobody sat a study: these tables are empty
        assert again.exercises["code"].tolist() == again.students["name"].tolist() == [text]
        with (out / "students.csv").open(newline="", encoding="utf-8") as file:
            assert [*csv.DictReader(file)][0]["name"][0] not in "=+-@\t\r"
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


def test_attempts_of_many_notebooks_at_once_are_all_kept(in_notebook):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.map(partial(exercises.check, "01-corner"), range(200), chunksize=1)
    assert sorted(int(attempt.answer) for attempt in exercises.attempts()) == list(range(200))
