"""Rows that nobody can go on from, of another version or another hand, never lock a person out and are never lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cogkit.app import doctor, yours
from cogkit.bongard.people.study import study_of as problems
from cogkit.equivalence.people.study import Plan
from cogkit.equivalence.people.study import study_of as matching
from cogkit.mewl.people.study import study_of as names
from cogkit.study.sitting import SCHEMA, Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people import blind

ROWS = json.loads((Path(__file__).parent / "before.json").read_text(encoding="utf-8"))
WHO = "3fa9c2d1"
STUDIES = {
    "tiles": lambda: blind.study_of("tree", 3),
    "bongard": lambda: problems(2),
    "mewl": lambda: names("number", tests=3, attention=1, feedback=True),
    "equivalence": lambda: matching(Plan(repeats=1, each=1)),
}
FIRST, LAST = '"order" = 0', '"order" = (SELECT max("order") FROM trials)'
EXTRA = "UPDATE trials SET extra = {} WHERE " + FIRST
OUTDATED = {
    "another order": EXTRA.format("json_set(extra, '$.order', json('[7, 99]'))"),
    "an order of words": EXTRA.format("json_set(extra, '$.order', json('[\"first\", null]'))"),
    "an order of fractions": EXTRA.format("json_set(extra, '$.order', json('[0.5, 1.0]'))"),
    "an order of flags": EXTRA.format("json_set(extra, '$.order', json('[true, false]'))"),
    "an order that is a number": EXTRA.format("json_set(extra, '$.order', 3)"),
    "no order": EXTRA.format("json_remove(extra, '$.order')"),
    "a plan with one field more": EXTRA.format("json_set(extra, '$.plan.more', 1)"),
    "a plan of nothing": EXTRA.format("json_set(extra, '$.plan', json('{}'))"),
    "a plan that is a word": EXTRA.format("json_set(extra, '$.plan', 'plan')"),
    "a later schema": EXTRA.format(f"json_set(extra, '$.schema', {SCHEMA + 1})"),
    "other items": EXTRA.format("json_set(extra, '$.items', '0123456789ab')"),
    "an extra that is no JSON": EXTRA.format("'{\"order\": [0'"),
    "an extra that is a list": EXTRA.format("'[1, 2]'"),
    "an extra that is bytes": EXTRA.format("x'ff00ff'"),
    "an extra without an end": EXTRA.format(f"'{'[' * 5000}'"),
    "another condition": f"UPDATE trials SET response = 'nothing', task = 'nothing' WHERE {FIRST}",
    "a seed that is a word": f"UPDATE trials SET seed = 'seven' WHERE {FIRST}",
    "an answer to something else": f"UPDATE trials SET item = 'tree/blind/99' WHERE {LAST}",
    "an answer that is no answer": f"UPDATE trials SET response = 'perhaps', extra = '{{}}' WHERE {LAST}",
    "an answer without its phase": f"UPDATE trials SET extra = json_remove(extra, '$.phase') WHERE {LAST}",
    "an answer that cannot be read": f"UPDATE trials SET extra = '?' WHERE {LAST}",
    "a row that is gone": 'DELETE FROM trials WHERE "order" = 1',
}


def stored(store: Trials) -> list[tuple]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("SELECT * FROM trials ORDER BY rowid").fetchall()


@pytest.mark.parametrize("what", OUTDATED)
@pytest.mark.parametrize("instrument", STUDIES)
def test_a_person_is_never_locked_out(instrument, what, home, mirror, monkeypatch, capsys):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))  # the problems of Bongard-LOGO were made with it
    store = Trials()
    for row in ROWS:
        if row["instrument"] == instrument:
            store.add(row)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        assert connection.execute(OUTDATED[what]).rowcount
    before = stored(store)
    first = Sitting.open(STUDIES[instrument](), store, who=WHO)
    said = capsys.readouterr().out.splitlines()
    assert not first.finished and stored(store)[: len(before)] == before
    if first.id == before[0][0]:  # nothing that the study needs: the sitting goes on
        assert said == [] and stored(store) == before
        return
    assert len(said) <= 1 and all("is kept" in line and len(line) <= 400 for line in said)
    again = Sitting.open(STUDIES[instrument](), store, who=WHO)
    assert (again.id, again.rows, again.order) == (first.id, 1, first.order) and not capsys.readouterr().out
    for look in (store.frame, store.sittings, lambda: store.save(home), lambda: yours.progress(store)):
        look()
    assert repr(yours.progress(store)) and yours.progress(store)._repr_html_()
    (told,) = doctor._trials()
    assert told.state == ("warn" if store.unreadable() else "ok")
    assert len(store.frame()) + len(store.unreadable()) == len(stored(store))


def test_which_of_these_a_sitting_goes_on_from(tmp_path):
    """The blind trial asks for no plan: a plan of another study's form does it no harm. All else begins anew."""
    goes_on = []
    for what, statement in OUTDATED.items():
        store = Trials(tmp_path / f"{what}.sqlite")
        for row in ROWS:
            if row["instrument"] == "tiles":
                store.add(row)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute(statement)
        if Sitting.open(STUDIES["tiles"](), store, who=WHO).id == "tiles-0":
            goes_on.append(what)
    assert goes_on == [
        "a plan with one field more", "a plan of nothing", "a plan that is a word", "an answer without its phase",
    ]  # fmt: skip
