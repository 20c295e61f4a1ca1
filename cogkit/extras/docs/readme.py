"""The README, whose sections are pages: beside the package in the repository, else in the installed package's metadata.

Its examples are tested, so nothing of it is written twice.
"""

from __future__ import annotations

import re
from importlib import metadata

from cogkit.app import notebooks
from cogkit.core.errors import InputError
from cogkit.extras.docs.outline import rooted


def readme() -> str:
    """Return the whole text.

    Examples
    --------
    >>> readme().splitlines()[0]
    '# cogkit'
    """
    beside = notebooks.source().with_name("README.md")
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    return metadata.metadata("cogkit")["Description"]


def introduction() -> str:
    """Return what stands above the first section, without the title."""
    return rooted(readme().partition("\n## ")[0].partition("\n")[2]).strip()


def section(heading: str, until: str = "\n## ") -> str:
    """Return what stands below a heading; ``until`` is the text before which it ends.

    Examples
    --------
    >>> "cogkit lab" in section("Two commands")
    True
    """
    return rooted(_after(f"\n## {heading}\n").partition(until)[0]).strip()


def part(opening: str) -> str:
    """Return the paragraph, or the item of a list, that begins with these words in bold.

    Examples
    --------
    >>> part("A task").startswith("**A task** stands in `problems/`.")
    True
    """
    text = f"**{opening}**" + _after(f"**{opening}**")
    lines = re.split(r"\n(?=\* |\n|#)", text, maxsplit=1)[0].splitlines()
    return rooted("\n".join(line.strip() for line in lines))


def row(notebook: str) -> str:
    """Return what the table of papers says is rebuilt, by the notebook with the full account."""
    account = rf"\[\d\d\]\(notebooks/{re.escape(notebook)}\.ipynb\)"
    match = re.search(rf"^\|[^|\n]*\|([^|\n]*)\| {account} \|$", readme(), re.MULTILINE)
    return rooted(match[1].strip()) if match else ""


def _after(opening: str) -> str:
    """Return what follows these words.

    Raises
    ------
    InputError
        They are not there.
    """
    before, words, after = readme().partition(opening)
    if not words:
        raise InputError(f"a README without {opening.strip()!r}", "the README of this version", "install cogkit again")
    return after
