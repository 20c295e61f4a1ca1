"""Rows that nobody can go on from, of another version or another hand, never lock a person out and are never lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from before import STUDIES, WHO, stored_before
from cases import case

from cogkit.app import own_data
from cogkit.study.sitting import SCHEMA, Sitting
from cogkit.study.trials import Trials

FIRST, LAST = '"order" = 0', '"order" = (SELECT max("order") FROM trials)'
EXTRA = "UPDATE trials SET extra = {} WHERE " + FIRST
OUTDATED = {
    "another order": EXTRA.format("json_set(extra, '$.order', json('[7, 99]'))"),
    "an order of words": EXTRA.format("json_set(extra, '$.order', json('[\"first\", null]'))"),
    "an order of flags": EXTRA.format("json_set(extra, '$.order', json('[true, false]'))"),
    "no order": EXTRA.format("json_remove(extra, '$.order')"),
    "a plan with one field more": EXTRA.format("json_set(extra, '$.plan.more', 1)"),
    "a plan that is a word": EXTRA.format("json_set(extra, '$.plan', 'plan')"),
    "a later schema": EXTRA.format(f"json_set(extra, '$.schema', {SCHEMA + 1})"),
    "other items": EXTRA.format("json_set(extra, '$.items', '0123456789ab')"),
    "an extra that is no JSON": EXTRA.format("'{\"order\": [0'"),
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
# The blind trial asks for no plan: a plan of another study's form does it no harm.
HARMLESS = {"a plan with one field more", "a plan that is a word", "an answer without its phase"}


def stored(store: Trials) -> list[tuple]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("SELECT * FROM trials ORDER BY rowid").fetchall()


@pytest.mark.parametrize("instrument", STUDIES)
def test_a_person_is_never_locked_out(instrument, tmp_path, mirror, monkeypatch, capsys):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))  # the problems of Bongard-LOGO were made with it
    study, goes_on = STUDIES[instrument](), set()
    for what, statement in OUTDATED.items():
        store = stored_before(tmp_path / f"{what}.sqlite", instrument)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            assert connection.execute(statement).rowcount
        before = stored(store)
        with case(what):
            first = Sitting.open(study, store, who=WHO)
            lines = capsys.readouterr().out.splitlines()
            assert not first.finished and stored(store)[: len(before)] == before
            if first.id == before[0][0]:  # nothing that the study needs: the sitting goes on
                assert lines == [] and stored(store) == before
                goes_on.add(what)
                continue
            assert len(lines) <= 1 and all("is kept" in line and len(line) <= 400 for line in lines)
            again = Sitting.open(study, store, who=WHO)
            assert (again.id, again.rows, again.order) == (first.id, 1, first.order)
            assert not capsys.readouterr().out
            assert repr(own_data.progress(store)) and own_data.progress(store)._repr_html_()
            assert store.save(tmp_path) and len(store.sittings())
            assert len(store.frame()) + len(store.unreadable()) == len(stored(store))
    assert instrument != "tiles" or goes_on == HARMLESS
