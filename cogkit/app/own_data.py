"""The reader's own data in ``00_start_here``: what was done in each notebook, its export, and its deletion."""

from __future__ import annotations

import html
from pathlib import Path
from typing import NamedTuple

import ipywidgets
import pandas as pd

from cogkit.app import gallery
from cogkit.core.errors import InputError, one_line
from cogkit.study.trials import BEGIN, READ, SKIP, Trials

_PHASES = {
    ("tiles", "blind"): "02_task_metamers",
    ("tiles", "study"): "01_play_tiles",
    ("tiles", "ladder"): "01_play_tiles",
}
_SHOWN = "03_tile_agents"  # where boards of the paper are played freely
_FINISHED = "finished"
_NOTHING = "You have not answered anything yet. Your answers will be counted here."


class Done(NamedTuple):
    """What the reader has done in one notebook: counts, the day of the last answer, and where they stopped.

    ``link`` is the address of the heading where they can go on.
    """

    notebook: str
    answers: int
    sittings: int
    day: str
    stopped: str
    link: str = ""


class Progress(list[Done]):
    """What the reader has done so far, by notebook; displayed as a table with links."""

    def to_frame(self) -> pd.DataFrame:
        """Return one row per notebook with answers of the reader."""
        return pd.DataFrame(self, columns=list(Done._fields))

    def __repr__(self) -> str:
        return "\n".join(f"{done.notebook}: {_count(done)}; {done.stopped}." for done in self) or _NOTHING

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{_NOTHING}</p>"
        left = 'style="text-align:left;white-space:normal"'
        heads = "".join(f"<th {left}>{name}</th>" for name in ("notebook", "what you did", "last on", "where you are"))
        titles = {card.name: card.title for card in gallery.cards()}
        rows = "".join(
            f'<tr><td {left}><a href="{done.link}">{html.escape(titles[done.notebook])}</a></td>'
            f"<td {left}>{_count(done)}</td><td {left}>{html.escape(done.day)}</td>"
            f"<td {left}>{html.escape(done.stopped)}</td></tr>"
            for done in self
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _count(done: Done) -> str:
    return f"{number_of(done.answers, 'answer')} in {number_of(done.sittings, 'sitting')}"


def number_of(n: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> number_of(1, "answer"), number_of(1200, "answer")
    ('1 answer', '1,200 answers')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def progress(trials: Trials | None = None) -> Progress:
    """Return what the reader has done so far, one line per notebook, and where they stopped.

    Examples
    --------
    >>> import tempfile
    >>> progress(Trials(Path(tempfile.mkdtemp()) / "trials.sqlite"))
    You have not answered anything yet. Your answers will be counted here.
    """
    cards = gallery.cards()
    by_notebook: dict[str, list[pd.DataFrame]] = {}
    for _, rows in (trials or Trials()).frame(kind="person").groupby("sitting", sort=False):
        name = notebook_of(rows, cards)
        if name and _answers(rows):
            by_notebook.setdefault(name, []).append(rows)
    return Progress(_done(card, by_notebook[card.name]) for card in cards if card.name in by_notebook)


def _done(card: gallery.Card, sittings: list[pd.DataFrame]) -> Done:
    sittings = sorted(sittings, key=lambda rows: rows.index[-1])  # by place: clocks can be set back
    half_done = [rows for rows in sittings if _stopped(rows) != _FINISHED]
    last, day = (half_done or sittings)[-1], sittings[-1]["at"].iloc[-1][:10]
    phase = str(last["extra"].iloc[-1].get("phase"))
    place = gallery.place(card, phase if phase in card.places else "play")
    return Done(card.name, sum(map(_answers, sittings)), len(sittings), day, _stopped(last), place)


def _answers(rows: pd.DataFrame) -> int:
    return int((~rows["item"].isin([BEGIN, SKIP]) & (rows["response"] != READ)).sum())


def notebook_of(rows: pd.DataFrame, cards: list[gallery.Card]) -> str | None:
    """Return the notebook of a sitting: as its beginning says; else as its instrument, phase and source tell."""
    names = [card.name for card in cards]
    stem = str(rows["extra"].iloc[0].get("notebook", ""))
    if known := [name for name in names if stem == name or stem.startswith(f"{name}-")]:  # such as a copy
        return known[0]
    instrument, phase = rows["instrument"].iloc[0], rows["extra"].iloc[-1].get("phase")
    guess = _PHASES.get((instrument, phase), "")
    if (instrument, phase) == ("tiles", "free") and rows["source"].iloc[0] != "generated":
        guess = _SHOWN
    return guess if guess in names else next((card.name for card in cards if card.instrument == instrument), None)


def _stopped(rows: pd.DataFrame) -> str:
    """Return where a sitting stands after its last row."""
    order, last = rows["extra"].iloc[0].get("order"), rows["extra"].iloc[-1]
    n, at = len(order) if isinstance(order, list) else 0, last.get("position", 0)
    at = at + bool(last.get("done")) if isinstance(at, int) else 0
    if not n:
        return "begun"
    return _FINISHED if at >= n else f"item {at + 1} of {n} is next"


class OwnData(ipywidgets.VBox):
    """Buttons to export the reader's trials and to delete them; nothing is deleted before a question is answered.

    The trials are the reader's own by default; the export goes to ``folder``.
    """

    def __init__(self, trials: Trials | None = None, folder: Path | str = ".") -> None:
        self.store, self.folder = trials or Trials(), Path(folder)
        self.which = ipywidgets.Dropdown(description="Sitting", layout={"width": "min(560px, 100%)"})
        texts = ("Save all as CSV and Parquet", "Delete …", "Delete for good", "Keep")
        buttons = [ipywidgets.Button(description=text, layout={"width": "auto"}) for text in texts]
        self.save, self.ask, self.sure, self.keep = buttons
        self.sure.button_style = "danger"
        self.status = ipywidgets.HTML()
        self.question = ipywidgets.HBox([self.sure, self.keep])
        self.to_delete: str | None = None
        super().__init__([self.which, ipywidgets.HBox([self.save, self.ask]), self.status, self.question])
        actions = {self.save: self._save, self.ask: self._ask, self.sure: self._delete, self.keep: self._keep}
        for button, action in actions.items():
            button.on_click(lambda _, action=action: self._told(action))
        self.which.observe(self._chosen, "value")
        self._told(lambda: f"Your answers lie in {self.store.path}")

    def __repr__(self) -> str:
        return "Run this cell to export or to delete your answers."

    def _chosen(self, _) -> None:
        """Take a question back: it was about another sitting."""
        self._told(self._keep)

    def _told(self, act) -> None:
        """Do what a button asks, and say what happened; only the question itself leaves the two answers in view."""
        self.question.layout.display = "none"
        try:
            text = act()
        except (InputError, OSError) as error:
            text = one_line(error)
        self._list()
        self.status.value = f'<span role="status">{html.escape(text)}</span>'

    def _list(self) -> None:
        """Fill the list of sittings; this keeps the choice if it still exists."""
        table, chosen = self.store.sittings(), self.which.value
        self.ask.disabled = self.save.disabled = table.empty
        table = table[table["answers"] > 0]  # to open a sitting is no answer
        everything = (f"all sittings ({number_of(len(table), 'sitting')})", "")
        each = [
            (f"{row.began[:16].replace('T', ' ')} · {row.instrument} · {number_of(row.answers, 'answer')}", row.sitting)
            for row in table.iloc[::-1].itertuples()
        ]
        options = (everything, *each)
        if self.which.options != options:
            self.which.unobserve(self._chosen, "value")
            self.which.options = options
            self.which.value = chosen if chosen in dict(options).values() else ""
            self.which.observe(self._chosen, "value")

    def _save(self) -> str:
        return f"Saved as {' and '.join(map(str, self.store.save(self.folder)))}."

    def _ask(self) -> str:
        self.to_delete, label = self.which.value, self.which.label
        self.question.layout.display = ""
        return f"Delete {label}? Nobody can bring the answers back."

    def _keep(self) -> str:
        sitting, self.to_delete = self.to_delete, None
        return "" if sitting is None else "Nothing was deleted."

    def _delete(self) -> str:
        if self.to_delete is None:
            return "Nothing was deleted."
        gone, self.to_delete = self.store.delete(self.to_delete or None), None
        return f"Deleted: {number_of(gone, 'row')}."
