"""The map of the common scale: a row for each task, a mark for each player, and each row a link to its notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import pandas as pd

from cogkit.ui import theme
from cogkit.ui.files import script
from cogkit.ui.tables import VALUES

_BELOW = 0.5  # how far the scale goes on below the shortcut
_SIGNS = {"person": "●", "you": "★", "proxy": "○", "model": "◆", "floor": "▬", "observer": "▮"}
_STYLE = f"<style>{script(__file__, 'scale_map.css')}</style>"
_SCRIPT = f"<script>{script(__file__, 'scale_map.js')}</script>"


class Map:
    """A map of players on tasks: HTML in a notebook and on its page, a line for each task elsewhere.

    The reader filters it by instrument, kind of player, what a player sees, and profile, and chooses what 0 stands for.
    Without a script it shows everybody under the first profile, above chance.

    Parameters
    ----------
    table : DataFrame
        One row for each player: columns instrument, profile, task, who, kind (one of `theme.WHO`), inputs, runs, n;
        value, low and high above chance; above_floor, above_floor_low and above_floor_high; note; named (bool): whether
        the player's interval is drawn, and its name stands in the text. Where no observer of a task has a value, the
        row says so, with their notes.
    links : mapping
        Address of the place in a notebook that an instrument's rows lead to.
    roles : mapping
        What a kind of player is called, by kind.

    Examples
    --------
    >>> player = {"instrument": "mewl", "profile": "verified", "task": "shape", "who": "people", "kind": "person"}
    >>> player |= {"inputs": "pixels", "runs": 1, "n": 240, "value": 0.9, "low": 0.85, "high": 0.94, "named": True}
    >>> player |= {"above_floor": 0.88, "above_floor_low": 0.8, "above_floor_high": 0.93, "note": ""}
    >>> Map(pd.DataFrame([player]), {}, {"person": "people"})
    mewl, shape: people 0.90
    """

    def __init__(self, table: pd.DataFrame, links: Mapping[str, str], roles: Mapping[str, str]) -> None:
        self._table, self._links, self._roles = table, links, roles

    def __repr__(self) -> str:
        subset = self._table[self._table.profile == self._profiles[0]]
        rows = subset.groupby(["instrument", "task"], sort=False)
        return "\n".join(f"{room}, {task}: {self._said(part)}" for (room, task), part in rows)

    def _repr_html_(self) -> str:
        table = self._table.dropna(subset="value")
        rooms = "".join(self._room(str(name), part) for name, part in table.groupby("instrument", sort=False))
        colours = ";".join(f"--ck-{kind}:{theme.WHO[kind].colour}" for kind in self._roles)
        now = f'data-profile="{escape(self._profiles[0])}" data-zero="chance" style="{colours}"'
        return f'{_STYLE}<div class="ck-map" {now}>{self._form()}{rooms}{_SCRIPT}</div>'

    @property
    def _profiles(self) -> list[str]:
        return list(dict.fromkeys(self._table.profile))

    def _form(self) -> str:
        """Return the filters; the boxes of the kinds are the key to the marks too."""
        table = self._table.dropna(subset="value")
        selects = [
            ("instrument", "Instrument", {"": "all", **{name: name for name in dict.fromkeys(table.instrument)}}),
            ("inputs", "What it sees", {"": "anything", **{name: name for name in dict.fromkeys(table.inputs)}}),
            ("profile", "Our runs", {name: VALUES["profile"].get(name, name) for name in self._profiles}),
            ("zero", "0 stands for", {"chance": "chance", "floor": "the best shortcut"}),
        ]
        parts = []
        for name, label, options in selects:
            inside = "".join(f'<option value="{escape(key)}">{escape(text)}</option>' for key, text in options.items())
            parts.append(f'<label>{label} <select data-filter="{name}">{inside}</select></label>')
        kinds = [kind for kind in self._roles if kind in set(table.kind)]
        boxes = "".join(
            f'<label><input type="checkbox" checked value="{kind}"><span class="ck-{kind}" aria-hidden="true">'
            f"{_SIGNS[kind]}</span> {escape(self._roles[kind])}</label>"
            for kind in kinds
        )
        return f'<div class="ck-form" hidden>{"".join(parts)}<div>{boxes}</div></div>'

    def _room(self, name: str, table: pd.DataFrame) -> str:
        """Return the rows of one instrument under its name."""
        rows = "".join(self._row(name, str(task), part) for task, part in table.groupby("task", sort=False))
        ticks = "".join(f'<u style="{_place(at)}">{at:g}</u>' for at in (0, 0.25, 0.5, 0.75, 1))
        head = (
            f'<div class="ck-head"><b>{escape(name)}</b><span class="ck-track" aria-hidden="true">{ticks}</span></div>'
        )
        empty = '<p class="ck-none" hidden>Nobody here with these filters.</p>'
        return f'<div class="ck-room" data-instrument="{escape(name)}">{head}{rows}{empty}</div>'

    def _row(self, room: str, task: str, players: pd.DataFrame) -> str:
        """Return the row of one task: a link with its name, its marks, and the same in words."""
        marks = "".join(mark for player in players.to_dict("records") for mark in _marks(player, self._roles))
        words = self._said(players[players.profile == self._profiles[0]])
        if players.above_floor.isna().all():
            marks += '<em aria-hidden="true">no shortcut, or one that makes no error</em>'
        marks += "".join(self._gaps(room, task))
        inside = f'<b>{escape(task)}</b><span class="ck-track">{marks}</span><small>: {escape(words)}</small>'
        link = self._links.get(room)
        return (
            f'<a class="ck-row" href="{escape(link)}">{inside}</a>' if link else f'<div class="ck-row">{inside}</div>'
        )

    def _gaps(self, room: str, task: str) -> Iterator[str]:
        """Yield a line for each profile in which the observers of a task are no ceiling."""
        every = self._table[(self._table.instrument == room) & (self._table.task == task)]
        for profile, part in every[every.kind == "observer"].groupby("profile"):
            if part.value.isna().all():
                why = f'data-profile="{escape(str(profile))}" title="{escape("; ".join(part.note))}"'
                yield f'<span class="ck-gap" {why}>no ideal observer</span>'

    def _said(self, players: pd.DataFrame) -> str:
        """Return the named players of one task in words."""
        named = players[players.named.astype(bool) & players.value.notna()]
        texts = [f"{self._roles[row.kind]} {row.value:.2f}" for row in named.itertuples()]
        return ", ".join(texts) or "nobody"


def _marks(player: Mapping[str, Any], roles: Mapping[str, str]) -> Iterator[str]:
    """Yield the mark of a player, and its interval before it if the player is named."""
    kind, sees = escape(player["kind"]), escape(player["inputs"])
    data = f'data-kind="{kind}" data-inputs="{sees}" data-profile="{escape(player["profile"])}"'
    if player["named"] and pd.notna(player["low"]):
        ends = _span(player["low"], player["high"], player["above_floor_low"], player["above_floor_high"])
        yield f'<s class="ck-{kind}" {data} style="{ends}"></s>'
    place = _place(player["value"], player["above_floor"])
    yield f'<i class="ck-{kind}" {data} style="{place}" title="{escape(_words(player, roles))}">{_SIGNS[kind]}</i>'


def _words(player: Mapping[str, Any], roles: Mapping[str, str]) -> str:
    """Return what is known about a player, for who points at its mark."""
    ends = f" [{player['low']:.2f}, {player['high']:.2f}]" if pd.notna(player["low"]) else ", no interval"
    above = player["above_floor"]
    floor = f"; {above:.2f} above the best shortcut" if pd.notna(above) else ""
    runs = f"; {player['runs']} run{'s' * (player['runs'] > 1)}" if player["kind"] == "model" else ""
    rung = f"; highest rung learnt: {player['rung']}" if pd.notna(player.get("rung")) else ""
    name = f"{player['who']} ({roles[player['kind']]}, {player['inputs']})"
    return f"{name}: {player['value']:.2f}{ends} above chance{floor}{runs}; n = {player['n']:,}{rung}"


def _place(value: float, above_floor: float | None = None) -> str:
    """Return the two places of a mark in per cent: above chance, and above the shortcut; off the scale if unknown."""
    beyond = value if above_floor is None else above_floor
    return f"--c:{_percent(value, 0)};--f:{_percent(beyond, _BELOW)}"


def _span(low: float, high: float, floor_low: float, floor_high: float) -> str:
    c, f = (_percent(low, 0), _percent(high, 0)), (_percent(floor_low, _BELOW), _percent(floor_high, _BELOW))
    return f"--c:{c[0]};--f:{f[0]};--cw:{c[1] - c[0]:g};--fw:{f[1] - f[0]:g}"


def _percent(value: float, below: float) -> float:
    """Return a place on a scale that begins so far below 0 and ends at 1, in per cent; -100 for no place."""
    return -100.0 if pd.isna(value) else round(100 * (min(max(value, -below), 1) + below) / (1 + below), 1)
