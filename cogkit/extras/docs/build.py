"""Makes the documentation: writes the sources into a folder, and lets Sphinx make static pages of them."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from string import Template

from cogkit.app import notebooks
from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.files import unused, whole_folder, write_whole
from cogkit.extras import require
from cogkit.extras.docs import notebook_pages, papers
from cogkit.ui.files import inline, policy
from cogkit.ui.tables import KEYS

_HERE = Path(__file__).parent
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def build(out: Path | str, executed: Path | str | None = None) -> Path:
    """Write the documentation into a new folder, whole or not at all, and return the folder.

    Parameters
    ----------
    executed : path, optional
        A folder with executed notebooks, such as ``cogkit run`` writes. A notebook that is not there stands as saved.

    Raises
    ------
    InputError
        The extra ``[docs]`` is not installed, the folder is not new, a notebook cannot be read, or Sphinx warns.
    """
    require("docs", "sphinx", "myst_nb", "numpydoc", "furo")
    folder = unused(out)
    runs = notebook_pages.executed(executed) if executed is not None else {}
    print("All pages are made anew, which takes a minute or two.")
    with tempfile.TemporaryDirectory(prefix="cogkit-docs-") as scratch, whole_folder(folder) as part:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        write_sources(source, runs)
        if warnings := make(source, made):
            got = f"{len(warnings)}, first: {warnings[0].removeprefix(scratch)}"
            raise InputError(got, "pages of which Sphinx does not warn")
        for page in made.rglob("*.html"):
            guard(page)
        shutil.copytree(made, part, dirs_exist_ok=True)
        # HTML within notebooks names pictures and script by these addresses
        shutil.copytree(source / "notebooks" / "pictures", part / "notebooks" / "pictures")
        if runs:
            from plotly.offline import get_plotlyjs  # heavy, as in `pages`

            write_whole(part / "notebooks" / "plotly.min.js", get_plotlyjs().encode(), alone=True)
    return folder


def write_sources(folder: Path, runs: Mapping[str, Path]) -> None:
    """Write what Sphinx reads; ``runs`` are executed notebooks, by name."""
    shutil.copytree(_HERE / "pages", folder)
    doors = [registry.package(name) for name in registry.names()]
    packages = {"doors": doors, "views": [f"{door}.views" for door in doors if find_spec(f"{door}.views")]}
    api = Template(readers.text(folder / "api.rst"))
    texts = {"README.md": readme(), "glossary.md": notebook_pages.glossary()} | papers.pages()
    texts["api.rst"] = api.substitute({name: "\n   ".join(listed) for name, listed in packages.items()})
    for path in notebooks.find():
        text = notebook_pages.prepared(runs.get(path.stem, path), path.stem in runs)
        texts[f"notebooks/{path.name}"] = text
    for name, text in texts.items():
        write_whole(folder / name, text.encode(), alone=True)
    shutil.copytree(notebooks.source() / "pictures", folder / "notebooks" / "pictures")


def guard(page: Path) -> None:
    """Let a page run the scripts that stand in it now and the files beside it, and ask nobody for more."""
    text = readers.text(page)
    rules = policy(*inline(text), KEYS, files=True, script="blob:")  # widgets are modules in blobs
    meta = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{rules}">'
    write_whole(page, text.replace("<head>", meta, 1).encode(), alone=True)


def readme() -> str:
    """Return the README, which stands beside the package in the repository, else in the installed package's metadata.

    Examples
    --------
    >>> readme().splitlines()[0]
    '# cogkit'
    """
    beside = notebooks.source().with_name("README.md")
    return beside.read_text(encoding="utf-8") if beside.is_file() else metadata.metadata("cogkit")["Description"]


def make(source: Path, out: Path) -> list[str]:
    """Write the pages of a folder of sources, with an index for language models, and return each warning."""
    from sphinx.application import Sphinx  # of the extra [docs]
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    log = io.StringIO()
    with patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(source, _HERE, out, source.with_name("read"), "html", status=None, warning=log)
        app.build(force_all=True)
        links = "".join(f"- [{title.astext()}]({name}.html)\n" for name, title in sorted(app.env.titles.items()))
    write_whole(out / "llms.txt", f"# cogkit\n\n{links}".encode(), alone=True)
    (out / ".buildinfo").unlink(missing_ok=True)
    return [line for line in _COLOUR.sub("", log.getvalue()).splitlines() if line.strip()]
