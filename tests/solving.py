"""Runs a notebook with its exercises solved: each is checked unsolved, and again after its solution."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import nbformat

from cogkit.app import notebooks
from cogkit.app.exercises import MIME
from cogkit.core.contracts import InputError


def execute(
    path: Path, out: Path, values=None, solutions: Mapping[str, str] = {}, env=None, last: str = ""
) -> notebooks.Run:
    """Return the `Run` of a notebook; it is ok if each exercise fails as it stands and passes after its solution.

    ``last`` is the code of one more cell at the end.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = inject(notebook.cells, solutions) + [nbformat.v4.new_code_cell(last)] * bool(last)
    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(notebook, Path(folder) / path.name)
        run = notebooks.execute(Path(folder) / path.name, out, values, env)
    error = run.error or _exercise_error(nbformat.read(out, as_version=4).cells)
    return replace(run, ok=not error, error=error)


def read_solutions(path: Path | str) -> dict[str, str]:
    """Return the code of each exercise in a solution file (sections begin with ``# %% name``); {} without a file."""
    text = Path(path).read_text() if Path(path).exists() else ""
    parts = re.split(r"^# %% *(\S+) *\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def exercise_names(cells: Iterable[Mapping]) -> list[str]:
    """Return the names of the exercises of a notebook, in order."""
    return [cell["metadata"]["exercise"] for cell in cells if "exercise" in cell["metadata"].get("tags", ())]


def inject(cells: list, solutions: Mapping[str, str]) -> list:
    """Return the cells with a check of each unsolved exercise, followed by its solution."""
    checks = {}
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        if match := re.search(r"exercises\.check\(\s*[\"']([^\"']+)", cell.source):
            checks.setdefault(match[1], cell)
    result = []
    for cell in cells:
        result.append(cell)
        for name in exercise_names([cell]):
            for noun, codes in (("a solution", solutions), ("a cell with exercises.check", checks)):
                if name not in codes:
                    raise InputError(f"exercise {name!r} without one", noun)
            before = nbformat.v4.new_code_cell(checks[name].source)
            before.metadata["expect"] = {"name": name, "passed": False}
            solution = nbformat.v4.new_code_cell(solutions[name], metadata={"tags": ["injected-solution"]})
            checks[name].metadata["expect"] = {"name": name, "passed": True}
            result += [before, solution]
    return result


def _exercise_error(cells: list) -> str:
    """Return the problem of the first check with an unexpected verdict, or an empty string."""
    for cell in cells:
        if expectation := cell.metadata.get("expect"):
            verdicts = [output["data"][MIME] for output in cell.outputs if MIME in output.get("data", {})]
            moment = "after its solution" if expectation["passed"] else "as the stub stands"
            if not verdicts:
                return f"exercise {expectation['name']} {moment}: its check cell shows no verdict in its last line"
            if (verdicts[-1]["name"], verdicts[-1]["passed"]) != (expectation["name"], expectation["passed"]):
                return f"exercise {expectation['name']} {moment}: {verdicts[-1]['text']}"
    return ""
