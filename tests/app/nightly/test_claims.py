"""The page of all claims: what survives is what rows that come with the package say, claim by claim."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from cogkit.app.claims import claims
from cogkit.core.records import slug
from cogkit.stats.claims import VERDICTS

# Verdicts as they were when somebody last looked at them: one that changes, by a new run or rule, is to be looked at.
with Path(__file__).with_name("verdicts.csv").open(encoding="utf-8", newline="") as file:
    BEFORE = [*csv.reader(file)][1:]
LEAST = 60  # claims that the issue asks for


@pytest.fixture(scope="module")
def table(mirror) -> pd.DataFrame:
    return claims().set_index(["instrument", "claim"])


@pytest.mark.parametrize(("instrument", "claim", "verdict"), BEFORE, ids=[slug(f"{a} {b}") for a, b, _ in BEFORE])
def test_a_verdict_is_still_what_it_was(table, instrument, claim, verdict, request):
    row = table.loc[(instrument, claim)]
    assert row.verdict == verdict, row.to_dict()
    assert row.command == f"pytest -m nightly '{request.node.nodeid}'"


def test_every_claim_has_the_command_that_tests_it_again(table):
    assert [*table.index] == [(instrument, claim) for instrument, claim, _ in BEFORE]
    assert table.command.is_unique and len(table) >= LEAST


def test_only_the_papers_own_model_at_its_size_people_and_arithmetic_decide(table):
    assert set(table.verdict) == set(VERDICTS)
    decided = table[table.verdict.isin(["holds", "does not hold"])]
    arithmetic = decided.runs == 0
    assert (decided.runs[~arithmetic] >= 3).all() and (decided.needed[arithmetic] == "").all()
    assert set(decided.by) == {"printed", "ours", "ours, on our tasks"} and (decided.n != "").all()
    # Networks of ours in another form, or smaller, are shown and decide nothing.
    by_ours = table[table.by.str.startswith("ours")].reset_index().instrument.unique().tolist()
    assert sorted(by_ours) == ["equivalence", "generalization"]
    assert (table.verdict[table.by == ""].isin(["not at our size", "open"])).all()
    models = table[table.needed != ""]
    assert (models.reached != "").all() and (models.verdict[models.by == ""] == "not at our size").all()


def test_no_network_of_ours_has_the_name_of_a_papers_model(table):
    numbers = table.loc["mewl"].changed
    assert not numbers.str.contains(r"^(?!no ).*(?:\bBERT|\bCLIP|\bAloe) ", regex=True).any()
    assert numbers.str.contains("our CNN transformer").any()


def test_gr_star_is_judged_on_our_tasks_and_says_so(table):
    rows = table.loc["generalization"]
    assert set(rows.by) == {"ours, on our tasks", ""} and rows.needed.str.contains("which it does not say").sum() == 29


def test_our_tests_seldom_refute_what_is_true_as_printed(table):
    """In at most one of twenty; of the claims that are decided, and have printed numbers."""
    printed = table[table.says_not != ""]
    shares = printed.says_not.str.removesuffix(" %").astype(float)
    assert len(printed) >= 25 and shares.max() <= 5
    assert printed.says_holds.str.removesuffix(" %").astype(float).max() > 50
