"""Makes the documentation: lets Sphinx make static pages of the sources, and adds the index for language models."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cogkit.core.errors import InputError
from cogkit.data.files import unused, whole_folder, write_whole
from cogkit.extras.docs import llms, notebook_pages, sources, start
from cogkit.extras.docs.settings import SETTINGS

_NEEDED = ("sphinx", "myst_nb", "numpydoc", "furo")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def build(out: Path | str, executed: Path | str | None = None, say: Callable[[str], Any] = print) -> Path:
    """Write the documentation into a new folder, whole or not at all, and return the folder.

    Parameters
    ----------
    executed : path, optional
        A folder with executed notebooks, such as ``cogkit run`` writes. A notebook that is not there stands as saved.
    say : callable
        It is called with a line of progress.

    Raises
    ------
    InputError
        The extra ``[docs]`` is not installed, the folder is not new, a notebook cannot be read, or Sphinx warns.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise InputError(f"no {missing[0]}", "the extra [docs]", "pip install 'cogkit[docs]'")
    folder = unused(out)
    runs = notebook_pages.executed(executed) if executed is not None else {}
    say("All pages are made anew, which takes a minute or two.")
    with tempfile.TemporaryDirectory(prefix="cogkit-docs-") as scratch, whole_folder(folder) as part:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        sections = sources.write(source, runs)
        if warnings := make(source, made, Path(scratch) / "read"):
            got = f"{len(warnings)}, first: {warnings[0].removeprefix(scratch)}"
            raise InputError(got, "pages of which Sphinx does not warn")
        shutil.copytree(made, part, dirs_exist_ok=True)  # myst-nb also writes beside the pages
        write_whole(part / "llms.txt", llms.text("cogkit", start.SUMMARY, sections).encode(), alone=True)
    return folder


def make(source: Path, out: Path, read: Path) -> list[str]:
    """Write the pages of a folder of sources and return each warning; ``read`` is a folder for what was read."""
    from sphinx.application import Sphinx  # of the extra [docs]
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    log = io.StringIO()
    with patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(source, None, out, read, "html", SETTINGS, status=None, warning=log)
        app.build(force_all=True)
    (out / ".buildinfo").unlink(missing_ok=True)
    return [line for line in _COLOUR.sub("", log.getvalue()).splitlines() if line.strip()]
