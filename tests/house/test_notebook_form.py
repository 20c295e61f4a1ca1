"""What a notebook in git looks like: stripped, short, one parameters cell."""

from __future__ import annotations

import ast
import copy
from pathlib import Path

import nbformat
import pytest
import solving

from cogkit.app import exercises

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CELLS, LINES, NAMES = 25, 14, 10
WIDTH, FIRST = 96, 50  # letters of a line beside the file browser at 1024 px, and of a collapsed cell's line


def imported(sources) -> list[str]:
    """Return every name that code imports from cogkit, each once."""
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    lines = [node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "cogkit"]
    names = [f"{node.module}.{alias.name}" for node in lines for alias in node.names]
    names += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return sorted({name for name in names if name.split(".")[0] == "cogkit"})


def faults(notebook) -> list[str]:
    """Return one sentence for everything in a notebook that is not as the house wants it."""
    problems = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tagged = [cell for cell in code if "parameters" in cell.metadata.get("tags", [])]
    first = notebook.cells[0] if notebook.cells else None
    if first is None or first.cell_type != "markdown" or not first.source.startswith("# "):
        problems.append("the first cell is no title")
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        problems.append("the kernel is not python3")
    problems += [f"metadata.{name} is kept" for name in ("widgets", "papermill") if name in notebook.metadata]
    if len(tagged) != 1:
        problems.append(f"{len(tagged)} cells tagged parameters")
    elif "preset: str" not in tagged[0].source or not all(
        ":" in line.split("=")[0] and "#" in line for line in tagged[0].source.splitlines() if "=" in line
    ):
        problems.append("a parameter lacks its type or its comment, or there is no preset")
    if len(names := imported(_plain(cell.source) for cell in code)) > NAMES:
        problems.append(f"{len(names)} names of cogkit: {', '.join(names)}")
    if len(code) - any(cell.id == "install" for cell in code) > CELLS:  # that cell runs on Colab and Kaggle alone
        problems.append(f"{len(code)} code cells")
    for number, cell in enumerate(code):
        if cell.outputs or cell.execution_count is not None:
            problems.append(f"code cell {number} keeps its output")
        if cell.metadata.get("jupyter", {}).get("source_hidden") and len(cell.source.partition("\n")[0]) > FIRST:
            problems.append(f"code cell {number} is collapsed to a line that is too long: JupyterLab does not wrap it")
        if not cell.metadata.get("jupyter", {}).get("source_hidden"):
            long = [line for line in cell.source.splitlines() if len(line) > WIDTH]
            problems += [f"code cell {number} has a line of {len(line)} letters: {line}" for line in long]
        if "execution" in cell.metadata:
            problems.append(f"code cell {number} keeps its times")
        if len(cell.source.splitlines()) > LINES:
            problems.append(f"code cell {number} has {len(cell.source.splitlines())} lines")
        if "exercise" in cell.metadata.get("tags", []):
            name = cell.metadata.get("exercise")
            later = [other.source.strip().splitlines()[-1:] for other in code[number + 1 :]]
            if not any(line and line[0].startswith(f'exercises.check("{name}", ') for line in later):
                problems.append(f"exercise {name} has no cell that ends with its check")
    return problems


def _plain(source: str) -> str:
    """Return a cell's code without lines that are IPython's alone."""
    return "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))


def sound():
    """Return a small notebook without a fault."""
    v4 = nbformat.v4
    cells = [
        v4.new_markdown_cell("# A title"),
        v4.new_code_cell('preset: str = "quick"  # quick, lab or paper', metadata={"tags": ["parameters"]}),
        v4.new_code_cell("answer = ...", metadata={"tags": ["exercise"], "exercise": "90-seven"}),
        v4.new_code_cell('exercises.check("90-seven", answer)'),
    ]
    return v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


BREAKS = {
    "title": lambda nb: nb.cells.pop(0),
    "kernel": lambda nb: nb.metadata.kernelspec.update(name="conda-env"),
    "widgets": lambda nb: nb.metadata.update(widgets={}),
    "no parameters": lambda nb: nb.cells.pop(1),
    "two parameters": lambda nb: nb.cells.append(copy.deepcopy(nb.cells[1])),
    "untyped": lambda nb: nb.cells[1].update(source='preset: str = "quick"  # how much\nseed = 0  # of all'),
    "uncommented": lambda nb: nb.cells[1].update(source='preset: str = "quick"'),
    "cells": lambda nb: nb.cells.extend(nbformat.v4.new_code_cell("1") for _ in range(CELLS)),
    "names": lambda nb: nb.cells[2].update(
        source=f"from cogkit import {', '.join('abcdefghi')}\nimport cogkit.x, cogkit.y"
    ),
    "output": lambda nb: nb.cells[3].outputs.append(nbformat.v4.new_output("stream", text="x")),
    "count": lambda nb: nb.cells[3].update(execution_count=3),
    "lines": lambda nb: nb.cells[2].update(source="answer = ...\n" * (LINES + 1)),
    "width": lambda nb: nb.cells[2].update(source=f"answer = ...  # {'a' * WIDTH}"),
    "collapsed": lambda nb: nb.cells[2].update(
        source=f"answer = ...  # {'a' * FIRST}", metadata=nb.cells[2].metadata | {"jupyter": {"source_hidden": True}}
    ),
    "check": lambda nb: nb.cells.pop(3),
    "check of another": lambda nb: nb.cells[3].update(source='exercises.check("91-eight", answer)'),
}


def test_a_sound_notebook_has_no_fault():
    assert faults(sound()) == []


@pytest.mark.parametrize("name", BREAKS)
def test_every_fault_is_seen(name):
    notebook = sound()
    BREAKS[name](notebook)
    assert faults(notebook)


def test_there_are_notebooks_and_the_first_is_the_gallery():
    assert [path.name for path in PATHS][:1] == ["00_start_here.ipynb"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebook_is_as_the_house_wants_it(path):
    assert faults(nbformat.read(path, as_version=4)) == []


def test_every_notebook_begins_with_the_same_cell_that_installs_it_on_colab_and_kaggle():
    first = [next(c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code") for path in PATHS]
    assert first == [first[0]] * len(PATHS)
    assert first[0].id == "install" and first[0].metadata.jupyter.source_hidden


@pytest.mark.parametrize("path", PATHS[3:10], ids=lambda path: path.stem)
def test_the_question_on_the_card_is_the_one_on_the_page(path):
    notebook = nbformat.read(path, as_version=4)
    assert f"**{notebook.metadata.cogkit.question}**" in notebook.cells[0].source


def test_each_exercise_has_its_check_and_each_check_an_exercise():
    names = [name for path in PATHS for name in solving.exercise_names(nbformat.read(path, as_version=4).cells)]
    assert sorted(names) == sorted(exercises.exercises())
