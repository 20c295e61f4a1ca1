"""What a notebook in git looks like: stripped, short, one parameters cell; any cell can be run again at any time."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from checks import order

CELLS, LINES, NAMES, MODULES = 25, 14, 12, 2
WIDTH, FIRST = 96, 50  # letters of a line beside the file browser at 1024 px, and of a collapsed cell's line


def source(cell: dict) -> str:
    return "".join(cell["source"])


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def imported(code: list[dict]) -> list[str]:
    """Return every name that code imports from cogkit, each once."""
    lines = (line for cell in code for line in source(cell).splitlines() if not line.lstrip().startswith(("%", "!")))
    nodes = [*ast.walk(ast.parse("\n".join(lines)))]
    names = [f"{node.module}.{a.name}" for node in nodes if isinstance(node, ast.ImportFrom) for a in node.names]
    names += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return sorted({name for name in names if name.split(".")[0] == "cogkit"})


def form(notebook: dict) -> list[str]:
    """Return one sentence for everything in a notebook that is not as the house wants it."""
    cells, about = notebook["cells"], notebook["metadata"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    problems = []
    if not cells or cells[0]["cell_type"] != "markdown" or not source(cells[0]).startswith("# "):
        problems.append("the first cell is no title")
    if about.get("kernelspec", {}).get("name") != "python3":
        problems.append("the kernel is not python3")
    problems += [f"metadata.{name} is kept: strip the outputs" for name in ("widgets", "papermill") if name in about]
    parameters = [source(cell) for cell in code if "parameters" in tags(cell)]
    if len(parameters) != 1:
        problems.append(f"{len(parameters)} cells tagged parameters, wanted one")
    elif "preset: str" not in parameters[0] or not all(
        ":" in line.split("=")[0] and "#" in line for line in parameters[0].splitlines() if "=" in line
    ):
        problems.append("a parameter lacks its type or its comment, or there is no preset")
    if len(names := imported(code)) > NAMES:
        problems.append(f"{len(names)} names of cogkit, at most {NAMES}: {', '.join(names)}")
    modules = {name.rpartition(".")[0] for name in names} - {"cogkit"}
    first = {".".join(name.split(".")[: 3 if name.startswith("cogkit.extras.") else 2]) for name in modules}
    if len(modules) - bool(modules & first) > MODULES:  # beside the package, and an instrument or an extra
        problems.append(f"it imports from {', '.join(sorted(modules))}: one instrument, and {MODULES} more at most")
    if len(code) - any(cell.get("id") == "install" for cell in code) > CELLS:  # that one runs on Colab and Kaggle alone
        problems.append(f"{len(code)} code cells, at most {CELLS} beside the one that installs")
    for number, cell in enumerate(code):
        problems += [f"code cell {number}: {fault}" for fault in cell_form(cell)]
        if "exercise" in tags(cell):
            name = cell["metadata"].get("exercise")
            last = [source(other).strip().splitlines()[-1:] for other in code[number + 1 :]]
            if not any(line and line[0].startswith(f'exercises.check("{name}", ') for line in last):
                problems.append(f"exercise {name} has no cell that ends with its check")
    return problems


def cell_form(cell: dict) -> list[str]:
    """Return what is wrong with a code cell alone."""
    problems, lines = [], source(cell).splitlines()
    if cell["outputs"] or cell["execution_count"] is not None or "execution" in cell["metadata"]:
        problems.append("keeps its output, its number or its times: strip them")
    if cell["metadata"].get("jupyter", {}).get("source_hidden"):
        if lines and len(lines[0]) > FIRST:
            problems.append(f"collapsed to a line of more than {FIRST} letters: JupyterLab does not wrap it")
    else:
        problems += [f"a line of {len(line)} letters, at most {WIDTH}: {line}" for line in lines if len(line) > WIDTH]
    if len(lines) > LINES:
        problems.append(f"{len(lines)} lines, at most {LINES}")
    return problems


def words(name: str, notebook: dict) -> list[str]:
    """Return what a notebook's first page lacks."""
    first, number = source(notebook["cells"][0]), int(name[:2])
    needs = ["**Afterwards you will be able to say", "**If you have only ten minutes"] if number else []
    if 3 <= number <= 9:  # the question on its card
        needs.append(f"**{notebook['metadata']['cogkit']['question']}**")
    return [f"the first cell does not say: {text}" for text in needs if text not in first]


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for each fault of each notebook, and for exercises without their check."""
    paths = [path for path in files if path.parent == root / "notebooks" and path.suffix == ".ipynb"]
    problems, installing, exercises = [], {}, []
    for path in paths:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [source(cell) if cell["cell_type"] == "code" else "" for cell in notebook["cells"]]
        issues = form(notebook) + words(path.stem, notebook) + order.clashes(code)
        problems += [f"{path.relative_to(root)}: {fault}" for fault in issues]
        first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
        installing[path.name] = source(first) if first.get("id") == "install" else ""
        exercises += [cell["metadata"].get("exercise") for cell in notebook["cells"] if "exercise" in tags(cell)]
    if len(set(installing.values())) > 1 or "" in installing.values():
        problems.append("notebooks: the first code cell, which installs cogkit on Colab and Kaggle, is not one for all")
    known = [
        name for path in sorted((root / "cogkit").rglob("*exercises.json")) for name in json.loads(path.read_text())
    ]
    problems += [f"exercise {name}: in a notebook or in its table alone" for name in {*exercises} ^ {*known}]
    return problems
