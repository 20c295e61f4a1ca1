"""The page of all claims: what survives is what rows that come with the package say, claim by claim."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from cogkit.app.claims import claims
from cogkit.core.errors import InputError
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
    assert row.test == request.node.nodeid


def test_every_claim_names_the_test_that_could_refute_it(table):
    assert [*table.index] == [(instrument, claim) for instrument, claim, _ in BEFORE]
    assert table.test.is_unique and len(table) >= LEAST


def test_each_row_says_what_it_rests_on(table):
    assert set(table.verdict) == set(VERDICTS)
    decided = table[table.by != ""]
    assert (decided.verdict[decided.verdict == "cannot be told"].index.isin(decided.index[decided.note != ""])).all()
    single = table[(table.runs == 1) & table.verdict.isin(["holds weakly", "does not hold"])]
    assert len(single) and (single.note == "one run").all()  # no verdict of one run passes for more
    assert (table.verdict[table.runs == 1] != "holds").all()
    assert (table.n[(table.by == "verified") | (table.by == "as_published")] != "").all()
    for column in ("claim", "section", "printed", "as_published", "verified", "note"):
        assert table.reset_index()[column].map(type).eq(str).all()


def test_a_sixth_instrument_is_on_the_page_without_an_edit(sixth):
    table = claims("counting", "mewl")
    assert set(table.instrument) == {"counting", "mewl"}
    own = table[table.instrument == "counting"].set_index("claim").verdict.to_dict()
    assert own == {"a week has seven days": "holds", "a week has an even number of days": "does not hold"}


def test_an_instrument_without_claims_is_refused():
    with pytest.raises(InputError, match="wanted an instrument with a module paper.claims, got claims of counting"):
        claims("counting")
