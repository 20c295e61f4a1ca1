"""The teacher's notes: every exercise has a solution and a mistake, said in short sentences."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest
import solving

from cogkit.app import notebooks
from cogkit.app.classroom import notes

PATHS = notebooks.find()
WIDTH = 120  # letters of a line of code
FILES = sorted(Path(notes.__file__).with_name("notes").glob("*.md"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_exercise_has_its_note_in_the_order_of_the_notebook(path):
    names = solving.exercise_names(nbformat.read(path, as_version=4).cells)
    assert list(notes.read(path.stem)) == names and len(set(names)) == len(names)


def test_no_file_is_left_over():
    assert {path.stem for path in FILES} == {path.stem for path in PATHS if notes.read(path.stem)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_note_has_a_solution_and_different_mistakes(path):
    for name, note in notes.read(path.stem).items():
        codes = [note.solution, *(mistake.code for mistake in note.mistakes)]
        assert len(codes) > 1 and len({ast.dump(ast.parse(code)) for code in codes}) == len(codes), name
        assert all(ast.parse(code).body for code in codes), name
        assert max(len(line) for code in codes for line in code.splitlines()) <= WIDTH, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_of_a_file_is_passed_over(path):
    text, parts = path.read_text(encoding="utf-8"), [f"# {path.stem}\n"]
    for name, note in notes.read(path.stem).items():
        parts.append(f"## {name}\n\n```python solution\n{note.solution}```\n")
        parts += [f"{why}\n\n```python mistake\n{code}```\n" for why, code in note.mistakes]
    assert text == "\n".join(parts)


def test_a_notebook_without_notes_has_none():
    assert notes.read("00_start_here") == notes.read("no such notebook") == {}
