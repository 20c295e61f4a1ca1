"""A page for each paper: what it says, what our runs say to it, what its program did, and what is rebuilt here.

All of it stands elsewhere: the claims with their verdicts in `app.claims`, the rest in notebooks and docstrings.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from cogkit.app import gallery
from cogkit.app.claims import claims
from cogkit.app.notebooks import find
from cogkit.core import registry
from cogkit.core.records import slug
from cogkit.extras.docs import readme, saved
from cogkit.extras.docs.outline import Page, code, line, plain, rooted
from cogkit.stats.claims import VERDICTS

_DIFFERS = r"What differs from the papers?"
_REBUILT = r"What is reproduced here"
_GIVEN = {  # columns of a claim, and what they are called
    "printed": "Printed", "as_published": "As published", "verified": "Verified", "interval": "Interval", "n": "From",
    "note": "Note",
}  # fmt: skip
_LEGEND = """Each statement is in our words. *Printed* numbers are the paper's own. *As published* repeats its rules and
its program with their quirks, or looks at the scores that it published. *Verified* leaves out what is known to be
wrong. Each verdict comes from results that are stored with this package, and a test fails if they give another one."""


def pages() -> list[Page]:
    """Return the page of each paper that has claims, in the order of the notebooks."""
    table = claims()
    return [_page(name, table[table.instrument == name]) for name in gallery.in_order(table.instrument)]


def _page(instrument: str, table: pd.DataFrame) -> Page:
    title, *paragraphs = (inspect.getdoc(importlib.import_module(registry.package(instrument))) or "").split("\n\n")
    title, _, source = title.replace("\n", " ").rstrip(".").partition(" (")
    lead = next((text for text in paragraphs if not text.startswith("- ")), "")
    cards = [card for card in gallery.cards() if card.instrument == instrument]
    rows = [text for card in cards if (text := readme.row(card.name))]
    parts = [
        f"# {plain(title)}",
        f"{plain(source.removesuffix(')'))}",
        code(lead),
        *rows,
        "## What the paper says, and what we found",
        _LEGEND,
        *_verdicts(instrument, table),
        "## What its program did, and what we do otherwise",
        *_quoted(cards, _DIFFERS),
        *_notes(instrument),
        "## What is rebuilt here",
        *_quoted(cards, _REBUILT),
    ]
    return Page(f"papers/{instrument}", title, line(source.removesuffix(")") + "."), "\n\n".join(parts) + "\n")


def _verdicts(instrument: str, table: pd.DataFrame) -> Iterator[str]:
    """Yield the claims of a paper, those with the same verdict under one heading."""
    for verdict in VERDICTS:
        group = table[table.verdict == verdict]
        if len(group):
            yield f"### {plain(verdict.capitalize())}: {len(group)} of {len(table)}"
            yield from (_claim(instrument, row._asdict()) for row in group.itertuples(index=False))


def _claim(instrument: str, row: dict) -> str:
    """Return a claim as an entry: its sentence, and below it what each source gives."""
    lines = [f"*{name}*: {plain(row[column])}" for column, name in _GIVEN.items() if row[column]]
    section = f"({plain(row['section'])})" if row["section"] else ""
    items = "\n".join(f"  * {text}" for text in lines or ["Nothing tells."])
    claim = row["claim"]
    anchor = slug(f"{instrument} {claim}")
    return f"({anchor})=\n{plain(claim[:1].upper() + claim[1:])} {section}\n: {items.lstrip()}"


def _quoted(cards: list[gallery.Card], heading: str) -> Iterator[str]:
    """Yield a section of each notebook that has it, below a link to the notebook."""
    for card in cards:
        (path,) = find([card.name])
        if text := saved.section(path, heading):
            yield f"### From [{plain(card.title)}](/notebooks/{card.name}.ipynb)"
            yield rooted(text)


def _notes(instrument: str) -> Iterator[str]:
    """Yield what docstrings of an instrument say of differences, below the names of what they are about."""
    folder = registry.folder(instrument)
    notes = [note for path in sorted(folder.rglob("*.py")) for note in _of_module(path, folder)]
    if notes:
        yield "### From the code"
        yield code("\n\n".join(f"``{name}``\n   {text}" for name, text in notes))


def _of_module(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each thing in a module whose docstring says how it differs from the paper, and that text."""
    module = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            paragraphs = re.sub(r"^Notes\n-+\n", "", ast.get_docstring(node) or "", flags=re.M).split("\n\n")
            texts = [" ".join(text.split()) for text in paragraphs if re.search(r"\bDiffers from", text)]
            if texts:
                yield module if isinstance(node, ast.Module) else f"{module}.{node.name}", " ".join(texts)
