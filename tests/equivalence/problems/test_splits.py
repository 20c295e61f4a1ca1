"""Splits of matching trials, and what memory of the trained pairs gets there: as measured first, and by hand."""

from __future__ import annotations

import pytest

from cogkit.app import cli
from cogkit.core.items import overlap
from cogkit.core.splits import HIGHER
from cogkit.data.results import shipped
from cogkit.equivalence.instrument import INSTRUMENT
from cogkit.equivalence.learners import ladder
from cogkit.equivalence.problems import splits
from cogkit.equivalence.problems.records import Design

SKILL = lambda accuracy: (accuracy - 1 / 3) / (2 / 3)  # noqa: E731


def test_a_split_holds_every_trial_of_its_relation_and_trains_the_pairs_of_its_condition():
    parts = splits.split("LS/select-only, transitivity alone")
    trained = {"AB", "BC", "CD", "DE", "EF", "FG"}
    frame = parts.test.frame()
    assert {*parts.train.frame().pair} == trained
    assert {*frame.pair} == {a + b for a in "ABCDEFG" for b in "ABCDEFG" if a < b} - trained
    assert len(parts.test) == 15 * 4 * 1260 and parts.rung in HIGHER and len(parts.val) == 0
    backwards = splits.split("LS/select-only, equivalence alone").test.frame().pair
    assert {*backwards} == {pair[::-1] for pair in frame.pair}


def test_splits_cover_each_relation_of_each_condition_once():
    assert len(splits.names()) == 6 * (4 + 3 + 3)  # one to many and many to one have no transitivity alone
    for name in splits.names()[::7]:
        parts = splits.split(name)
        if parts.rung in HIGHER:
            assert not overlap(parts.train, parts.test) and INSTRUMENT.memory(name)["copies"] == 0
        else:
            assert parts.rung == ("iid" if name.endswith("baseline") else "orbit")


@pytest.mark.parametrize(("name", "floor", "ideal"), [
    ("LS/select-reject, symmetry", 1.0, 1.0), ("LS/select-reject, transitivity alone", 1.0, 1.0),
    ("LS/select-reject/standard, transitivity alone", 1 / 3, 1.0),
    ("OTM/select-only/standard, equivalence alone", 1 / 3, 1.0),
    ("MTO/reject-only/standard, equivalence alone", 1 / 3, 1 / 3),
])  # fmt: skip
def test_memory_gets_what_was_measured_first(name, floor, ideal):
    row = INSTRUMENT.memory(name)
    assert (row["floor"], row["family ideal"]) == pytest.approx((SKILL(floor), SKILL(ideal)), abs=1e-5)


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["audit"], "wanted the folder of a dataset, or --memory, got no folder"),
    (["audit", "here", "--memory"], "wanted a folder or --memory, got here and --memory"),
    (["audit", "--memory", "tile"], "did you mean 'tiles'"),
])  # fmt: skip
def test_the_command_says_what_it_wants(arguments, sentence, capsys):
    assert cli.main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_rows_have_the_rung_of_their_relation():
    rows = INSTRUMENT.results()
    rungs = rows.groupby(rows.task.str.rpartition("/")[2]).rung.unique()
    assert rungs["symmetry"].tolist() == ["orbit"] and rungs["equivalence alone"].tolist() == ["composition"]
    assert rungs["baseline"].tolist() == ["iid"] and rungs["AB"].tolist() == [""]
    assert {*rows.split} - {""} >= {f"{Design().condition}, symmetry"}


def test_a_staircase_has_the_trained_networks_and_what_memory_gets():
    rows = shipped("equivalence")
    table = ladder.table(rows, "LS/select-reject/standard")
    assert table.split.drop_duplicates().tolist() == [f"LS/select-reject/standard, {name}" for name in splits.RUNGS]
    networks = table[table.kind == "model"]
    accuracy = rows[(rows.metric == "accuracy, argmax") & rows.split.isin(table.split) & (rows.supervision != "")]
    for row in networks.itertuples():
        own = accuracy[(accuracy.who == row.who) & (accuracy.split == row.split)].value
        assert row.value == pytest.approx(SKILL(own.mean()), abs=1e-5) and row.n == len(own)
    floors = table[table.kind == "floor"].groupby("split").value.max()
    # by name: baseline, equivalence, symmetry, transitivity
    assert floors.tolist() == pytest.approx([1.0, 0.0, 1.0, 0.0])
