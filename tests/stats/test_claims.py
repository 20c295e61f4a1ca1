"""Verdicts on claims: who may decide, how many runs it takes, what a quantifier needs, and how often a test errs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import case
from scipy import stats

from cogkit.stats.claims import (
    HOLDS,
    OPEN,
    REFUTED,
    UNREACHED,
    Claim,
    Evidence,
    Missing,
    Shares,
    decide,
    evidence,
    judge,
    power,
    survey,
    text,
)  # fmt: skip

GAP = pd.Series(dtype=float)


def values(results: pd.Series) -> pd.Series:
    if results.empty:
        raise Missing("no A")
    return results


def claim(need: str = "every", about: str = "model") -> Claim:
    return Claim("all are above a half", "1", "{}", values, lambda shares: shares - 0.5, need, about)


def result(*shares: float) -> pd.Series:
    return pd.Series(dict(zip("ABCD", shares, strict=False)))


def runs(*rows: tuple) -> Evidence:
    """Runs of the paper's own model, a row of shares each."""
    parts = [result(*row) if len(row) else GAP for row in rows]
    return Evidence(pd.concat(parts, axis=1).mean(axis=1), parts, n="9 boards", about={"model": len(parts)})


def verdict(which: Claim, **bodies: Evidence) -> pd.Series:
    return survey([which], lambda shares: text(shares, ".3f"), needed="its size", reached="ours", **bodies).iloc[0]


HIGH, LOW = [(0.70,), (0.72,), (0.71,)], [(0.30,), (0.28,), (0.29,)]


def test_three_runs_of_the_papers_own_model_decide():
    table = (
        (HIGH, HOLDS, 3, ""), (LOW, REFUTED, 3, ""), (HIGH[:2], OPEN, 2, "two runs"), (HIGH[:1], OPEN, 1, "one run"),
        ([(0.70,), (0.40,), (0.60,)], OPEN, 3, ""), ([*HIGH, ()], HOLDS, 3, ""), ([*HIGH[:2], ()], OPEN, 2, "two runs"),
    )  # fmt: skip
    for rows, word, count, note in table:
        with case(rows):
            row = verdict(claim(), ours=runs(*rows))
            assert (row.verdict, row.runs, row.note, row.by, row.n) == (word, count, note, "ours", "9 boards")
            assert (row.needed, row.reached, row.interval == "") == ("its size", "ours", count == 1)


def test_the_interval_is_students_of_the_margin_over_runs():
    margins = np.array(HIGH).ravel() - 0.5
    half = stats.t(2).ppf(0.975) * margins.std(ddof=1) / np.sqrt(3)
    expected = f"A [{margins.mean() - half:.3f}, {margins.mean() + half:.3f}]"
    assert verdict(claim(), ours=runs(*HIGH)).interval == expected


def test_other_runs_are_shown_and_decide_nothing():
    changed = Evidence(result(0.1), [result(0.1)] * 3)
    row = verdict(claim(), printed=Evidence(result(0.9)), changed=changed)
    assert (row.verdict, row.by, row.printed, row.ours, row.changed) == (UNREACHED, "", "A 0.900", "", "A 0.100")
    assert row.note == "the paper's own numbers agree as they are; ours, changed, do not agree as they are"
    assert verdict(claim(), changed=changed).verdict == UNREACHED == verdict(claim()).verdict
    missing = verdict(claim(), ours=Evidence(GAP, [GAP] * 3, about={"model": 3}))
    assert (missing.verdict, missing.ours) == (UNREACHED, "no A")


def again(truth: pd.Series, spread: float, n: int = 400) -> list[pd.Series]:
    rng = np.random.default_rng(5)
    return [truth + rng.normal(0, spread, len(truth)) for _ in range(n)]


def test_the_papers_own_numbers_of_three_runs_can_refute_and_not_prove():
    for share, about, word in ((0.9, 3, UNREACHED), (0.1, 3, REFUTED), (0.1, 2, UNREACHED), (0.45, 3, UNREACHED)):
        with case((share, about)):
            truth = result(share)
            row = verdict(claim(), printed=Evidence(truth, draws=again(truth, 0.03), about={"model": about}))
            assert (row.verdict, row.by) == (word, "printed" if word == REFUTED else "")


