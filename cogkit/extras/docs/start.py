"""The start page: the README's introduction, and where to go on."""

from __future__ import annotations

from collections.abc import Iterable

from cogkit.extras.docs import readme
from cogkit.extras.docs.outline import Page, Section, listed, tree

SUMMARY = (
    "A workbench of Jupyter notebooks that asks of people and machines alike: did they grasp the abstraction, or find "
    "something cheaper?"
)


def page(sections: Iterable[Section]) -> Page:
    """Return the first page, from which a tree leads to all others."""
    sections = list(sections)
    lists = [f"## {section.title}\n\n{listed(section.pages)}" for section in sections]
    trees = [tree(section.pages, section.title, depth=2) for section in sections]
    return Page("index", "cogkit", SUMMARY, "\n\n".join(["# cogkit", readme.introduction(), *lists, *trees]) + "\n")
