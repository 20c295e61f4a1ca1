"""Whole lessons: packed for students, teachers, nbgrader and Otter, solved, handed in by thirty, and reported on."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import nbformat
import pytest
from children import run, start
from classes import sat
from markup import HOSTILE

from cogkit.app import cli, notebooks
from cogkit.extras.classroom import gathered, hand_in, notes, pack, panel, simulated
from cogkit.study.trials import Trials
from cogkit.study.uploads import uploads

PYTHON = Path(sys.executable)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lesson") / "pack"
    pack.pack(folder, ["01", "02", "04"], seed=11, title="Abstraction 101", run=False)
    return folder


def cells(path: Path) -> list:
    return nbformat.read(path, as_version=4).cells


def code(path: Path) -> str:
    return "\n".join(cell.source for cell in cells(path))


def test_students_get_no_solution_and_the_teacher_gets_all(lesson):
    for name in hand_in.about_of(lesson / "student").notebooks:
        student, teacher = (cells(lesson / folder / f"{name}.ipynb") for folder in ("student", "teacher"))
        nbformat.validate(nbformat.read(lesson / "student" / f"{name}.ipynb", as_version=4))
        text = "\n".join(cell.source for cell in student)
        for exercise, note in notes.read(name).items():
            assert note.solution.strip() not in text
            (answer,) = (cell.source for cell in teacher if cell.metadata.get("exercise") == exercise)
            assert answer.strip() == note.solution.strip()
            for mistake in note.mistakes:
                assert any(mistake.why in cell.source for cell in teacher) and mistake.why not in text
        (settings,) = (cell.source for cell in student if "parameters" in cell.metadata.get("tags", ()))
        assert 'preset: str = "quick"' in settings and "seed: int = 11" in settings
        assert ("panel.HandIn()" in student[-1].source) == (name == "04_people_and_agents")


def test_nbgrader_makes_an_assignment_without_solutions(lesson):
    env = os.environ | {"PATH": os.pathsep.join([str(PYTHON.parent), os.environ["PATH"]])}
    done = run([PYTHON, "-m", "nbgrader", "generate_assignment", "abstraction-101"], cwd=lesson / "nbgrader", env=env)
    assert done.returncode == 0, done.stderr[-2000:]
    for name in hand_in.about_of(lesson / "student").notebooks:
        path, known = lesson / "nbgrader" / "release" / "abstraction-101" / f"{name}.ipynb", notes.read(name)
        graded = {cell.metadata.nbgrader.grade_id for cell in cells(path) if "nbgrader" in cell.metadata}
        assert graded == {*known, *(f"{exercise}-check" for exercise in known)}
        assert "exercises.judged" not in code(path) and "SOLUTION" not in code(path)
        assert all(note.solution.strip() not in code(path) for note in known.values())


def test_otter_makes_an_assignment_whose_solutions_pass(lesson, tmp_path):
    notebook = str(lesson / "otter" / "01_play_tiles.ipynb")
    done = run([PYTHON, "-m", "otter", "assign", notebook, str(tmp_path)], cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]  # it runs the notebook, and fails where a solution fails its test
    student = code(tmp_path / "student" / "01_play_tiles.ipynb")
    for exercise, note in notes.read("01_play_tiles").items():
        assert f'grader.check("q{exercise.replace("-", "_")}")' in student and note.solution.strip() not in student
    assert "first_click = ..." in student


def test_a_hand_in_holds_what_was_done_and_no_name_unless_typed(lesson, home, monkeypatch):
    fresh = hand_in.of_folder(lesson / "student")
    assert {exercise.state for exercise in fresh.exercises} == {"open"} and len(fresh.exercises) == 8
    assert fresh.name == "" and not fresh.trials and not fresh.attempts
    of = {"tiles": str(lesson / "student" / "01_play_tiles.ipynb"), "bongard": "elsewhere.ipynb"}
    for name, notebook in of.items():
        monkeypatch.setenv("JPY_SESSION_NAME", notebook)
        sat(name, Trials(), hand_in.pseudonym())
    widget = panel.HandIn(lesson / "student")
    widget.name.value = "Ada <b>"
    widget.button.click()
    path = lesson / "student" / f"hand-in-{hand_in.pseudonym()}.jsonl"
    handed_in, _ = hand_in.read(*uploads([path]))
    assert handed_in.name == "Ada <b>" and "Ada &lt;b&gt;" in widget.status.value
    assert {row["instrument"] for row in handed_in.trials} == {"tiles"}  # what was sat elsewhere is not handed in
    path.unlink()


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
        nbformat.write(notebook, home / "in.ipynb")
        env = {"COGKIT_HOME": str(home), "OMP_NUM_THREADS": "1"}
        done = notebooks.execute(home / "in.ipynb", folder / f"{name}.ipynb", {"hands_free": True}, env)
        assert done.ok, done.error
    return folder, home


def test_thirty_students_hand_in_and_the_class_is_reported_on(solved, tmp_path, monkeypatch, capsys):
    folder, home = solved
    about, hand_ins = hand_in.about_of(folder), [one for _, one in simulated.hand_ins(seed=2, n=30)]
    for one in hand_ins:
        own = tmp_path / one.student
        own.mkdir()
        monkeypatch.setenv("COGKIT_HOME", str(own))
        (own / "pseudonym").write_text(one.student)
        shutil.copy(home / "attempts.jsonl", own)
        rows = [row | {"extra": row["extra"] | {"notebook": about.notebooks[0]}} for row in one.trials]
        trials = Trials()
        for _, sitting in itertools.groupby(rows, key=lambda row: row["sitting"]):
            trials.replace([*sitting])
        assert cli.main(["class", "hand-in", "--notebooks", str(folder), "--out", str(tmp_path / "in")]) == 0
        assert "8 of 8 exercises solved" in capsys.readouterr().out
    command = ["class", "collect", str(tmp_path / "in"), "--lesson", str(folder), "--out", str(tmp_path / "class")]
    assert cli.main(command) == 1 and "2 left out" in capsys.readouterr().out  # who left the study before its end
    assert cli.main(["class", "report", str(tmp_path / "class"), "--out", str(tmp_path / "report")]) == 0
    merged = gathered.load(tmp_path / "class")
    assert set(merged.students["student"]) == {one.student for one in hand_ins}
    assert (merged.exercises["state"] == "right").all() and len(merged.exercises) == 30 * 8
    answers = merged.exercises[merged.exercises["exercise"].isin(["01-corner", "02-triples"])]
    assert (answers["by"] == gathered.AGAIN).all() and (answers["attempts"] == 1).all()
    assert set(merged.sittings["sitting"]) == {row["sitting"] for one in hand_ins for row in one.trials}
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert about.title in page and "http://" not in page.replace("http://www.w3.org", "")
    assert all(one.student in page for one in hand_ins[:3])


def about_file(folder: Path, about: hand_in.About) -> None:
    """Write what the teacher's pack says of the class beside the hand-ins."""
    (folder / hand_in.ABOUT).write_text(json.dumps(asdict(about)), encoding="utf-8")


