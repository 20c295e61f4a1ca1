"""The gallery of ``00_start_here``: a card for each notebook, made from the notebook itself.

A notebook's metadata hold ``"cogkit": {"question", "instrument", "cost": {preset: {"seconds", "mb"}}}``, and its
picture is ``pictures/<name>.svg`` beside it; a new notebook gets a card without any change here.
"""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pandas as pd

from cogkit.app import notebooks
from cogkit.study.trials import BEGIN, Trials


class Card(NamedTuple):
    """The card of one notebook in the gallery."""

    name: str
    title: str
    question: str
    cost: str
    done: str
    picture: bytes


class Gallery:
    """The cards of all notebooks, displayed as HTML; `to_frame` gives the same as a table."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards

    def to_frame(self) -> pd.DataFrame:
        """Return one row per notebook: its question, its cost, and what the reader has done in it."""
        return pd.DataFrame(
            [(c.name, c.question, c.cost, c.done) for c in self.cards], columns=["notebook", "question", "cost", "you"]
        )

    def __repr__(self) -> str:
        return self.to_frame().to_string(index=False)

    def _repr_html_(self) -> str:
        style = Path(__file__).with_name("templates").joinpath("gallery.css").read_text()
        return f'<style>{style}</style><div class="cogkit-gallery">{"".join(map(_html, self.cards))}</div>'


def _html(card: Card) -> str:
    # An SVG inside an image element cannot run scripts, whatever the file contains.
    source = "data:image/svg+xml;base64," + base64.b64encode(card.picture).decode()
    link = quote(f"{card.name}.ipynb", safe="")
    return (
        f'<section class="cogkit-card"><img src="{source}" alt=""><div>'
        f'<h3><a href="{link}">{html.escape(card.title)}</a></h3><p>{html.escape(card.question)}</p>'
        f'<p class="cost">{html.escape(card.cost)}</p><p class="done">{html.escape(card.done)}</p></div></section>'
    )


def _cost(cost: dict) -> str:
    parts = [f"{preset}: {c['seconds']} s, {c['mb']} MB" for preset, c in cost.items()]
    return " · ".join(parts) or "not measured yet"


def _done(trials: pd.DataFrame, instrument: str | None) -> str:
    mine = trials[trials.instrument == instrument]
    if instrument is None or mine.empty:
        return "" if instrument is None else "Nothing of yours yet."
    counts, time = f"{_count(len(mine), 'trial')} in {_count(mine.sitting.nunique(), 'sitting')}", mine["at"].iloc[-1]
    return f"You: {counts}, last on {str(time)[:10]}."


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _card(path: Path, trials: pd.DataFrame) -> Card:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    about = notebook["metadata"].get("cogkit", {})
    lines = "".join(notebook["cells"][0]["source"] if notebook["cells"] else "").splitlines()
    heading = next((line for line in lines if line.strip()), path.stem)
    picture = path.parent / "pictures" / f"{path.stem}.svg"
    return Card(
        name=path.stem,
        title=heading.lstrip("# ").strip(),
        question=about.get("question", ""),
        cost=_cost(about.get("cost", {})),
        done=_done(trials, about.get("instrument")),
        picture=picture.read_bytes() if picture.is_file() else b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    )


def gallery() -> Gallery:
    """Return the gallery of all notebooks, with what the reader has done so far.

    Examples
    --------
    >>> "00_start_here" in gallery().to_frame().notebook.tolist()
    True
    """
    trials = Trials().frame(kind="person")
    answers = trials[trials["item"] != BEGIN]
    return Gallery([_card(path, answers) for path in notebooks.find()])
