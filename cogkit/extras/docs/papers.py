"""A page for each paper: what it says, what our runs say to it, how we differ, and what is rebuilt here.

All of it stands elsewhere: the claims with their verdicts in `app.claims`, the rest in notebooks and docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator

import pandas as pd

from cogkit.app import gallery
from cogkit.app.claims import claims
from cogkit.core import registry
from cogkit.core.records import slug
from cogkit.extras.docs.notebook_pages import section
from cogkit.stats.claims import VERDICTS

_QUOTED = {  # headings here, and those of the notebooks' own sections, as regular expressions
    "What its program did, and what we do otherwise": "What differs from the papers?",
    "What is rebuilt here": "What is reproduced here",
}
_GIVEN = {  # columns of a claim, and what they are called
    "printed": "Printed", "ours": "Ours, at the paper's size", "changed": "Ours, changed", "by": "Decided by",
    "needed": "Needed", "reached": "Our runs", "interval": "95 % of the margin", "runs": "Runs", "n": "From",
    "says_holds": "If the printed numbers are true, our test says that it holds in",
    "says_not": "And that it does not hold in", "note": "Note", "command": "Test it again",
}  # fmt: skip
_LEGEND = """Each statement is in our words. It is decided by what it is about alone: the paper's own model at the
paper's own size over three runs or more, the paper's own people, or the numbers that it prints. Our other networks
stand beside it and decide nothing: *not at our size* says that nobody here has run what would decide. *Open* says that
the runs, or the people, are too few. Each verdict comes from results that are stored with this package, and the command
under it fails if they give another one."""


def pages() -> dict[str, str]:
    """Return the page of each paper that has claims, by its file."""
    table = claims()
    return {
        f"papers/{name}.md": "\n\n".join(_parts(name, group)) + "\n"
        for name, group in table.groupby("instrument", sort=False)
    }


def _parts(instrument: str, table: pd.DataFrame) -> Iterator[str]:
    cards = [card for card in gallery.cards() if card.instrument == instrument]
    about = inspect.getdoc(importlib.import_module(registry.package(instrument))) or ""
    title, _, source = " ".join(about.partition("\n\n")[0].rstrip(").").split()).partition(" (")
    yield f"# {_plain(title)}\n\n{_plain(source)}"
    yield "\n".join(f"* {_link(card)}: {_plain(card.question)}" for card in cards)
    yield f"## What the paper says, and what we found\n\n{_LEGEND}"
    for verdict in VERDICTS:
        group = table[table.verdict == verdict]
        if len(group):
            yield f"### {verdict.capitalize()}: {len(group)} of {len(table)}"
            yield from (_claim(instrument, row) for row in group.to_dict("records"))
    for title, heading in _QUOTED.items():
        yield f"## {title}"
        for card in cards:
            if text := section(card.name, heading):
                yield f"### From {_link(card)}\n\n{text}"


def _link(card: gallery.Card) -> str:
    return f"[{_plain(card.title)}](/notebooks/{card.name}.ipynb)"


def _claim(instrument: str, claim: dict) -> str:
    """Return a claim as an entry: its sentence, and below it what each source gives."""
    text = claim["claim"]
    lines = [f"  * *{name}*: {_plain(str(claim[column]))}" for column, name in _GIVEN.items() if claim[column]]
    items = "\n".join(lines or ["  * Nothing tells."]).lstrip()
    where = f" ({_plain(claim['section'])})" if claim["section"] else ""
    return f"({slug(f'{instrument} {text}')})=\n{_plain(text[:1].upper() + text[1:])}{where}\n: {items}"


def _plain(text: str) -> str:
    """Return Markdown that shows a text as it is."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))