def cut(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])


def sealed_again(path: Path, change) -> None:
    """Change a hand-in, and end it as if its student had written it so."""
    ((one, _),) = [hand_in.read(upload) for upload in uploads([path])]
    hand_in.write(change(one), path)


def late(one: hand_in.HandIn) -> hand_in.HandIn:
    return replace(one, trials=(*one.trials[:-1], one.trials[-1] | {"rt_s": -5.0}))


def test_thirty_hand_ins_of_which_twelve_are_at_fault_give_thirty_students_or_their_reasons(tmp_path, capsys):
    folder = tmp_path / "in"
    handed = simulated.hand_ins(n=30)
    paths = [hand_in.write(one, folder / file) for file, one in handed]
    about_file(tmp_path, handed[0][1].about)
    cut(paths[0], 0.5)  # a cut upload
    paths[1].write_bytes(b"")
    shutil.copy(paths[2], folder / f"{paths[2].name}.partial"), cut(folder / f"{paths[2].name}.partial", 0.7)
    paths[3].write_bytes(gzip.compress(paths[3].read_bytes()))
    paths[4].write_bytes(paths[4].read_bytes().replace(b"\n", b"\r\n"))
    paths[5].rename(folder / "hand-in.jsonl.txt")
    sealed_again(paths[6], late)
    sealed_again(paths[7], lambda one: replace(one, about=replace(one.about, seed=99)))
    paths[8].write_bytes(paths[8].read_bytes().replace(b'"name": ""', b'"name": "Eve"', 1))  # changed by hand
    sealed_again(paths[9], lambda one: replace(one, trials=[row | {"instrument": "chess"} for row in one.trials]))
    other = handed[11][1].student
    bob = {"student": other, "name": "Bob", "trials": [row | {"who": other} for row in handed[10][1].trials]}
    sealed_again(paths[10], lambda one: replace(one, **bob))
    shutil.copy(paths[12], folder / "copy of it.jsonl")
    (folder / "notes.txt").write_text("Bring the projector.", encoding="utf-8")
    assert cli.main(["class", "collect", str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "so this one is" in capsys.readouterr().out
    merged = gathered.load(tmp_path / "out")
    left = {Path(file).stem.partition(".")[0] for file in merged.left_out["file"]}
    there = {student.removesuffix("-2") for student in merged.students["student"]}
    names = {one.student for _, one in handed}
    assert len(merged.students) == 26 and names - {handed[10][1].student} <= there | left
    assert {handed[k][1].student for k in (0, 1, 7, 8)} == names - there - {handed[10][1].student}
    assert merged.students["student"].str.endswith("-2").sum() == 1  # two students of one pseudonym
    reasons = " ".join(merged.left_out["reason"])
    for reason in ("cut", "empty", "another class", "changed after", "rt_s", "instrument"):
        assert reason in reasons, reason


def test_two_collects_at_once_leave_one_whole_class(tmp_path):
    ((file, one),) = simulated.hand_ins(n=1)
    hand_in.write(one, tmp_path / "in" / file)
    about_file(tmp_path / "in", one.about)
    command = [PYTHON, "-m", "cogkit.app.cli", "class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    both = [start(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    codes = sorted((process.wait(timeout=200), process.stderr.read()) for process in both)
    assert [code for code, _ in codes] == [0, 2] and codes[1][1].count("\n") == 1  # one wins, the other says why
    assert len(gathered.load(tmp_path / "out").students) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out"}


def test_a_report_keeps_hostile_titles_names_and_answers_text(tmp_path):
    ((file, one),) = simulated.hand_ins(n=1)
    evil = tuple(replace(each, code=HOSTILE) for each in one.exercises)
    about = hand_in.About("c1a55", HOSTILE, one.about.notebooks)
    hand_in.write(replace(one, about=about, name=HOSTILE, exercises=evil), tmp_path / "in" / file)
    about_file(tmp_path / "in", about)
    assert cli.main(["class", "collect", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    assert cli.main(["class", "report", str(tmp_path / "out"), "--out", str(tmp_path / "report")]) == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "<script>window.ran" not in page and "<iframe src=javascript" not in page and "window.ran" in page
    assert "This class is simulated" not in page and ".ipynb" not in page and "index.html" not in page
    assert {path.name for path in (tmp_path / "report").iterdir()} == {"report.html", "plotly.min.js"}
    assert cli.main(["class", "report", str(tmp_path / "in"), "--out", str(tmp_path / "other")]) == 2
    assert not (tmp_path / "other").exists()
