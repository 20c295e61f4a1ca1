"""The notebooks as pages: as they are saved, or as a run left them, with figures and widgets that fetch nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cogkit.app import notebooks, pages
from cogkit.core.errors import InputError
from cogkit.data import readers

_NOT_RUN = """```{note}
Nobody has run this notebook for these pages, so it shows no results. To run it yourself, open it with `cogkit lab`. To
have results here, first type `cogkit run --out runs`, then `cogkit docs --executed runs/quick --out DIR`.
```"""
_RUN = """```{note}
This is one run of the notebook, without a reader. To play, train and answer yourself, open it with `cogkit lab`.
```"""
_SHOWN = ("text/", "image/")  # what a page can show of an output
_LINK = re.compile(r"\]\((?=\d\d_\w+\.ipynb|pictures/)")


def executed(folder: Path | str) -> dict[str, Path]:
    """Return the executed notebooks in a folder, by name; `InputError` if none of the project's is there."""
    names = {path.name for path in notebooks.find()}
    runs = {path.stem: path for path in sorted(Path(folder).glob("*.ipynb")) if path.name in names}
    if not runs:
        raise InputError(f"{folder} without any", "a folder with notebooks that cogkit run wrote")
    return runs


def prepared(path: Path, was_run: bool) -> str:
    """Return a notebook, as JSON, that is ready for a page; ``was_run`` says that its outputs are those of a run.

    Raises
    ------
    InputError
        It is no notebook.
    """
    import nbformat  # with the notebook schema, as in `pages`

    own = nbformat.ValidationError, AttributeError, NameError, AssertionError
    with readers.faults(path, "a notebook that cogkit run wrote", "", *own):
        notebook = nbformat.reads(readers.text(path), as_version=4)
        _finish(notebook, was_run, pages.flattened(notebook)[0] if was_run else "")
        text = json.dumps(notebook, ensure_ascii=False, indent=1)  # nbformat would validate it once more
        text.encode()  # half a surrogate is no text
        return text


def _finish(notebook: Any, was_run: bool, script: str) -> None:
    """Let links lead to pages, fold code away that teaches nothing, and say whether the notebook was run."""
    from nbformat.v4 import new_markdown_cell  # as above

    stems = [path.stem for path in notebooks.find()]
    notebook.metadata.setdefault("language_info", {"name": "python"})
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            cell.source = pages.linked(cell.source, stems)
        elif cell.metadata.get("jupyter", {}).get("source_hidden") or "injected-parameters" in tags:
            cell.metadata.tags = [*tags, "hide-input"]
        for output in cell.get("outputs", ()):
            if "data" in output:
                output.data = {
                    kind: pages.linked(part, stems) if kind == "text/html" else part
                    for kind, part in output.data.items()
                    if kind.startswith(_SHOWN)
                }
    notebook.cells.insert(1, new_markdown_cell(_RUN if was_run else _NOT_RUN, id="docs-note"))
    if was_run:
        notebook.cells.insert(2, new_markdown_cell('<script src="plotly.min.js"></script>', id="docs-plotly"))
        notebook.cells.append(new_markdown_cell(script, id="docs-widgets"))


def section(name: str, heading: str) -> str:
    """Return the Markdown below a heading of a notebook, for a page elsewhere; empty if there is no such heading.

    ``heading`` is a regular expression.

    Examples
    --------
    >>> section("00", "Glossary").startswith("* **certificate**: ")
    True
    """
    (path,) = notebooks.find([name])
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    match = re.search(rf"^## (?:{heading})$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return _LINK.sub("](/notebooks/", match[1].strip()) if match else ""


def glossary() -> str:
    """Return the page of the glossary, which stands in the first notebook: here each term can be linked to."""
    terms = re.findall(r"^\* \*\*(.+?)\*\*: (.+(?:\n  .+)*)", section("00", "Glossary"), re.MULTILINE)
    entries = "\n\n".join(f"{term}\n  {' '.join(text.split())}" for term, text in terms)
    return f"# Glossary\n\nThe words that all notebooks share.\n\n````{{glossary}}\n{entries}\n````\n"
