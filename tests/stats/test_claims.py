"""Verdicts on claims: what decides, what runs that disagree do, and what the paper's own numbers may say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from cases import case
from scipy import stats

from cogkit.stats.claims import VERDICTS, Claim, Evidence, Missing, Shares, evidence, judge, survey, text

HIGH, LOW, GAP = {"A": 0.9}, {"A": 0.1}, {}
HOLDS, WEAKLY, NOT, OPEN = VERDICTS


def above_half(results: dict) -> float:
    if "A" not in results:
        raise Missing("no A")
    return results["A"]


CLAIM = Claim("A is above a half", "1", lambda value: f"A {value}", above_half, lambda value: value > 0.5)
ABOUT_PEOPLE = Claim("people are", "1", lambda value: f"A {value}", above_half, lambda value: value > 0.5, people=True)


def verdict(claim: Claim = CLAIM, **bodies: Evidence) -> pd.Series:
    return survey([claim], str, **bodies).iloc[0]


def test_runs_decide_together_and_each_alone():
    table = (
        (HIGH, [HIGH, HIGH], HOLDS, ""),
        (HIGH, [HIGH], WEAKLY, "one run"),
        (HIGH, [HIGH, HIGH, LOW], WEAKLY, "so in 2 of 3 runs"),
        (HIGH, [HIGH, LOW], OPEN, "so in 1 of 2 runs"),
        (HIGH, [HIGH, GAP], WEAKLY, "one run"),  # a run that lacks the number does not count
        (HIGH, [], WEAKLY, ""),
        (LOW, [LOW, LOW], NOT, ""),
        (LOW, [LOW], NOT, "one run"),
        (LOW, [LOW, HIGH], OPEN, "so in 1 of 2 runs"),
        (LOW, [LOW, HIGH, LOW], NOT, "so in 2 of 3 runs"),
        (LOW, [], NOT, ""),
    )
    for whole, runs, word, note in table:
        row = verdict(verified=Evidence(whole, runs, "9 boards"), printed=Evidence(HIGH))
        count = sum(run is not GAP for run in runs)
        with case((whole, runs)):
            assert (row.verdict, row.note, row.by, row.runs, row.n) == (word, note, "verified", count, "9 boards")
            assert row.verified == f"A {whole['A']}" and row.printed == "A 0.9" and row.as_published == ""


def test_a_claim_says_how_many_runs_it_needs():
    claim = Claim("A is above a half", "1", "{}", above_half, lambda value: value > 0.5, least=3)
    assert [verdict(claim, verified=Evidence(HIGH, [HIGH] * n)).verdict for n in (2, 3)] == [WEAKLY, HOLDS]


def test_a_failure_without_the_power_to_succeed_tells_nothing():
    claim = Claim("A is above a half", "1", "{}", above_half, lambda value: value > 0.5, power=3)
    for runs, word in ((2, OPEN), (3, NOT)):
        assert verdict(claim, verified=Evidence(LOW, units=runs)).verdict == word
        assert verdict(claim, verified=Evidence(LOW, [LOW] * runs)).verdict == word
    assert verdict(claim, verified=Evidence(LOW, units=2)).note == "it fails, which 2 runs cannot show"


def test_results_with_tests_of_their_own_count_their_units():
    assert [verdict(verified=Evidence(HIGH, units=n)).verdict for n in (1, 2)] == [WEAKLY, HOLDS]
    row = verdict(verified=Evidence(LOW, units=3))
    assert (row.verdict, row.runs, row.note) == (NOT, 3, "")


def test_verified_decides_before_as_published_and_both_before_the_paper():
    ours, theirs = Evidence(LOW, [LOW] * 2), Evidence(HIGH, [HIGH] * 2)
    bodies = {"printed": Evidence(LOW), "as_published": theirs, "verified": ours}
    row = verdict(**bodies)
    assert (row.verdict, row.by) == (NOT, "verified") and row.as_published == "A 0.9"
    row = verdict(**bodies | {"verified": Evidence(GAP, [LOW])})
    assert (row.verdict, row.by, row.verified) == (HOLDS, "as_published", "no A")
    row = survey([CLAIM], str, **bodies, first="as_published").iloc[0]
    assert (row.verdict, row.by, row.verified) == (HOLDS, "as_published", "A 0.1")


def test_the_papers_own_numbers_can_refute_and_not_prove():
    for paper, word, says in ((HIGH, OPEN, "it holds"), (LOW, NOT, "it does not hold")):
        row = verdict(printed=Evidence(paper), verified=Evidence(GAP))
        assert (row.verdict, row.by, row.runs) == (word, "printed", 0)
        assert row.note == f"by the paper's own numbers {says}; no run of ours can tell"


def test_without_a_number_nothing_can_be_told():
    row = verdict(printed=Evidence(GAP))
    assert (row.verdict, row.by, row.printed, row.note) == (OPEN, "", "no A", "the numbers are not there")
    assert verdict().verdict == OPEN


def test_people_are_decided_by_their_own_numbers():
    for paper, other, word in ((HIGH, LOW, HOLDS), (LOW, HIGH, NOT)):
        row = verdict(ABOUT_PEOPLE, printed=Evidence(paper), verified=Evidence(other, [other] * 3))
        assert (row.verdict, row.by, row.runs, row.note) == (word, "printed", 0, "people as printed")
        row = verdict(ABOUT_PEOPLE, printed=Evidence(other), as_published=Evidence(paper, people=True))
        assert (row.verdict, row.by, row.note) == (word, "as_published", "")


def test_a_judgement_of_one_body_says_the_same():
    table = judge([CLAIM, CLAIM], LOW, str)
    assert table.values.tolist() == [["A is above a half", "1", "A 0.1", False]] * 2
    assert judge([CLAIM], GAP, str).holds.isna().all()


def test_evidence_of_rows_has_each_seed_alone_beside_all_who_are_no_models():
    rows = pd.DataFrame({"kind": ["model", "model", "person", "model"], "seed": [0, 2, 7, 0], "value": [1, 2, 4, 8]})
    body = evidence(rows, lambda part: sorted(part.value), "4 rows")
    assert (body.whole, list(body.runs), body.n) == ([1, 2, 4, 8], [[1, 4, 8], [2, 4]], "4 rows")


class Two(Shares):
    tasks = ("x", "y")

    def _key(self, who: str) -> str:
        return who.lower()


def test_shares_are_looked_up_and_what_lacks_is_named():
    shares = Two(pd.Series({("a", "x"): 0.2, ("a", "y"): 0.4, ("b", "x"): 0.6, ("b", "y"): 0.0}))
    assert shares.table(["A", "B"]).values.tolist() == [[0.2, 0.4], [0.6, 0.0]]
    assert shares.of("B", ["x"]).to_dict() == {"x": 0.6}
    assert shares.means(["B", "A"]).to_dict() == {"B": 0.3, "A": pytest.approx(0.3)}
    assert shares.best(["A", "B"]).to_dict() == {"x": 0.6, "y": 0.4}
    assert shares.all(["A"], "y").to_dict() == {("A", "y"): 0.4}
    with pytest.raises(Missing, match="no z of B"):
        shares.of("B", ["x", "z"])


SHOWN = Claim("all are above a half", "1", "lowest: {}", lambda values: values, lambda values: values.min() > 0.5)


def interval(claim: Claim, runs: list, write=lambda values: text(values, ".3f")) -> str:
    return survey([claim], write, verified=Evidence(runs[0], runs)).iloc[0].interval


def test_every_number_has_an_interval_over_runs():
    runs = [pd.Series({"A": a, "B": b}) for a, b in ((0.7, 0.6), (0.8, 0.9), (0.9, 0.9))]
    limits = [stats.t.interval(0.95, 2, np.mean(values), stats.sem(values)) for values in ([7, 8, 9], [6, 9, 9])]
    (a, b), (c, d) = [[value / 10 for value in ends] for ends in limits]
    assert interval(SHOWN, runs) == f"A [{a:.3f}, {b:.3f}], B [{c:.3f}, {d:.3f}]"


def test_there_is_no_interval_where_a_run_lacks_a_number_or_another_is_shown():
    one, other = pd.Series({"A": 0.7}), pd.Series({"A": 0.8, "B": 0.9})
    assert interval(SHOWN, [one]) == ""  # one run
    assert interval(SHOWN, [one, other]) == ""
    assert interval(replace(SHOWN, formatter=lambda values: f"B {values.get('B')}"), [one, one]) == ""
    assert interval(CLAIM, [HIGH, HIGH], str) == ""  # no Series
    people = replace(SHOWN, people=True)
    assert survey([people], str, printed=Evidence(one, [one, one])).iloc[0].interval == ""
