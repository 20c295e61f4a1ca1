"""The notebooks as pages: as they are saved, or as a run left them, with figures and widgets that fetch nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cogkit.app import gallery, notebooks, pages
from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.extras.docs.outline import Page

_NOT_RUN = """```{note}
Nobody has run this notebook for these pages, so it shows no results. To run it yourself, open it with `cogkit lab`. To
have results here, first type `cogkit run --out runs`, then `cogkit docs --executed runs/quick --out DIR`.
```"""
_RUN = """```{note}
This is one run of the notebook, without a reader. To play, train and answer yourself, open it with `cogkit lab`.
```"""
_SHOWN = ("text/", "image/")  # what a page can show of an output
_FOLDED = {"injected-parameters"}  # tags of cells whose code is folded away


def described() -> list[Page]:
    """Return what the notebooks say of themselves.

    Examples
    --------
    >>> described()[1].about
    'Can you find the red tiles with fewer mistakes than a player who knows no rule?'
    """
    return [Page(f"notebooks/{card.name}", card.title, card.question) for card in gallery.cards()]


def executed(folder: Path | str) -> dict[str, Path]:
    """Return the executed notebooks in a folder, by name.

    Raises
    ------
    InputError
        There is no notebook of the project in it.
    """
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

    try:
        notebook = nbformat.reads(readers.text(path), as_version=4)
        script = pages.flattened(notebook) if was_run else ""
        _finish(notebook, was_run, script)
        return nbformat.writes(notebook)
    except InputError:
        raise
    except Exception as error:  # whatever is wrong with its parts
        raise InputError(f"{path} ({type(error).__name__})", "a notebook that cogkit run wrote") from None


def _finish(notebook: Any, was_run: bool, script: str) -> None:
    """Let links lead to pages, fold code away that teaches nothing, and say whether the notebook was run."""
    from nbformat.v4 import new_markdown_cell  # as above

    stems = [path.stem for path in notebooks.find()]
    notebook.metadata.setdefault("language_info", {"name": "python"})
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = pages.linked(cell.source, stems)
        elif cell.metadata.get("jupyter", {}).get("source_hidden") or _FOLDED & set(cell.metadata.get("tags", ())):
            cell.metadata.tags = [*cell.metadata.get("tags", ()), "hide-input"]
        for output in cell.get("outputs", ()):
            if "data" in output:
                bundle = {kind: part for kind, part in output.data.items() if kind.startswith(_SHOWN)}
                if "text/html" in bundle:
                    bundle["text/html"] = pages.linked(bundle["text/html"], stems)
                output.data = bundle
    notebook.cells.insert(1, new_markdown_cell(_RUN if was_run else _NOT_RUN, id="docs-note"))
    if was_run:
        notebook.cells.insert(2, new_markdown_cell('<script src="plotly.min.js"></script>', id="docs-plotly"))
        notebook.cells.append(new_markdown_cell(script, id="docs-widgets"))


def plotly() -> str:
    """Return the script that draws figures."""
    from plotly.offline import get_plotlyjs  # heavy, as in `pages`

    return get_plotlyjs()
