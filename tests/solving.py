"""Runs a notebook with its exercises solved: each is checked unsolved, after each mistake, and after its solution."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import nbformat

from cogkit.app import notebooks
from cogkit.app.exercises import MIME
from cogkit.core.errors import InputError
from cogkit.extras.classroom.notes import Note


def execute(
    path: Path, out: Path, values=None, notes: Mapping[str, Note] = {}, env=None, last: str = ""
) -> notebooks.Run:
    """Return the `Run` of a notebook; it is ok if each exercise fails as it stands and passes after its solution.

    After each mistake of its note, the check must say in a sentence of its own what is wrong.
    ``last`` is the code of one more cell at the end.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = inject(notebook.cells, notes) + [nbformat.v4.new_code_cell(last)] * bool(last)
    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(notebook, Path(folder) / path.name)
        run = notebooks.execute(Path(folder) / path.name, out, values, env)
    error = run.error or _exercise_error(nbformat.read(out, as_version=4).cells)
    return replace(run, ok=not error, error=error)


def exercise_names(cells: Iterable[Mapping]) -> list[str]:
    """Return the names of the exercises of a notebook, in order."""
    return [cell["metadata"]["exercise"] for cell in cells if "exercise" in cell["metadata"].get("tags", ())]


def inject(cells: list, notes: Mapping[str, Note]) -> list:
    """Return the cells with a check of each unsolved exercise, one after each mistake, and then the solution."""
    checks = {}
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        if match := re.search(r"exercises\.check\(\s*[\"']([^\"']+)", cell.source):
            checks.setdefault(match[1], cell)
    result = []
    for cell in cells:
        result.append(cell)
        for name in exercise_names([cell]):
            for noun, known in (("a solution", notes), ("a cell with exercises.check", checks)):
                if name not in known:
                    raise InputError(f"exercise {name!r} without one", noun)
            source, note = checks[name].source, notes[name]
            result.append(_check(source, name, "as the stub stands"))
            for number, mistake in enumerate(note.mistakes, 1):
                wrong = nbformat.v4.new_code_cell(mistake.code, metadata={"tags": ["injected-mistake"]})
                result += [wrong, _check(source, name, f"after mistake {number}", refused=True)]
            result.append(nbformat.v4.new_code_cell(note.solution, metadata={"tags": ["injected-solution"]}))
            checks[name].metadata["expect"] = {"name": name, "passed": True, "moment": "after its solution"}
    return result


def _check(source: str, name: str, moment: str, refused: bool = False):
    """Return a cell with a check that must not pass; if ``refused``, because of what it says of the answer itself."""
    expect = {"name": name, "passed": False, "moment": moment, "refused": refused}
    return nbformat.v4.new_code_cell(source, metadata={"expect": expect})


def _exercise_error(cells: list) -> str:
    """Return the problem of the first check with an unexpected verdict, or an empty string."""
    for cell in cells:
        if expectation := cell.metadata.get("expect"):
            verdicts = [output["data"][MIME] for output in cell.outputs if MIME in output.get("data", {})]
            where = f"exercise {expectation['name']} {expectation['moment']}"
            if not verdicts:
                return f"{where}: its check cell shows no verdict in its last line"
            text = verdicts[-1]["text"]
            if (verdicts[-1]["name"], verdicts[-1]["passed"]) != (expectation["name"], expectation["passed"]):
                return f"{where}: {text}"
            if expectation.get("refused") and (not text.startswith("Not yet:") or "ended with an error" in text):
                return f"{where}, which its check does not judge: {text}"
    return ""
