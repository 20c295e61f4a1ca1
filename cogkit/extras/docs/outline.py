"""What the documentation is made of: pages of Markdown, in sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LINE = 200
"""Characters of the line that says what a page is about."""
_SIGNS = re.compile(r"([!-/:-@\[-`{-~])")
_MARKS = re.compile(r"[`]|\[(?=[^\]]*\]\()|\]\([^)]*\)|\*{1,2}(?=\w)([^*]*)\*{1,2}")
_NOTEBOOK = re.compile(r"\]\((?:notebooks/)?(?=\d\d_\w+\.ipynb)|\]\((?:notebooks/)?(?=pictures/)")


@dataclass(frozen=True)
class Page:
    """One page before Sphinx has made it.

    Attributes
    ----------
    name : str
        Its address without the ending, such as ``own/agent``.
    about : str
        One line in plain words.
    text : str
        Markdown as MyST reads it, with the title as its first line; empty for a notebook, which is a file of its own.
    short : str
        Its title in lists, where that is shorter.
    """

    name: str
    title: str
    about: str = ""
    text: str = ""
    short: str = ""


@dataclass(frozen=True)
class Section:
    """Pages that belong together.

    Attributes
    ----------
    hidden : tuple of Page
        Pages to which one of the others leads.
    """

    title: str
    pages: tuple[Page, ...]
    hidden: tuple[Page, ...] = ()


def plain(text: str) -> str:
    r"""Return Markdown that shows a text as it is.

    Examples
    --------
    >>> print(plain("a*b"))
    a\*b
    """
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def line(text: str) -> str:
    """Return the first sentence of a text in one line.

    Examples
    --------
    >>> line("A rule of GR* holds for `many` *things*\\nthat differ. It is old.")
    'A rule of GR* holds for many things that differ.'
    """
    text = " ".join(_MARKS.sub(r"\1", text.split("\n\n")[0]).split())
    sentence = re.split(r"(?<=[.?!]) (?=[A-Z])", text, maxsplit=1)[0]
    return sentence if len(sentence) <= LINE else f"{sentence[: LINE - 1]}…"


def rooted(text: str) -> str:
    """Return Markdown whose links to notebooks and their pictures begin at the root of the documentation.

    Examples
    --------
    >>> rooted("[a](notebooks/01_a.ipynb) and [b](02_b.ipynb#C)")
    '[a](/notebooks/01_a.ipynb) and [b](/notebooks/02_b.ipynb#C)'
    """
    return _NOTEBOOK.sub("](/notebooks/", text)


def code(text: str) -> str:
    """Return a block in which Sphinx reads reStructuredText, the language of docstrings.

    Examples
    --------
    >>> print(code(".. automodule:: cogkit"))
    ```{eval-rst}
    .. automodule:: cogkit
    ```
    """
    return f"```{{eval-rst}}\n{text}\n```"


def tree(pages: Iterable[Page], caption: str = "", depth: int = 1) -> str:
    """Return the directive that puts pages below another one, where only the list beside all pages shows them."""
    options = [*[f":caption: {caption}"] * bool(caption), f":maxdepth: {depth}", ":hidden:"]
    names = [f"{page.short} </{page.name}>" if page.short else f"/{page.name}" for page in pages]
    return "\n".join(["```{toctree}", *options, "", *names, "```"])


def listed(pages: Iterable[Page]) -> str:
    """Return a list with a link to each page and what it is about."""
    return "\n".join(f"* [{plain(page.title)}](/{page.name}): {plain(page.about)}" for page in pages)
