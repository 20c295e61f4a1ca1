"""Writes the sources of all pages into a folder, as Sphinx reads them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from cogkit.app import notebooks
from cogkit.data.files import write_whole
from cogkit.extras.docs import api, extending, glossary, notebook_pages, papers, start
from cogkit.extras.docs.outline import Section
from cogkit.extras.docs.settings import EXTRA, STATIC

_STYLE = Path(__file__).with_name("static")


def sections() -> list[Section]:
    """Return all pages but the first, in the order in which a reader meets them."""
    return [
        Section("Begin", (extending.page("install"), extending.page("commands"), glossary.page())),
        Section("Notebooks", tuple(notebook_pages.described())),
        Section("Papers", tuple(papers.pages())),
        Section("Add your own", tuple(extending.pages())),
        api.section(),
    ]


def write(folder: Path, runs: Mapping[str, Path]) -> list[Section]:
    """Write the sources and return what they are; ``runs`` are executed notebooks, by name.

    Pictures and scripts of notebooks keep their addresses, because HTML within notebooks names them.
    """
    every = sections()
    for page in [start.page(every), *(page for part in every for page in (*part.pages, *part.hidden))]:
        if page.text:
            write_whole(folder / f"{page.name}.md", page.text.encode(), alone=True)
    for path in notebooks.find():
        text = notebook_pages.prepared(runs.get(path.stem, path), path.stem in runs)
        write_whole(folder / "notebooks" / path.name, text.encode(), alone=True)
    beside = folder / EXTRA / "notebooks"
    for target in (folder / "notebooks" / "pictures", beside / "pictures"):
        shutil.copytree(notebooks.source() / "pictures", target)
    if runs:
        write_whole(beside / "plotly.min.js", notebook_pages.plotly().encode(), alone=True)
    shutil.copytree(_STYLE, folder / STATIC)
    return every
