"""The teacher's notes: every exercise has a solution and a mistake, and nothing of a file is passed over."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import solving
from cases import case

from cogkit.app import notebooks
from cogkit.extras.classroom import notes


def test_each_exercise_has_its_note_in_the_order_of_the_notebook():
    for path in notebooks.find():
        names = solving.exercise_names(nbformat.read(path, as_version=4).cells)
        assert list(notes.read(path.stem)) == names and len(set(names)) == len(names), path
    assert notes.read("no such notebook") == {}


def test_each_note_has_a_solution_and_different_mistakes_and_nothing_of_a_file_is_passed_over():
    files = sorted(Path(notes.__file__).with_name("notes").glob("*.md"))
    assert {path.stem for path in files} == {path.stem for path in notebooks.find() if notes.read(path.stem)}
    for path in files:
        parts = [f"# {path.stem}\n"]
        for name, note in notes.read(path.stem).items():
            codes = [note.solution, *(mistake.code for mistake in note.mistakes)]
            trees = [ast.parse(code) for code in codes]
            with case(name):
                assert len(codes) > 1 and len({ast.dump(tree) for tree in trees}) == len(codes)
                assert all(tree.body for tree in trees)
            parts.append(f"## {name}\n\n```python solution\n{note.solution}```\n")
            parts += [f"{why}\n\n```python mistake\n{code}```\n" for why, code in note.mistakes]
        assert path.read_text(encoding="utf-8") == "\n".join(parts), path
