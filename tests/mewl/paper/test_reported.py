"""The printed numbers of models and people, against the cleaned tables, and what follows from them."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from cogkit.core.records import INPUTS, KINDS, RESULT_COLUMNS
from cogkit.mewl.paper import reanalysis, reported
from cogkit.mewl.people import published as people
from cogkit.mewl.problems.episodes import TASKS


@pytest.fixture(scope="module")
def printed(reference) -> dict:
    return json.loads((reference / "mewl" / "results_table2.json").read_text())


@pytest.fixture(scope="module")
def implied():
    return reanalysis.implied()


@pytest.fixture(scope="module")
def refitted(implied):
    """Student's one-tailed tests of all pairs of tasks, of the implied spreads."""
    rows = []
    for a, b in combinations(implied.itertuples(), 2):
        means = implied["mean"][[a.Index, b.Index]].tolist()
        p = stats.ttest_ind_from_stats(means[0], a.sd, a.n, means[1], b.sd, b.n).pvalue / 2
        easier = a.task if means[0] >= means[1] else b.task
        rows.append((a.task, b.task, means[0] - means[1], easier, p, p < 0.05))
    return pd.DataFrame(rows, columns=["first", "second", "difference", "easier", "p", "significant"])


def test_every_accuracy_is_that_of_the_other_transcription(printed):
    values = reported.published().set_index(["who", "task"]).value
    assert len(values) == 7 * 9
    for who, row in printed["rows"].items():
        for task in TASKS:
            assert values["people" if who == "Human" else who, task] == pytest.approx(row[task] / 100, abs=1e-9)
        mean = values["people" if who == "Human" else who].mean() * 100
        assert mean == pytest.approx(row["avg"], abs=0.0501)  # 23.15 is printed as 23.2, 23.1 elsewhere


def test_every_p_is_that_of_the_other_transcription(printed):
    table = reported.pairs()
    assert len(table) == 36
    for row in table.itertuples():
        text = printed["human_p_values"][row.first][row.second]
        assert row.below == text.startswith("<") and row.p == float(text.strip("<"))
        gap = printed["rows"]["Human"][row.first] - printed["rows"]["Human"][row.second]
        assert row.difference == pytest.approx(gap / 100, abs=1e-9)
        assert row.easier == (row.first if gap > 0 else row.second) and row.significant == (row.p < 0.05)


def test_the_study_in_numbers(printed):
    numbers, theirs = reported.study(), printed["human_study"]
    names = {"recruited": "recruited", "women": "female", "mean age": "mean_age", "valid": "valid"}
    names |= {"failed familiarisation": "failed_familiarisation", "failed attention": "failed_attention"}
    names |= {"test items a person": "questions_per_participant", "outliers": "outliers"}
    assert {name: numbers[name] for name in names} == {name: theirs[key] for name, key in names.items()}
    means = reported.published().query("who == 'people'").value
    assert means.mean() * 100 == pytest.approx(numbers["average in the table"], abs=0.05)
    assert abs(means.mean() * 100 - numbers["average in the text"]) > 0.4


def test_result_rows_are_whole():
    rows = reported.result_rows()
    assert list(rows) == list(RESULT_COLUMNS) and set(rows.kind) <= set(KINDS) and set(rows.inputs) <= set(INPUTS)
    assert rows.cell.is_unique and rows.cell.str.fullmatch(r"mewl/[a-z0-9.-]+/[a-z]+").all()
    table = rows.set_index(["who", "task"])
    cell = table.loc[("people", "pragmatic")]
    assert (cell.low, cell.high) == pytest.approx(proportion_confint(0.548 * 240, 240, method="wilson"), abs=1e-9)
    assert (cell.n, cell.source, cell.inputs) == (240, "Jiang et al. 2023, Table 2", "pixels")
    cell = table.loc[("BERT", "number")]
    assert (cell.low, cell.high) == pytest.approx(proportion_confint(0.218 * 600, 600, method="wilson"), abs=1e-9)
    assert (cell.n, cell.kind, cell.inputs) == (600, "model", "captions")
    assert table.loc[("Aloe", "shape"), "inputs"] == "learned slots"


def test_every_models_accuracy_is_one_of_600():
    """Two in five numbers with one digit are none: so 600 episodes a task were asked."""
    counts = reported.published().query("kind == 'model'").value.to_numpy() * 600
    assert np.abs(np.round(counts) - counts).max() <= 0.3 + 1e-9


# What the printed numbers say of those that are not printed


def test_implied_spreads_give_the_printed_p_back_but_for_one_pair(implied, refitted):
    table = reported.pairs()
    assert (refitted.easier == table.easier).all()
    differ = refitted[refitted.significant != table.significant]
    assert differ[["first", "second"]].values.tolist() == [["color", "object"]]  # .065 printed
    mask = ~table.below
    off = stats.norm.isf(refitted.p[mask]) - stats.norm.isf(table.p[mask])
    assert np.abs(off).max() < 0.35 and np.sqrt((off**2).mean()) < 0.13
    assert (refitted.p[table.below] < 0.001).all()


def test_the_printed_order_of_naming_tasks_does_not_hold_to_its_end(refitted):
    for table in (reported.pairs(), refitted):
        assert people.ordering(table).holds.tolist() == [True, True, False]
