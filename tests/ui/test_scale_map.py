"""The map of the common scale: where its marks stand, what it says in words, and foreign texts that stay texts."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from bs4 import BeautifulSoup
from markup import HOSTILE, PLAIN, structure, texts

from cogkit.ui.scale_map import Map

ROLES = {"person": "people", "model": "machine", "floor": "shortcut"}


def player(who: str, kind: str, value: float, above: float, **fields) -> dict:
    row = {"instrument": "mewl", "profile": "verified", "task": "shape", "who": who, "kind": kind, "inputs": "pixels"}
    row |= {"runs": 1, "n": 600, "value": value, "low": value - 0.1, "high": value + 0.1, "named": True}
    return row | {"above_floor": above, "above_floor_low": above - 0.1, "above_floor_high": above + 0.1} | fields


def marks(page: str) -> dict[str, tuple[float, float]]:
    """Return the two places of each mark, in per cent, by what its title begins with."""
    places = {}
    for mark in BeautifulSoup(page, "html.parser").select("i"):
        chance, floor = map(float, re.findall(r"--[cf]:(-?[\d.]+)", str(mark["style"])))
        places[str(mark["title"]).partition(" (")[0]] = chance, floor
    return places


def test_marks_stand_where_their_values_are():
    """Above chance the scale goes from 0 to 1, above the shortcut from -.5 to 1; beyond is at the edge."""
    players = [player("people", "person", 0.75, 0.25), player("net", "model", 0.1, -2.0)]
    players += [player("guess", "floor", 0.0, np.nan), player("gone", "model", np.nan, np.nan)]
    page = Map(pd.DataFrame(players), {}, ROLES)._repr_html_()
    assert marks(page) == {"people": (75, 50), "net": (10, 0), "guess": (0, -100)}


def test_an_interval_is_drawn_for_those_that_are_named_alone():
    players = [player("people", "person", 0.5, 0.5), player("net", "model", 0.4, 0.4, named=False)]
    players.append(player("none", "floor", 0.2, 0.2, low=np.nan, high=np.nan))
    soup = BeautifulSoup(Map(pd.DataFrame(players), {}, ROLES)._repr_html_(), "html.parser")
    (bar,) = soup.select("s")
    assert "--c:40" in bar["style"] and "--cw:20" in bar["style"]


def test_it_says_the_same_in_words_and_leads_to_a_notebook():
    players = [player("people", "person", 0.9, 0.8), player("net", "model", 0.25, 0.1, profile="as_published")]
    chart = Map(pd.DataFrame(players), {"mewl": "08.ipynb#here"}, ROLES)
    assert repr(chart) == "mewl, shape: people 0.90"
    (row,) = BeautifulSoup(chart._repr_html_(), "html.parser").select(".ck-row")
    assert (row.name, row["href"], row.get_text()) == ("a", "08.ipynb#here", "shape●◆: people 0.90")
    title = row.select_one("i.ck-model")["title"]
    assert title == (
        "net (machine, pixels): 0.25 [0.15, 0.35] above chance; 0.10 above the best shortcut; 1 run; n = 600"
    )
    assert not BeautifulSoup(Map(pd.DataFrame(players), {}, ROLES)._repr_html_(), "html.parser").select("a")


def test_a_task_that_a_shortcut_solves_says_so():
    players = [player("guess", "floor", 1.0, np.nan), player("net", "model", 1.0, np.nan)]
    assert "no shortcut, or one that makes no error" in Map(pd.DataFrame(players), {}, ROLES)._repr_html_()


def test_foreign_texts_stay_texts():
    for place in ("instrument", "task", "who", "inputs"):
        rows = (pd.DataFrame([player("people", "person", 0.5, 0.5) | {place: text}]) for text in (HOSTILE, PLAIN))
        hostile, plain = (Map(table, {"mewl": "08.ipynb"}, ROLES)._repr_html_() for table in rows)
        assert [tag for tag, *_ in structure(hostile)] == [tag for tag, *_ in structure(plain)], place
        assert place in ("who", "inputs") or HOSTILE in texts(hostile)
