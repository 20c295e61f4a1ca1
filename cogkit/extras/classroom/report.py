"""The report of a class as one page: what the notebook `13_a_class` shows of it, without its exercises."""

from __future__ import annotations

import copy
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from cogkit.app import notebooks, pages
from cogkit.core.errors import InputError, one_line
from cogkit.data.files import whole_folder, write_whole
from cogkit.extras.classroom import gathered
from cogkit.extras.classroom.gathered import Gathered

NOTEBOOK = "13_a_class"
WITHOUT = (
    "Play", "Look: what is behind it?", "Exercises", "What differs from the papers",
    "What is simulated, and what is not",
)  # fmt: skip
"""Headings of the notebook whose parts a report leaves out."""
_INSTALL = "# Installs cogkit"
_LINK = re.compile(r"\[([^\]]*)\]\(\w+\.ipynb[^)]*\)")  # the notebooks do not lie beside the report
_BARE = "Look: who handed in?"  # the words below this heading are about the simulated class


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
    source = edition(json.loads(path.read_text(encoding="utf-8")), lesson)
    with tempfile.TemporaryDirectory(prefix="cogkit-class-") as place, whole_folder(out) as part:
        draft, made = Path(place) / "draft.ipynb", Path(place) / "report.ipynb"
        write_whole(draft, json.dumps(source).encode())
        values = {"folder": str(folder), "hands_free": True, "preset": preset}
        run = notebooks.execute(draft, made, values, env={"COGKIT_HOME": str(Path(place) / "home")})
        if not run.ok:
            raise InputError(run.error, "a class that can be reported on")
        pages.write_page(made)
        for file in (made.with_suffix(".html"), made.with_name("plotly.min.js")):
            shutil.copy(file, part)
    return out / "report.html"


def edition(notebook: dict[str, Any], lesson: Gathered) -> dict[str, Any]:
    """Return the notebook as a report: a heading of its own, no exercises, and all code folded."""
    notebook = copy.deepcopy(notebook)
    cells: list[dict[str, Any]] = [notebook["cells"][0] | {"source": _title(lesson)}]
    section = ""
    for cell in notebook["cells"][1:]:
        if cell["cell_type"] == "code":
            if section not in WITHOUT and not "".join(cell["source"]).startswith(_INSTALL):
                cell["metadata"].setdefault("jupyter", {})["source_hidden"] = True
                cells.append(cell)
            continue
        parts = []
        for part in re.split(r"^(?=## )", "".join(cell["source"]), flags=re.MULTILINE):
            section = part[3:].partition("\n")[0].strip() if part.startswith("## ") else section
            if section == _BARE:
                part = f"## {section}\n" if part.startswith("## ") else part
            if section not in WITHOUT and part.strip():
                parts.append(_LINK.sub(r"\1", part))
        if parts:
            cells.append(cell | {"source": "".join(parts)})
    notebook["cells"] = cells
    return notebook


def _title(lesson: Gathered) -> str:
    """Return the beginning of the report, as Markdown; a title is text, whatever is in it."""
    about = lesson.about
    title = re.sub(r"([\\`*_{}\[\]<>()#+!|&$~-])", r"\\\1", one_line(about.title)).replace("\\<", "&lt;")
    names = ", ".join(name.partition("_")[2].replace("_", " ") for name in about.notebooks)
    return (
        f"# {title}: report\n\n{len(lesson.students)} students handed in. The lesson had {about.minutes} minutes for "
        f"these notebooks: {names} (preset {about.preset}, seed {about.seed}). Students are named by their pseudonyms."
    )
