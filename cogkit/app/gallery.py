"""The gallery at the top of ``00_start_here``: a card for each notebook, made from the notebook itself.

A notebook's metadata hold ``"cogkit": {"question", "instrument", "cost": {preset: {"seconds", "mb"}}}``, and its
picture is ``pictures/<name>.svg`` beside it; a new notebook gets a card without any change here. A notebook that shows
everybody on an instrument's scale, the claims of its paper, or a staircase, also holds ``"places": {"scale": heading,
"claims": heading, "staircase": heading}``; a sitting that is not under the heading *Play* has its own there, by the
name of its phase. The cards stand in a Markdown cell, so that they are seen before any kernel runs.
``python -m cogkit.app.gallery`` writes it anew.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from cogkit.app import notebooks
from cogkit.core import registry
from cogkit.core.presets import PRESETS
from cogkit.data.files import write_whole

if TYPE_CHECKING:
    import pandas as pd

CELL = "gallery"  # the id of the Markdown cell
_ROW = 5  # cards in a row of the table where styles are dropped, as on GitHub
# JupyterLab keeps these styles in Markdown, but no custom properties: lines and grounds must suit both themes.
_TABLE = "display:block;border:0;margin:0"
_LINE = "display:inline;padding:0;background:transparent;border:0"
_CARD = (
    "display:inline-block;width:152px;min-height:238px;margin:0 8px 8px 0;padding:0 0 8px;vertical-align:top;"
    "text-align:left;white-space:normal;overflow:hidden;border:1px solid #888;border-radius:8px;line-height:1.35"
)
_PICTURE = "display:block;width:152px;height:83px;margin:0 0 6px"
_TITLE = "margin:0 10px 2px;font-size:13px"
_TEXT = "margin:0 10px 4px;font-size:12px"


class Card(NamedTuple):
    """What a notebook says of itself."""

    name: str
    title: str
    question: str
    instrument: str
    cost: dict[str, Any]
    places: dict[str, str]


def cards() -> list[Card]:
    """Return the card of every notebook, in order.

    Examples
    --------
    >>> cards()[0].name
    '00_start_here'
    """
    return [_card(path) for path in notebooks.find()]


def _card(path: Path) -> Card:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    about = notebook["metadata"].get("cogkit", {})
    lines = "".join(notebook["cells"][0]["source"] if notebook["cells"] else "").splitlines()
    first = next((line for line in lines if line.strip()), path.stem)
    title = first.lstrip("# ").partition(",")[0].strip()  # what comes after a comma says more than a card can hold
    question = " ".join(about.get("question", "").split())  # an empty line would end the HTML of a Markdown cell
    texts = ("".join(cell["source"]).partition("\n")[0] for cell in notebook["cells"])
    play = next((text.removeprefix("## ") for text in texts if text.startswith("## Play")), "")
    places = {"play": play} | about.get("places", {})
    return Card(path.stem, title, question, about.get("instrument", ""), about.get("cost", {}), places)


def places(kind: str) -> dict[str, str]:
    """Return for each instrument the address of the heading under which ``scale`` or ``claims`` are shown.

    Examples
    --------
    >>> places("scale")["tiles"]
    '04_people_and_agents.ipynb#Everybody-on-one-scale'
    """
    return {card.instrument: place(card, kind) for card in cards() if kind in card.places}


def place(card: Card, kind: str) -> str:
    """Return the address of a heading of a notebook, or of the notebook where it has no such heading."""
    heading = card.places.get(kind, "").replace(" ", "-")
    return link(card.name) + (f"#{quote(heading, safe='')}" if heading else "")


def in_order(instruments: Iterable[str]) -> list[str]:
    """Return instruments in the order of the notebooks that show their scale; those without such a place come last.

    Examples
    --------
    >>> in_order(["counting", "mewl", "tiles", "mewl"])
    ['tiles', 'mewl', 'counting']
    """
    names = set(instruments := list(instruments))
    return [name for name in dict.fromkeys([*places("scale"), *instruments]) if name in names]


def link(name: str, suffix: str = ".ipynb") -> str:
    """Return the address of a notebook from beside it.

    Examples
    --------
    >>> link("01_play tiles")
    '01_play%20tiles.ipynb'
    """
    return quote(f"{name}{suffix}", safe="")


def seconds(cost: dict[str, Any]) -> str:
    """Return how long a notebook takes at each preset.

    Examples
    --------
    >>> seconds({"quick": {"seconds": 9, "mb": 620}, "lab": {"seconds": 7, "mb": 600}})
    '9 s at quick, 7 s at lab'
    """
    return ", ".join(f"{cost[name]['seconds']} s at {name}" for name in PRESETS if name in cost) or "not measured yet"


def rungs() -> pd.DataFrame:
    """Return the table of `stats.memory.highest`, from all results that come with the package."""
    import pandas as pd

    from cogkit.data.results import shipped
    from cogkit.stats import memory  # a reader's own cards do not need it

    return memory.highest(pd.concat([shipped(name) for name in registry.names()], ignore_index=True))


def markdown() -> str:
    """Return the cards of all notebooks that ask about an instrument, as one HTML table for a Markdown cell.

    Lines break inside of tags alone: a space between two cards would move them.

    Examples
    --------
    >>> markdown().startswith("<table") and "<script" not in markdown()
    True
    """
    table = rungs()
    cells = [_cell(card, table[table.instrument == card.instrument]) for card in cards() if card.instrument]
    rows = ["".join(cells[at : at + _ROW]) for at in range(0, len(cells), _ROW)]
    body = "".join(f'<tr style="{_LINE}">{row}</tr\n>' for row in rows)
    return f'<table style="{_TABLE}">{body}</table>'


def _cell(card: Card, rungs: pd.DataFrame) -> str:
    """Return the cell of a card; a notebook with a staircase says who learnt more than memory gives."""
    climb = ""
    if "staircase" in card.places and len(rungs):
        runs = rungs.runs.map(lambda n: " (one run)" if n == 1 else "")
        names = (rungs.who + runs).groupby(rungs.learnt > 0).agg(", ".join)
        labels = {True: "Learnt more than memory gives", False: "Not"}
        words = " ".join(f"{label}: {names[key]}." for key, label in labels.items() if key in names)
        climb = f'<div style="{_TEXT}"><small>{html.escape(words)}</small></div>\n'
    picture, address = quote(f"pictures/{card.name}.svg"), link(card.name)
    return (
        f'<td style="{_CARD}"><img src="{picture}" width="152" alt="" style="{_PICTURE}">\n'
        f'<div style="{_TITLE}"><b><a href="{address}">{html.escape(card.title)}</a></b></div>\n'
        f'<div style="{_TEXT}">{html.escape(card.question)}</div>\n{climb}'
        f'<div style="{_TEXT}"><small>{html.escape(seconds(card.cost))}</small></div></td\n>'
    )


def store(path: Path) -> None:
    """Write the cards into the gallery's cell of a notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (cell,) = (cell for cell in notebook["cells"] if cell.get("id") == CELL)
    cell["source"] = markdown().splitlines(keepends=True)
    write_whole(path, (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    store(notebooks.source() / "00_start_here.ipynb")
