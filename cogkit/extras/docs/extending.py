"""The pages that say how to add something of your own: a frame of ours, filled from the README and from docstrings."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cogkit.extras.docs import readme
from cogkit.extras.docs.outline import Page, code, line

KINDS = ("agent", "task", "instrument", "data", "model", "study")
_TEXTS = Path(__file__).with_name("texts")


def pages() -> list[Page]:
    """Return a page for each kind of thing that can be added.

    Examples
    --------
    >>> pages()[0].title
    'Add an agent'
    """
    return [page(f"own/{kind}") for kind in KINDS]


def page(name: str) -> Page:
    """Return the page whose frame is ``texts/<name>.md``: a title, a sentence about it, and what fills it."""
    frames = Environment(
        loader=FileSystemLoader(_TEXTS), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )  # the texts are our own, and become Markdown
    text = frames.get_template(f"{name}.md").render(
        introduction=readme.introduction, section=readme.section, part=readme.part, docstring=_docstring
    )
    title, about = text.split("\n\n")[:2]
    return Page(name, title.removeprefix("# "), line(about), text)


def _docstring(module: str) -> str:
    """Return the directive that shows the docstring of a module, and nothing else of it."""
    return code(f".. automodule:: {module}\n   :no-members:\n   :no-index:")
