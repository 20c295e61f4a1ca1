"""The article's numbers, and runs laid beside them: against the reference tables, and against plain arithmetic."""

from __future__ import annotations

import csv
import math

import numpy as np
import pandas as pd
import pytest
from cases import case

from cogkit.core.records import RESULT_COLUMNS
from cogkit.data import results
from cogkit.equivalence.paper import reported
from cogkit.equivalence.problems.records import Design

T2 = 4.302652729911275  # the 97.5 % point of Student's t with 2 degrees of freedom, from a printed table


def printed(reference, name: str) -> dict[int, dict]:
    with (reference / "stimulus_equivalence" / name).open(newline="") as file:
        return {int(row["simulation"]): row for row in csv.DictReader(file)}


def test_the_tables_are_the_reference_tables_cell_by_cell(reference):
    first, last = printed(reference, "table1.csv"), printed(reference, "hallucination.csv")
    table = reported.published()
    assert len(table) == 144
    for row in table.itertuples():
        group = "baseline" if row.group == "trained" else row.group
        for printed_row in (first[row.simulation], last[row.simulation]):
            labels = [printed_row[name] for name in ("transformer", "structure", "relation_type")]
            assert labels == [row.transformer, row.structure, row.relation]
        expected = {
            "accuracy": first[row.simulation][group],
            "hallucinations": last[row.simulation].get(f"total_{group}"),
            "hallucinations among errors": last[row.simulation].get(f"fail_{group}"),
        }
        assert row.value == float(expected[row.metric])
    assert table.groupby(["simulation", "group", "metric"]).ngroups == 144


def test_the_articles_numbers_are_result_rows():
    rows = reported.result_rows()
    assert list(rows.columns) == list(RESULT_COLUMNS)
    table = reported.against(rows)
    assert (table.ours == table.published).all()
    assert table.n.groupby(table.group).unique().map(list).to_dict() == {
        "trained": [30_240], "reflexivity": [35_280], "symmetry": [30_240], "transitivity": [151_200],
    }  # fmt: skip


def row(value, seed=0, preset="paper", metric="accuracy, as published", group="reflexivity", **other) -> dict:
    defaults = {
        "cell": "equivalence/gpt/LS/select-reject", "instrument": "equivalence", "profile": "as_published",
        "preset": preset, "task": f"LS/select-reject/{group}", "kind": "model", "who": "GPT", "inputs": "symbols",
        "seed": seed, "metric": metric, "value": value, "low": None, "high": None, "interval": "", "n": 35_280,
        "source": "cogkit, bfloat16",
    }  # fmt: skip
    return defaults | other


def beside(*rows) -> pd.Series:
    """The row of GPT, LS, select-reject, reflexivity: published .919."""
    table = reported.against(pd.DataFrame(rows, columns=list(RESULT_COLUMNS)))
    part = table[(table.simulation == 1) & (table.group == "reflexivity") & (table.metric == "accuracy")]
    assert len(table) == 144 and len(part) == 1
    return part.iloc[0]


LABS, FEW, NONE = (0.80, 0.81, 0.82), (0.50, 0.51, 0.52), math.nan
SPREADS = (  # runs of paper size, of lab size; what the spread is of, and the standard deviation of one run more
    ((0.90, 0.93, 0.96), (), "3 seeds of paper size", 0.03 * math.sqrt(1 + 1 / 3)),
    ((0.80,), LABS, "3 seeds of lab size", 0.01 * math.sqrt(2)),
    # one more run of lab size is expected within .51 ± t(2) · .01 · √(1 + 1/3), .0497
    ((0.559,), FEW, "3 seeds of lab size", 0.01 * math.sqrt(2)),
    ((0.561,), FEW, "one run, far from 3 of lab size", NONE),
    *((runs, labs, "", NONE) for runs in ((0.91,), ()) for labs in ((), (0.5,))),
)


def test_one_more_run_is_expected_by_the_spread_of_seeds_or_else_by_that_of_lab_size():
    for runs, labs, spread, sd in SPREADS:
        lab_rows = (row(value, seed, "lab") for seed, value in enumerate(labs))
        result = beside(*(row(value, seed) for seed, value in enumerate(runs)), *lab_rows)
        mean = sum(runs) / len(runs) if runs else NONE
        limits = [mean - T2 * sd, min(mean + T2 * sd, 1.0)]  # no share is above 1
        with case((runs, labs)):
            assert result.ours == pytest.approx(mean, nan_ok=True) and result.spread == spread
            assert [result.low, result.high] == pytest.approx(limits, nan_ok=True)
            assert (result.seeds, result.n) == (len(runs), 35_280 if runs else 0)


def test_other_rows_are_no_part_of_it():
    strangers = [
        row(0.1, task="LS/select-reject/standard/reflexivity"),
        row(0.1, who="shared embedding"),
        row(0.1, metric="accuracy, argmax, iteration 250"),
        row(0.1, metric="accuracy, forced choice"),
        row(0.1, group="AA"),
        row(0.1, group="baseline"),
        row(None, seed=1),
    ]
    result = beside(row(0.8), *strangers)
    assert (result.ours, result.seeds) == (0.8, 1)


def test_the_twelve_simulations_are_shipped_at_the_papers_size():
    table = reported.against(results.shipped("equivalence", "paper", "as_published"))
    assert len(table) == len(reported.published()) == 144 and (table.seeds >= 1).all()
    assert (table[table.metric == "accuracy"].n > 30_000).all()
    pairs = reported.simulated(results.shipped("equivalence", "paper", "as_published"))
    assert set(pairs.query("metric == 'accuracy' and group == 'BC'").n) == {5040}


def test_a_matrix_of_pair_rows_is_the_mean_over_seeds_where_it_is_told():
    design = Design(("AB", "CB"), members=3)
    entries = [("GPT", "AB", 0.5, 0), ("GPT", "AB", 1.0, 1), ("GPT", "CA", 0.25, 0), ("BERT", "AB", 0.0, 0)]
    rows = [row(share, seed, group=pair, metric="accuracy, argmax", who=who) for who, pair, share, seed in entries]
    rows = [line | {"task": f"{design.condition}/{line['task'][-2:]}"} for line in rows]
    other = row(0.0, group="AC", metric="accuracy, argmax")  # of another condition
    matrix = reported.matrix(pd.DataFrame([*rows, other]), "GPT", design, "argmax")
    assert matrix[0, 1] == 0.75 and matrix[2, 0] == 0.25 and np.isnan(matrix).sum() == 7
