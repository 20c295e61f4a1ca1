"""Shared errors as result rows: kappa by another library, and the way back."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from cogkit.app import experiments
from cogkit.core.records import RESULT_COLUMNS
from cogkit.study.error_consistency import SAME, error_rows, is_errors, pairs

NAMES = ("a", "b", "c")
PLAYERS = {name: {"who": name, "kind": "model", "inputs": "pixels", "supervision": ""} for name in NAMES}


@pytest.fixture(scope="module")
def right() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    index = pd.MultiIndex.from_product([range(20), range(3)], names=["cluster", "item"])
    return pd.DataFrame(rng.random((60, 3)) < (0.5, 0.7, 0.9), index, list(NAMES))


def test_kappa_is_cohens_on_right_and_wrong(right):
    rows = pd.DataFrame(error_rows(right, PLAYERS, "all", np.random.default_rng(0)))
    kappa = rows[rows.metric.str.startswith(SAME)].set_index(["who", "metric"])
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        row = kappa.loc[(first, f"{SAME}{second}")]
        assert row.value == pytest.approx(cohen_kappa_score(right[first], right[second]))
        assert row.low < row.value < row.high and (row.n, row.task) == (60, "all")


def test_copies_of_an_item_in_its_cluster_add_no_certainty(right):
    """Ten copies of each item give the interval of one copy, since whole clusters are resampled."""
    single = right.groupby(level=0).first()
    single.index = pd.MultiIndex.from_product([single.index, [0]])
    copies = single.loc[single.index.repeat(10)]
    copies.index = pd.MultiIndex.from_arrays([copies.index.get_level_values(0), range(len(copies))])
    once, often = (
        [(row["low"], row["high"]) for row in error_rows(frame, PLAYERS, "all", np.random.default_rng(0))]
        for frame in (single, copies)
    )
    assert np.allclose(np.array(once, float), np.array(often, float), equal_nan=True)


def test_rows_become_pairs_again(right):
    errors = error_rows(right, PLAYERS, "all", np.random.default_rng(0))
    rows = pd.DataFrame([{"instrument": "toy"} | row for row in errors])
    rows = pd.concat([rows, pd.DataFrame([{"instrument": "toy", "metric": "accuracy", "who": "a"}])])
    table = pairs(rows)
    assert table[["first", "second"]].values.tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert table.kappa.tolist() == pytest.approx([row["value"] for row in errors if row["metric"].startswith(SAME)])
    assert (table.kappa <= table.kappa_max + 1e-12).all() and is_errors(rows).sum() == 6


def test_two_players_without_an_error_have_no_kappa():
    right = pd.DataFrame({"a": [1, 1, 1], "b": [1, 1, 1]}, pd.Index(range(3)))
    rows = error_rows(right, PLAYERS, "all", np.random.default_rng(0))
    assert [row["value"] for row in rows] == [None, None] and set(rows[0]) <= set(RESULT_COLUMNS)


def test_a_shipped_comparison_is_what_a_run_gives():
    assert experiments.verify("equivalence/errors", preset="lab", root="nowhere").ok
