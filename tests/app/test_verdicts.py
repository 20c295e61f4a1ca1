"""A stored result stands if a new run gives the same, or differs within its intervals; else the numbers are named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cogkit.app import cli, experiments
from cogkit.app.verdicts import differences
from cogkit.data import results

CELLS = ("equivalence/standard/associative/LS/select-only", "mewl/query-alone", "tiles/random/tree/abstract")
SEED = 2
DEVICE = "cpu Pentium(R) III"


@pytest.fixture(scope="module")
def cell() -> str:
    """A floor with intervals that runs in a moment."""
    return "tiles/random/copy/metamer"


@pytest.fixture
def stored(cell, tmp_path):
    """A result of the cell that seems to be another machine's; change its rows, and see what a new run says to them."""
    (match,) = experiments.cells(cell)
    manifest, rows = experiments.run_cell(match, "verified", "quick", SEED, results.Store(tmp_path))
    (path,) = tmp_path.rglob("*.json")
    whole = path.read_text()

    def change(edit, rows: bool = False):
        content = json.loads(whole)
        content["manifest"]["device"] = DEVICE
        names = content["columns"]
        table = [content["alike"] | dict(zip(names, row, strict=True)) for row in content["rows"]]
        table = edit(table) or table
        content |= {"alike": {}, "columns": [*table[0]], "rows": [[*row.values()] for row in table]}
        path.write_text(json.dumps(content))
        return table if rows else tmp_path

    return change


def verify(cell: str, root: Path, capsys) -> tuple[int, list[str]]:
    """Return the exit status of the command line and the lines that it prints."""
    capsys.readouterr()
    status = cli.main(["sweep", "--verify", cell, "--seed", str(SEED), "--out", str(root)])
    return status, capsys.readouterr().out.splitlines()


def first_with_interval(table) -> dict:
    return next(row for row in table if row["low"] is not None and row["low"] < row["value"] < row["high"])


def test_a_run_on_another_machine_is_the_same_in_whatever_order_its_rows_are(cell, stored, capsys):
    root = stored(lambda table: table[::-1])
    status, lines = verify(cell, root, capsys)
    now = results.manifest(cell, {}, "verified", "quick", 0, 1.0).device
    message = f"same: {cell}, verified, quick, seed {SEED}; stored on {DEVICE}, now on {now}"
    assert (status, lines) == (0, [message])


def test_a_number_within_its_interval_is_named_and_what_lies_outside_or_has_none_fails(cell, stored, capsys):
    row = first_with_interval(stored(lambda table: None, rows=True))
    within = row["value"] + 0.1 * (row["high"] - row["value"])
    outside = {"value": row["high"] + 0.01, "low": row["value"] + 0.001, "high": row["value"] - 0.001}
    for column, value in (outside | {"n": row["n"] + 1, "interval": "99% Wilson"}).items():

        def edit(table, column=column, value=value):
            first_with_interval(table)[column] = value

        status, lines = verify(cell, stored(edit), capsys)
        assert status == 1 and lines[0].startswith("outside: ")
        assert len(lines) == 2 and f": {column} stored " in lines[1]

    def nudge(table):
        first_with_interval(table)["value"] = within

    status, lines = verify(cell, stored(nudge), capsys)
    assert status == 0 and len(lines) == 2 and lines[0].startswith("within the interval: ")


def test_a_missing_row_and_a_new_one_fail(cell, stored, capsys):
    status, lines = verify(cell, stored(lambda table: table[1:]), capsys)
    assert status == 1 and lines[1:] and lines[1].endswith(": rows stored 0, now 1") and len(lines) == 2

    def another(table):
        table.append(table[0] | {"metric": "blueness"})

    status, lines = verify(cell, stored(another), capsys)
    assert status == 1 and [line.split(": ")[1] for line in lines[1:]].count("rows stored 1, now 0") == 1


def test_a_seed_that_nobody_stored_is_one_sentence(cell, stored, capsys):
    root = stored(lambda table: None)
    assert cli.main(["sweep", "--verify", cell, "--seed", "5", "--out", str(root)]) == 2
    assert "got none for preset quick and seed 5" in capsys.readouterr().err


def test_a_new_run_of_a_cell_is_the_same(tmp_path):
    for name in CELLS:
        (match,) = experiments.cells(name)
        experiments.run_cell(match, "verified", "quick", 0, results.Store(tmp_path))
        assert experiments.verify(name, root=tmp_path).word == "same"


def test_within_means_that_each_value_lies_in_the_others_interval():
    """Against the rule spelt out, for random rows."""
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(500):
        rows = [dict(zip(("low", "value", "high"), sorted(rng.random(3).tolist()), strict=True)) for _ in range(2)]
        old, new = ({"metric": "share"} | row for row in rows)
        expected = not (
            new["value"] < old["low"] or new["value"] > old["high"]
            or old["value"] < new["low"] or old["value"] > new["high"]
        )  # fmt: skip
        deviations = differences([old], [new])
        assert [each.column for each in deviations] == ["low", "value", "high"]
        assert {each.within for each in deviations} == {expected}
        seen.add(expected)
    assert seen == {True, False}


def test_numbers_are_the_same_to_one_part_in_a_thousand_million():
    old = {"metric": "share", "value": 0.5, "low": None, "high": None}
    assert differences([old], [old | {"value": 0.5 * (1 + 5e-10), "low": float("nan")}]) == []
    (deviation,) = differences([old], [old | {"value": 0.5 * (1 + 2e-9)}])
    assert not deviation.within and deviation.size == pytest.approx(2e-9, rel=1e-3)
    (deviation,) = differences([old], [old | {"value": None}])
    assert not deviation.within and deviation.size == float("inf")
    rows = [old | {"value": value} for value in (0.1, 0.2)]  # about the same: they are compared in their order
    assert differences(rows, rows) == [] and len(differences(rows, rows[::-1])) == 2
