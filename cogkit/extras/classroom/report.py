"""The report of a class as one page: the cells of the notebook `13_a_class` with the tag ``report``."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from cogkit.app import notebooks, pages
from cogkit.core.errors import InputError, one_line
from cogkit.data.files import whole_folder
from cogkit.extras.classroom import gathered
from cogkit.extras.classroom.gathered import Gathered

NOTEBOOK = "13_a_class"
_LINK = re.compile(r"\[([^\]]*)\]\(\w+\.ipynb[^)]*\)")  # the notebooks do not lie beside the report


def write(folder: Path | str, out: Path, preset: str = "quick") -> Path:
    """Write the report of a class into a new folder, whole or not at all, and return its page.

    Parameters
    ----------
    folder : path
        As ``cogkit class collect`` wrote it.
    out : path
        A new folder for the page, which fetches nothing from elsewhere.
    preset : str

    Raises
    ------
    InputError
        The folder holds no class, or what it holds cannot be shown.
    """
    folder = Path(folder).resolve()
    lesson = gathered.load(folder)  # a faulty folder is told before anything runs
    (path,) = notebooks.find([NOTEBOOK])
    with tempfile.TemporaryDirectory(prefix="cogkit-class-") as place, whole_folder(out) as part:
        draft, made = Path(place) / "draft.ipynb", Path(place) / "report.ipynb"
        nbformat.write(edition(nbformat.read(path, as_version=4), lesson), draft)
        values = {"folder": str(folder), "hands_free": True, "preset": preset}
        run(draft, made, values, Path(place) / "home")
        for name in ("report.html", "plotly.min.js"):
            shutil.copy(made.with_name(name), part)
    return out / "report.html"


def run(
    draft: Path | str, target: Path, values: Mapping[str, Any], home: Path | str, others: Sequence[str] = ()
) -> notebooks.Run:
    """Run a notebook with these values and a home of its own, and write its page, with links to those of others."""
    done = notebooks.execute(draft, target, values, env={"COGKIT_HOME": str(home)})
    if not done.ok:
        raise InputError(f"{target.name}, which fails in {done.error}", "a notebook that runs", "try cogkit doctor")
    pages.write_page(target, others)
    return done


def edition(notebook: NotebookNode, lesson: Gathered) -> NotebookNode:
    """Return the notebook as a report: a heading of its own, no exercises, and all code folded."""
    cells = [cell for cell in notebook.cells if "report" in cell.metadata.get("tags", ())]
    for cell in cells:
        if cell.cell_type == "code":
            cell.metadata.jupyter = {"source_hidden": True}
        else:
            cell.source = _LINK.sub(r"\1", cell.source)
    notebook.cells = [new_markdown_cell(_title(lesson)), *cells]
    return notebook


def _title(lesson: Gathered) -> str:
    """Return the beginning of the report, as Markdown; whatever is in the settings of a class is text."""
    about = lesson.about
    names = ", ".join(name.partition("_")[2].replace("_", " ") for name in about.notebooks)
    title, names, preset = map(_escaped, (about.title, names, about.preset))
    return (
        f"# {title}: report\n\n{len(lesson.students)} students handed in. The lesson had {about.minutes} minutes for "
        f"these notebooks: {names} (preset {preset}, seed {about.seed}). Students are named by their pseudonyms."
    )


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|&$~-])", r"\\\1", one_line(text)).replace("\\<", "&lt;")