def test_people_decide_on_people_by_the_error_of_their_numbers():
    for share, word in ((0.9, HOLDS), (0.1, REFUTED), (0.53, OPEN)):
        truth = result(share)
        paper = Evidence(truth, draws=again(truth, 0.03), about={"people": 24})
        row = verdict(claim(about="people"), printed=paper, changed=Evidence(result(0.1), [result(0.1)] * 3))
        assert (row.verdict, row.by, row.runs, row.changed, row.needed) == (word, "printed", 24, "", "")
    row = verdict(claim(about="people"), printed=Evidence(GAP, about={"people": 24}))
    assert (row.verdict, row.note) == (OPEN, "the numbers are not there")


def test_arithmetic_has_no_spread():
    for share, word in ((0.51, HOLDS), (0.49, REFUTED)):
        row = verdict(claim(about="numbers"), printed=Evidence(result(share), about={"numbers": 0}))
        assert (row.verdict, row.interval, row.runs) == (word, "", 0)


def part(p: float) -> tuple[float, float, float]:
    """Shares of three runs whose margins above a half have this one-sided p."""
    return tuple(0.5 + 0.01 * (np.array([-1, 0, 1]) + stats.t(2).isf(p) / np.sqrt(3)))


def test_quantifiers_are_tested_as_such():
    """Every part alone, without a correction; one of m after Holm's; k of m at (m - k + 1) times the k-th p."""
    table = (
        ("every", (0.02, 0.02, 0.02), HOLDS), ("every", (0.001, 0.001, 0.03), OPEN),
        ("some", (0.008, 0.5, 0.5), HOLDS), ("some", (0.009, 0.5, 0.5), OPEN),  # .025 / 3 = .0083
        ("most", (0.012, 0.012, 0.5), HOLDS), ("most", (0.013, 0.013, 0.5), OPEN),  # 2 of 3: 2 p
        ("2", (0.012, 0.012, 0.5), HOLDS),
        ("every", (0.5, 0.5, 0.992), REFUTED), ("every", (0.5, 0.5, 0.991), OPEN),  # one part excluded, after Holm's
        ("some", (0.98, 0.98, 0.98), REFUTED), ("some", (0.98, 0.98, 0.97), OPEN),
    )  # fmt: skip
    for need, ps, word in table:
        with case((need, ps)):
            assert decide(claim(need), runs(*zip(*map(part, ps), strict=True)))[0] == word


def test_a_test_of_true_claims_seldom_says_that_they_do_not_hold():
    """Three runs of three parts, at no margin: each verdict in at most .025; the p of parts are those of scipy."""
    n = 200
    rng = np.random.default_rng(3)
    simulated = [runs(*(0.5 + rng.normal(0, 0.05, (3, 3)))) for _ in range(n)]
    for need in ("every", "some", "most"):
        row = power([claim(need)], simulated[0], simulated).iloc[0]
        limit = 0.025 + 3 * np.sqrt(0.025 * 0.975 / n)
        assert row.says_holds <= limit and row.says_not <= limit, need
    table = decide(claim(), simulated[0])[1]
    margins = np.array([run - 0.5 for run in simulated[0].runs])
    for name, column in zip("ABC", margins.T, strict=True):
        assert table.above[name] == pytest.approx(stats.ttest_1samp(column, 0, alternative="greater").pvalue)


def test_power_of_people_is_that_of_other_people():
    truth = result(0.56)
    paper = Evidence(truth, draws=again(truth, 0.03, 1000), about={"people": 1000})
    row = power([claim(about="people"), claim(about="numbers")], paper)
    expected = stats.norm.sf(1.96 - 0.06 / 0.03)
    assert len(row) == 1 and row.says_holds.item() == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(1000) + 0.005)


def test_a_judgement_takes_numbers_as_they_are():
    table = judge([claim(), claim("some")], result(0.6, 0.4), lambda shares: text(shares, ".1f"))
    assert table.values.tolist() == [
        ["all are above a half", "1", "A 0.6, B 0.4", False], ["all are above a half", "1", "A 0.6, B 0.4", True]
    ]  # fmt: skip
    assert judge([claim()], GAP, str).holds.isna().all()


def test_evidence_of_rows_has_each_seed_alone_beside_all_who_are_no_models():
    rows = pd.DataFrame({"kind": ["model", "model", "person", "model"], "seed": [0, 2, 7, 0], "value": [1, 2, 4, 8]})
    body = evidence(rows, lambda part: sorted(part.value), "4 rows")
    assert (body.whole, list(body.runs), body.n, body.about) == ([1, 2, 4, 8], [[1, 4, 8], [2, 4]], "4 rows", {})
    assert evidence(rows, len, decides=True).about == {"model": 2}


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
