"""A class: a lesson is packed, solved, handed in, collected and reported on; every fault is one sentence."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import studied
from markup import HOSTILE

from cogkit.app import cli, exercises, experiments, notebooks
from cogkit.app.classroom import gathered, hand_in, notes, pack, panel, simulated
from cogkit.app.exercises import Attempt
from cogkit.app.studies.collected import PEOPLE
from cogkit.core.contracts import InputError
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials, plain
from cogkit.tiles.people.study import free
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import Items

NAMES = ("01_play_tiles", "05_bongard_logo", "07_word_learning", "09_stimulus_equivalence")
ABOUT = hand_in.About("c1a55", "A lesson", NAMES, seed=3, cogkit="0.2.0")
NOTEBOOK = dict(zip(studied.SMALL, NAMES, strict=True))


def sat(name: str, trials: Trials, who: str, until: int = 10**6) -> Sitting:
    """Sit the study of an instrument as a notebook does, always right, and return the sitting."""
    web = experiments.instrument(name).web()
    study = web.study(web.conditions[0], studied.SMALL[name])
    person = Sitting.begin(study, 4, trials, who=who)
    while not person.finished and len(person.met) < until:
        if person.page:
            person.next(2.5)
        else:
            confidence = {"confidence": 0.9} if name == "bongard" else {}
            person.answer(studied.right(person), 1.25, **confidence)
        person.pending = False
    return person


def handed(folder: Path, who: str = "5ca1ab1e", names=studied.SMALL, **fields) -> hand_in.HandIn:
    """Return what a student hands in who has sat these studies, and answered two exercises."""
    trials = Trials(folder / f"{who}.sqlite")
    for name in names:
        sat(name, trials, who)
    rows = trials.frame().to_dict("records")
    done = (
        hand_in.Exercise("01-first-click", "open", "first_click = ..."),
        hand_in.Exercise("01-corner", "right", "corner = 36"),
        hand_in.Exercise("01-your-player", "wrong", "my_player = Mine"),
    )
    made = (
        Attempt("2026-11-27T10:00:00.000+00:00", "01-corner", False, "Not yet: 35 is too few.", "35"),
        Attempt("2026-11-27T10:01:00.000+00:00", "01-corner", False, "Not yet: 35 is too few.", "35"),
        Attempt("2026-11-27T10:02:00.000+00:00", "01-corner", True, "Correct.", "36"),
    )
    given = {"name": "", "at": "2026-11-27T11:00:00.000+00:00", "cogkit": "0.2.0", "exercises": done, "attempts": made}
    return hand_in.HandIn(ABOUT, who, **given | {"trials": tuple(map(plain, rows))} | fields)


@pytest.fixture(scope="module")
def one(tmp_path_factory) -> hand_in.HandIn:
    return handed(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def quick(tmp_path_factory) -> hand_in.HandIn:
    """A hand-in of one short sitting, for tests of files."""
    return handed(tmp_path_factory.mktemp("quick"), "0ddba11", ["mewl"])


def test_a_hand_in_is_read_as_it_was_written(one, tmp_path):
    again = hand_in.read(hand_in.write(one, tmp_path / "a.jsonl"))
    assert again == one


def test_a_class_counts_every_study_and_works_out_itself_what_is_right(one, tmp_path):
    lies = tuple(row | ({"correct": 0.0, "score": -5.0} if row["correct"] is not None else {}) for row in one.trials)
    for trials in (one.trials, lies):
        hand_in.write(hand_in.HandIn(**vars(one) | {"trials": trials}), tmp_path / "a.jsonl")
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
    assert table.loc["01-corner", ["state", "by", "attempts", "said"]].tolist() == [
        "right", gathered.AGAIN, 2, "Not yet: 35 is too few.",
    ]  # fmt: skip
    assert table.loc["01-first-click", ["state", "by", "attempts"]].tolist() == ["open", "", 0]
    assert table.loc["01-your-player", ["state", "by"]].tolist() == ["wrong", gathered.TOLD]
    cheated = (Attempt("2026-11-27T10:02:00.000+00:00", "01-corner", True, "Correct.", "35"),)
    hand_in.write(hand_in.HandIn(**vars(quick) | {"attempts": cheated}), tmp_path / "a.jsonl")
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
    early = hand_in.HandIn(**vars(quick) | {"at": "2026-11-27T09:00:00.000+00:00", "exercises": ()})
    hand_in.write(quick, tmp_path / "a.jsonl")
    hand_in.write(early, tmp_path / "b.jsonl")
    merged = gathered.collect(tmp_path)
    assert merged.students["file"].tolist() == [str(tmp_path / "a.jsonl")] and len(merged.exercises) == 3


def test_an_unfinished_sitting_and_free_play_do_not_count(tmp_path):
    trials = Trials(tmp_path / "a.sqlite")
    sat("tiles", trials, "p-1", until=2)
    every = records.items("tree/abstract")
    first = Items(every.boards[:2], every.starts[:2], every.task, "generated")
    board = Sitting.begin(free(first), 0, trials, who="p-1")
    board.answer(studied.right(board), 1.0)
    rows = trials.frame().to_dict("records")
    hand_in.write(handed(tmp_path, "p-1", [], trials=tuple(map(plain, rows))), tmp_path / "a.jsonl")
    merged = gathered.collect(tmp_path)
    assert sorted(merged.sittings["reason"]) == ["not finished", gathered.FREE] and merged.rows.empty
    assert len(merged.trials) == len(rows)


# --- faults -------------------------------------------------------------------------------------------------------


def spoilt(text: str, how: str) -> str:
    """Return a file of a hand-in with one fault, its end made anew so that only this fault is found."""
    lines = text.splitlines()[:-1]
    head, trial = json.loads(lines[0]), json.loads(lines[-1])
    if how == "column":
        del trial["trial"]["rt_s"]
    elif how == "who":
        trial["trial"]["who"] = "somebody"
    elif how == "kind":
        trial["trial"]["kind"] = "model"
    elif how == "two parts":
        trial["attempt"] = {}
    elif how == "newer":
        head["hand-in"]["version"] = 99
    elif how == "no student":
        del head["hand-in"]["student"]
    elif how == "state":
        lines[1] = json.dumps({"exercise": {"exercise": "01-corner", "state": "splendid"}})
    elif how == "long":
        lines[1] = json.dumps({"exercise": {"exercise": "01-corner", "state": "right", "code": "x" * 20_001}})
    elif how == "deep":
        lines[-1] = '{"trial": ' + "[" * 100_000 + "]" * 100_000 + "}"
    if how not in ("deep",):
        lines[0], lines[-1] = json.dumps(head), json.dumps(trial)
    body = "\n".join(lines) + "\n"
    import hashlib

    end = {"end": {"lines": len(lines), "sha256": hashlib.sha256(body.encode()).hexdigest()}}
    return body + json.dumps(end) + "\n"


@pytest.mark.parametrize("how, line, said", [
    ("column", -1, "without rt_s"), ("who", -1, "somebody"), ("kind", -1, "model"), ("two parts", -1, "heading"),
    ("newer", 1, "update cogkit"), ("no student", 1, "student"), ("state", 2, "splendid"), ("long", 2, "20,001"),
    ("deep", -1, "JSON"),
])  # fmt: skip
def test_every_fault_names_file_and_line(how, line, said, quick, tmp_path, capsys):
    path = hand_in.write(quick, tmp_path / "in" / "bad.jsonl")
    text = path.read_text(encoding="utf-8")
    path.write_text(spoilt(text, how), encoding="utf-8")
    hand_in.write(hand_in.HandIn(**vars(quick) | {"student": "other", "trials": ()}), tmp_path / "in" / "good.jsonl")
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 1
    number = len(text.splitlines()) - 1 if line == -1 else line
    fault, end = capsys.readouterr().err.splitlines()
    assert fault.startswith(f"{path}: line {number}: ") and said in fault
    assert end == "cogkit: nothing was written, because of 1 faults" and not (tmp_path / "out").exists()


@pytest.mark.parametrize("cut", [1, 40, 200, 5000])
def test_a_truncated_or_changed_file_is_told(cut, quick, tmp_path):
    path = hand_in.write(quick, tmp_path / "a.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    (fault,) = gathered.collect(tmp_path)
    assert "ask the student for it again" in str(fault)
    path.write_bytes(whole.replace(b"corner = 36", b"corner = 37"))
    (fault,) = gathered.collect(tmp_path)
    assert "changed after it was written" in str(fault)


@pytest.mark.parametrize("content", [b"", b"\x00" * 4096, b"{}", b'{"a": 1}\n', b"PK\x03\x04", b"[" * 10**6])
def test_a_foreign_file_is_one_fault(content, tmp_path):
    (tmp_path / "x.jsonl").write_bytes(content)
    faults = gathered.collect(tmp_path)
    assert len(faults) == 1 and len(str(faults[0])) < 500


def test_a_million_lines_are_refused_at_once(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"hand-in": {"version": 1}}\n' * 10**6)
    (fault,) = gathered.collect(tmp_path)
    assert "1,000,001 lines" in str(fault)


def test_hand_ins_of_two_classes_are_not_mixed(quick, tmp_path):
    hand_in.write(quick, tmp_path / "a.jsonl")
    other = hand_in.About("0ther", "Another", NAMES)
    hand_in.write(hand_in.HandIn(**vars(quick) | {"about": other, "student": "b", "trials": ()}), tmp_path / "b.jsonl")
    (fault,) = gathered.collect(tmp_path)
    assert "0ther" in str(fault) and "c1a55" in str(fault)


def test_a_sitting_in_two_hand_ins_is_told(quick, tmp_path):
    stolen = tuple(row | {"who": "thief"} for row in quick.trials)
    hand_in.write(quick, tmp_path / "a.jsonl")
    hand_in.write(hand_in.HandIn(**vars(quick) | {"student": "thief", "trials": stolen}), tmp_path / "b.jsonl")
    (fault,) = gathered.collect(tmp_path)
    assert "every sitting once" in str(fault)


def test_an_answer_that_the_study_does_not_allow_is_told(quick, tmp_path):
    rows = [*quick.trials]
    rows[-1] = rows[-1] | {"response": "no such option"}
    hand_in.write(hand_in.HandIn(**vars(quick) | {"trials": tuple(rows)}), tmp_path / "a.jsonl")
    (fault,) = gathered.collect(tmp_path)
    assert "no such option" in str(fault) and "a.jsonl" in str(fault)


def test_an_older_hand_in_is_read(quick, tmp_path):
    path = hand_in.write(hand_in.HandIn(**vars(quick) | {"attempts": (), "trials": ()}), tmp_path / "a.jsonl")
    text = path.read_text(encoding="utf-8")
    head = json.loads(text.splitlines()[0])
    for field in ("name", "at", "cogkit"):
        del head["hand-in"][field]
    for field in ("preset", "seed", "minutes", "cogkit"):
        del head["hand-in"]["about"][field]
    lines = [json.dumps(head), *text.splitlines()[1:-1], text.splitlines()[-1]]
    path.write_text(spoilt("\n".join(lines) + "\n", ""), encoding="utf-8")
    old = hand_in.read(path)
    assert isinstance(old, hand_in.HandIn) and old.name == old.cogkit == "" and old.exercises == quick.exercises
    assert len(gathered.collect(tmp_path).exercises) == 3


def test_hostile_names_and_answers_stay_text(quick, tmp_path):
    evil = (hand_in.Exercise("01-corner", "wrong", HOSTILE),)
    handed_in = hand_in.HandIn(**vars(quick) | {"name": HOSTILE, "exercises": evil, "trials": ()})
    hand_in.write(handed_in, tmp_path / "in" / "a.jsonl")
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    again = gathered.load(tmp_path / "out")  # nobody sat a study: these tables are empty
    assert again.exercises["code"].tolist() == again.students["name"].tolist() == [HOSTILE]
    assert again.sittings.empty and again.rows.empty and again.trials.empty


def test_two_collects_at_once_leave_one_whole_class(quick, tmp_path):
    hand_in.write(quick, tmp_path / "in" / "a.jsonl")
    command = [sys.executable, "-m", "cogkit.app.cli", "class", "collect", str(tmp_path / "in"), "--out"]
    both = [subprocess.Popen([*command, str(tmp_path / "out")], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    codes = sorted((process.wait(timeout=200), process.stderr.read()) for process in both)
    assert [code for code, _ in codes] == [0, 2] and codes[1][1].count("\n") == 1  # one wins, the other says why
    assert len(gathered.load(tmp_path / "out").students) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out"}


# --- packing ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lesson(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lesson") / "pack"
    pack.pack(folder, ["01", "02", "04"], seed=11, title="Abstraction 101", run=False)
    return folder


def cells(path: Path) -> list:
    return nbformat.read(path, as_version=4).cells


def test_a_plan_fills_the_lesson_without_a_gap(lesson):
    about = hand_in.about_of(lesson / "student")
    assert about.notebooks == ("01_play_tiles", "02_task_metamers", "04_people_and_agents") and about.seed == 11
    for minutes in (50, 60, 90, 240):
        slots = pack.plan(about.notebooks, minutes)
        assert slots[0].begin == 0 and slots[-1].end == minutes
        assert all(a.end == b.begin for a, b in zip(slots, slots[1:], strict=False))
        assert all(slot.end - slot.begin >= pack.LEAST for slot in slots if slot.notebook)
    with pytest.raises(InputError, match="50 or more"):
        pack.plan(about.notebooks, 49)


def test_students_get_no_solution_and_the_teacher_gets_all(lesson):
    for name in hand_in.about_of(lesson / "student").notebooks:
        known = notes.read(name)
        student = cells(lesson / "student" / f"{name}.ipynb")
        teacher = cells(lesson / "teacher" / f"{name}.ipynb")
        nbformat.validate(nbformat.read(lesson / "student" / f"{name}.ipynb", as_version=4))
        text = "\n".join(cell.source for cell in student)
        for exercise, note in known.items():
            assert note.solution.strip() not in text
            (answer,) = (cell.source for cell in teacher if cell.metadata.get("exercise") == exercise)
            assert answer.strip() == note.solution.strip()
            for mistake in note.mistakes:
                assert any(mistake.why in cell.source for cell in teacher) and mistake.why not in text
        (settings,) = (cell.source for cell in student if "parameters" in cell.metadata.get("tags", ()))
        assert 'preset: str = "quick"' in settings and "seed: int = 11" in settings
        assert (
            "the plan of the lesson" in student[1].source and "Afterwards you will be able to say" in student[0].source
        )


def test_the_last_notebook_ends_with_the_hand_in(lesson):
    ends = {path.stem: cells(path)[-1].source for path in sorted((lesson / "student").glob("0*.ipynb"))}
    assert [name for name, source in ends.items() if "panel.HandIn()" in source] == ["04_people_and_agents"]


def test_nbgrader_makes_an_assignment_without_solutions(lesson):
    env = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "abstraction-101"]
    done = subprocess.run(command, cwd=lesson / "nbgrader", env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    for name in hand_in.about_of(lesson / "student").notebooks:
        released = cells(lesson / "nbgrader" / "release" / "abstraction-101" / f"{name}.ipynb")
        graded = {cell.metadata.nbgrader.grade_id: cell for cell in released if "nbgrader" in cell.metadata}
        known = notes.read(name)
        assert set(graded) == {*known, *(f"{exercise}-check" for exercise in known)}
        text = "\n".join(cell.source for cell in released)
        assert "exercises.judged" not in text and "SOLUTION" not in text
        assert all(note.solution.strip() not in text for note in known.values())


def test_otter_makes_an_assignment_whose_solutions_pass(lesson, tmp_path):
    command = [sys.executable, "-m", "otter", "assign", str(lesson / "otter" / "01_play_tiles.ipynb"), str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]  # it runs the notebook, and fails where a solution fails its test
    student = "\n".join(cell.source for cell in cells(tmp_path / "student" / "01_play_tiles.ipynb"))
    for exercise, note in notes.read("01_play_tiles").items():
        assert f'grader.check("q{exercise.replace("-", "_")}")' in student and note.solution.strip() not in student
    assert "first_click = ...\n" in student or "first_click = ..." in student


@pytest.mark.parametrize("arguments, said", [
    (["--notebooks", "01,01"], "each once"), (["--notebooks", ""], "one or more"), (["--notebooks", "77"], "notebook"),
    (["--notebooks", "00,01"], "no exercises"), (["--minutes", "12"], "50 or more"), (["--preset", "huge"], "preset"),
])  # fmt: skip
def test_a_lesson_that_cannot_be_is_one_sentence(arguments, said, tmp_path, capsys):
    assert cli.main(["class", "pack", "--out", str(tmp_path / "x"), "--without-figures", *arguments]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_a_folder_that_is_there_is_left_alone(lesson, capsys):
    before = sorted(path.stat().st_mtime for path in lesson.rglob("*"))
    assert cli.main(["class", "pack", "--out", str(lesson), "--without-figures"]) == 2
    assert before == sorted(path.stat().st_mtime for path in lesson.rglob("*"))


# --- handing in ---------------------------------------------------------------------------------------------------


def test_a_hand_in_holds_what_was_done_and_no_name_unless_typed(lesson, tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "home"))
    fresh = hand_in.of_folder(lesson / "student")
    assert {exercise.state for exercise in fresh.exercises} == {"open"} and len(fresh.exercises) == 8
    assert fresh.name == "" and not fresh.trials and not fresh.attempts
    monkeypatch.setenv("JPY_SESSION_NAME", str(lesson / "student" / "01_play_tiles.ipynb"))
    sat("tiles", Trials(), hand_in.pseudonym())
    sat("mewl", Trials(), hand_in.pseudonym())
    monkeypatch.setenv("JPY_SESSION_NAME", "elsewhere.ipynb")
    sat("bongard", Trials(), hand_in.pseudonym())  # of another notebook: it is not handed in
    widget = panel.HandIn(lesson / "student")
    widget.name.value = "Ada <b>"
    widget.button.click()
    path = lesson / "student" / f"hand-in-{hand_in.pseudonym()}.jsonl"
    handed_in = hand_in.read(path)
    assert handed_in.name == "Ada <b>" and "Ada &lt;b&gt;" in widget.status.value
    assert {row["instrument"] for row in handed_in.trials} == {"tiles", "mewl"}
    path.unlink()


def test_an_attempt_is_kept_in_a_notebook_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path))
    exercises.check("01-corner", 35)
    assert exercises.attempts() == []
    monkeypatch.setattr(exercises, "get_ipython", lambda: type("Shell", (), {"user_ns": {}})())
    for answer in (..., 35, 36, len):
        exercises.check("01-corner", answer)
    kept = [(attempt.passed, attempt.answer) for attempt in exercises.attempts()]
    assert kept == [(False, "35"), (True, "36"), (False, "")]
    with (tmp_path / "attempts.jsonl").open("a") as file:
        file.write("torn\n")
    assert len(exercises.attempts()) == 3


def _attempt(k: int) -> None:
    exercises._keep(exercises.Verdict("01-corner", False, f"Not yet: {k} " + "x" * 3000), k)


def test_attempts_of_many_notebooks_at_once_are_all_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path))
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.map(_attempt, range(200), chunksize=1)
    assert sorted(int(attempt.answer) for attempt in exercises.attempts()) == list(range(200))


def test_a_folder_without_a_lesson_is_one_sentence(tmp_path, capsys):
    assert cli.main(["class", "hand-in", "--notebooks", str(tmp_path)]) == 2
    assert "cogkit class pack" in capsys.readouterr().err


def test_a_report_is_no_exercise_and_its_title_stays_text(quick, tmp_path):
    about = hand_in.About("c1a55", HOSTILE, NAMES)
    hand_in.write(hand_in.HandIn(**vars(quick) | {"about": about}), tmp_path / "in" / "a.jsonl")
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    assert cli.main(["class", "report", str(tmp_path / "out"), "--out", str(tmp_path / "report")]) == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "<script>window.ran" not in page and "<iframe src=javascript" not in page and "window.ran" in page
    assert (
        "Exercises</h2>" not in page
        and "This class is simulated" not in page
        and ".ipynb" not in page
        and "index.html" not in page
    )
    assert {path.name for path in (tmp_path / "report").iterdir()} == {"report.html", "plotly.min.js"}
    assert cli.main(["class", "report", str(tmp_path / "in"), "--out", str(tmp_path / "other")]) == 2
    assert not (tmp_path / "other").exists()


# --- a whole lesson -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved(lesson, tmp_path_factory) -> tuple[Path, Path]:
    """The students' notebooks after a student has put the solutions in and run them all, and that student's home."""
    folder, home = tmp_path_factory.mktemp("solved"), tmp_path_factory.mktemp("home")
    shutil.copy(lesson / "student" / hand_in.ABOUT, folder)
    for name in hand_in.about_of(folder).notebooks:
        notebook, known = nbformat.read(lesson / "student" / f"{name}.ipynb", as_version=4), notes.read(name)
        for cell in notebook.cells:
            if exercise := cell.metadata.get("exercise"):
                cell.source = known[exercise].solution
        nbformat.write(notebook, folder / "in.ipynb")
        env = {"COGKIT_HOME": str(home), "OMP_NUM_THREADS": "1"}
        run = notebooks.execute(folder / "in.ipynb", folder / f"{name}.ipynb", {"hands_free": True}, env)
        assert run.ok, run.error
    return folder, home


def test_thirty_students_hand_in_and_the_class_is_reported_on(solved, tmp_path, monkeypatch, capsys, record_property):
    folder, home = solved
    about = hand_in.about_of(folder)
    given = simulated.hand_ins(seed=2, n=30)
    for _, one in given:
        own = tmp_path / one.student
        own.mkdir()
        monkeypatch.setenv("COGKIT_HOME", str(own))
        (own / "pseudonym").write_text(one.student)
        shutil.copy(home / "attempts.jsonl", own)
        rows = [row | {"extra": row["extra"] | {"notebook": about.notebooks[0]}} for row in one.trials]
        trials = Trials()
        for _, sitting in itertools.groupby(rows, key=lambda row: row["sitting"]):
            trials.replace([*sitting])
        arguments = ["class", "hand-in", "--notebooks", str(folder), "--out", str(tmp_path / "in")]
        assert cli.main(arguments) == 0
        assert "8 of 8 exercises solved" in capsys.readouterr().out
    begin = time.perf_counter()
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "class")]) == 0
    assert cli.main(["class", "report", str(tmp_path / "class"), "--out", str(tmp_path / "report")]) == 0
    record_property("seconds for thirty students", f"{time.perf_counter() - begin:.0f}")  # shown, not asserted
    merged = gathered.load(tmp_path / "class")
    assert set(merged.students["student"]) == {one.student for _, one in given}
    assert (merged.exercises["state"] == "right").all() and len(merged.exercises) == 30 * 8
    answers = merged.exercises[merged.exercises["exercise"].isin(["01-corner", "02-triples"])]
    assert (answers["by"] == gathered.AGAIN).all() and (answers["attempts"] == 1).all()
    finished = {row["sitting"] for _, one in given for row in one.trials}
    assert set(merged.sittings["sitting"]) == finished
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert about.title in page and "http://" not in page.replace("http://www.w3.org", "")
    assert all(one.student in page for _, one in given[:3])
