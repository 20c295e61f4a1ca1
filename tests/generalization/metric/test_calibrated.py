"""The calibrated components: closed forms, words of their definition, and intervals against what theory says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as tests

from cogkit.generalization.metric import calibrated, gr_star
from cogkit.generalization.metric.calibrated import Evidence, above_chance, intervals, performance, ranks, summary


def right(share: float, n: int = 200) -> np.ndarray:
    return np.arange(n) < round(share * n)


def one(evidence: Evidence) -> dict[str, float]:
    return dict(zip(calibrated.COMPONENTS, calibrated.components(evidence)[0].tolist(), strict=True))


def by_who(table, component: str) -> dict[str, object]:
    return {row.who: row for row in table[table.component == component].itertuples()}


# A_c and P.


def test_accuracy_above_chance_runs_from_nought_at_chance_to_one():
    for chance in (0.5, 1 / 3, 0.2, 0.8):
        assert above_chance([chance, 1, (1 + chance) / 2], chance) == pytest.approx([0, 1, 0.5])
        assert above_chance(0, chance) == pytest.approx(-chance / (1 - chance))  # signed below it
        values = one(Evidence(right(0.0), chance))
        assert (values["A_c"], values["P"]) == (0, 0)  # and taken as nought in the score


def test_performance_has_its_closed_form():
    """A' (√A' - √(1-A'))² = A' (1 - √(1 - A_c²)), A' = (1 + A_c)/2."""
    a = np.linspace(0, 1, 101)
    assert performance(a) == pytest.approx((1 + a) / 2 * (1 - np.sqrt(1 - a**2)))
    assert performance([0, 1]).tolist() == [0, 1] and performance(0.8) == pytest.approx(0.36)
    assert (np.diff(performance(a)) > 0).all() and (performance(np.linspace(-3, 0, 50)) == 0).all()


def test_for_two_balanced_classes_it_is_the_papers():
    accuracy = np.linspace(0.5, 1, 101)
    assert performance(above_chance(accuracy, 0.5)) == pytest.approx(gr_star.performance(accuracy), abs=1e-12)
    below = np.linspace(0.05, 0.45, 9)  # where the paper's rises again, this stays at nought
    assert (performance(above_chance(below, 0.5)) == 0).all() and (gr_star.performance(below) > 0).all()


# S, L, and what is not there.


def test_stability_is_the_worst_shift_over_the_plain_rows():
    plain = Evidence(right(0.9), 0.5, {"a": right(0.8), "b": right(0.7), "c": right(0.85)})
    assert one(plain)["S"] == pytest.approx((0.7 - 0.5) / (0.9 - 0.5))
    assert one(Evidence(right(0.9), 0.5, {"a": right(0.95)}))["S"] == 1  # no more than one
    assert one(Evidence(right(0.9), 0.5, {"a": right(0.95), "b": right(0.3)}))["S"] == 0  # nor less than nought
    assert one(Evidence(right(0.9), 0.2, {"a": right(0.6)}))["S"] == pytest.approx(0.4 / 0.7)


def test_alignment_is_the_correlation_of_importance_with_the_reference():
    rng = np.random.default_rng(0)
    losses, reference = rng.normal(size=(200, 7)) + np.arange(7), rng.random(7)
    r = np.corrcoef(losses.mean(axis=0), reference)[0, 1]
    evidence = Evidence(right(0.9), 0.5, losses=losses, reference=reference)
    assert one(evidence)["L"] == pytest.approx((1 + r) / 2)
    order = rng.permutation(7)  # columns in another order, of both
    turned = Evidence(right(0.9), 0.5, losses=losses[:, order], reference=reference[order])
    assert one(turned)["L"] == pytest.approx(one(evidence)["L"])
    same = Evidence(right(0.9), 0.5, losses=np.tile(reference, (200, 1)), reference=5 * reference - 2)
    assert one(same)["L"] == pytest.approx(1)


LOSSES = np.tile(np.arange(5.0), (200, 1))
ABSENT = {
    "S, no shift": ("S", Evidence(right(0.9), 0.5)),
    "S, at chance": ("S", Evidence(right(0.5), 0.5, {"a": right(0.5)})),
    "S, below chance": ("S", Evidence(right(0.2), 0.5, {"a": right(0.9)})),
    "L, no reference": ("L", Evidence(right(0.9), 0.5, losses=LOSSES)),
    "L, no importance": ("L", Evidence(right(0.9), 0.5, reference=np.arange(5.0))),
    "L, four columns": ("L", Evidence(right(0.9), 0.5, losses=LOSSES[:, :4], reference=np.arange(4.0))),
    "L, flat reference": ("L", Evidence(right(0.9), 0.5, losses=LOSSES, reference=np.ones(5))),
    "L, flat importance": ("L", Evidence(right(0.9), 0.5, losses=np.ones((200, 5)), reference=np.arange(5.0))),
}


def test_what_is_not_there_is_not_made_up():
    for case, (component, evidence) in ABSENT.items():
        assert math.isnan(one(evidence)[component]), case
        table, draws = intervals({"a": [evidence]}, np.random.default_rng(0), 50)
        row = by_who(table, component)["a"]
        assert np.isnan([row.value, row.low, row.high]).all() and (row.tasks, row.n) == (0, 0), case
        assert np.isnan(draws["a"][:, calibrated.COMPONENTS.index(component)]).all()
    five = Evidence(right(0.9), 0.5, losses=LOSSES, reference=np.arange(5.0))  # columns are enough
    assert one(five)["L"] == pytest.approx(1)


def test_stability_needs_an_accuracy_above_chance_by_a_binomial_test():
    for n, chance in ((40, 0.5), (200, 0.5), (100, 0.2)):
        p = [tests.binomtest(k, n, chance, alternative="greater").pvalue for k in range(n + 1)]
        least = next(k for k in range(n + 1) if p[k] <= 0.05)
        stable = [one(Evidence(np.arange(n) < k, chance, {"a": np.ones(n)}))["S"] for k in (least - 1, least)]
        assert np.isnan(stable).tolist() == [True, False]


# Intervals.


def test_the_interval_of_one_task_is_the_binomials():
    """A_c is Acc over 1 - g, so its standard error is √(p(1-p)/n) over 1 - g."""
    for share, n, chance in ((0.8, 300, 0.5), (0.6, 200, 0.2)):
        table, draws = intervals({"a": [Evidence(right(share, n), chance)]}, np.random.default_rng(0), 4000)
        row, error = by_who(table, "A_c")["a"], math.sqrt(share * (1 - share) / n) / (1 - chance)
        assert row.value == pytest.approx((share - chance) / (1 - chance)) and (row.tasks, row.n) == (1, n)
        assert draws["a"][:, 0].std() == pytest.approx(error, rel=0.05)
        assert (row.value - row.low, row.high - row.value) == pytest.approx((1.96 * error,) * 2, rel=0.12)


def test_an_interval_covers_as_often_as_it_says():
    rng, inside = np.random.default_rng(1), 0
    for _ in range(300):
        table, _ = intervals({"a": [Evidence(rng.random(150) < 0.8, 0.5)]}, rng, 200)
        row = by_who(table, "A_c")["a"]
        inside += row.low <= 0.6 <= row.high
    assert abs(inside / 300 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 300)


def test_the_interval_of_several_tasks_is_of_tasks_and_of_items():
    """Var of Σ c X / T, c multinomial over T tasks, X binomial: Σ(m - m̄)²/T² + (2 - 1/T) Σ v / T²."""
    shares, n, tasks = np.linspace(0.7, 0.98, 8), 100, 8
    evidence = [Evidence(right(share, n), 0.5) for share in shares]
    table, draws = intervals({"a": evidence}, np.random.default_rng(0), 6000)
    means, within = 2 * shares - 1, 4 * shares * (1 - shares) / n
    expected = ((means - means.mean()) ** 2).sum() / tasks**2 + (2 - 1 / tasks) * within.sum() / tasks**2
    assert draws["a"][:, 0].var() == pytest.approx(expected, rel=0.08)
    row = by_who(table, "A_c")["a"]
    assert row.value == pytest.approx(means.mean()) and (row.tasks, row.n) == (8, 800)


def test_draws_are_paired():
    """Two players who differ on three items of 300, against two who do not differ, and two asked apart."""
    base = np.random.default_rng(0).random(300) < 0.8
    nearly = base.copy()
    nearly[np.flatnonzero(base)[:3]] = False
    first, second = ({"a": [Evidence(base, 0.5)], "b": [Evidence(hits, 0.5)]} for hits in (base, nearly))
    _, draws = intervals(first, np.random.default_rng(0), 500)
    assert (draws["a"] == draws["b"])[:, :2].all()
    _, draws = intervals(second, np.random.default_rng(0), 3000)
    gap = draws["a"][:, 0] - draws["b"][:, 0]
    assert gap.std() == pytest.approx(2 * math.sqrt(0.01 * 0.99 / 300), rel=0.1)
    assert gap.min() >= 0 and gap.std() < draws["a"][:, 0].std() / 3


# A summary and ranks.


def test_the_summary_is_the_product_of_what_everybody_has():
    rng = np.random.default_rng(0)
    whole = Evidence(right(0.9), 0.5, {"a": right(0.8)}, LOSSES + rng.normal(size=(200, 5)), np.arange(5.0))
    fewer = Evidence(right(0.8), 0.5, {"a": right(0.75)})
    table, draws = intervals({"a": [whole]}, np.random.default_rng(0), 300)
    row, values = summary(table, draws).iloc[0], one(whole)
    assert row.of == "P · S · L" and row.value == pytest.approx(values["P"] * values["S"] * values["L"])
    expected = np.quantile(draws["a"][:, 1:].prod(axis=1), [0.025, 0.975])
    assert (row.low, row.high) == pytest.approx(tuple(expected)) and row.low < row.value < row.high
    table, draws = intervals({"a": [whole], "b": [fewer]}, np.random.default_rng(0), 300)
    both = summary(table, draws).set_index("who")
    assert set(both.of) == {"P · S"}  # what one of them lacks counts for none
    expected = {who: part["P"] * part["S"] for who, part in (("a", values), ("b", one(fewer)))}
    assert both.value.to_dict() == pytest.approx(expected)


def test_no_rank_is_claimed_where_intervals_overlap():
    rng = np.random.default_rng(0)
    shares = {"good": 0.95, "fair": 0.81, "like it": 0.79, "poor": 0.6}
    players = {who: [Evidence(rng.permutation(right(share, 300)), 0.5)] for who, share in shares.items()}
    table, draws = intervals(players, rng, 1000)
    rows = by_who(table, "A_c")
    pairs = ranks(table, draws)
    assert len(pairs) == 6
    for row in pairs.itertuples():
        first, second = rows[row.first], rows[row.second]
        apart = first.low > second.high or second.low > first.high
        assert row.claim == (("first" if first.value > second.value else "second") if apart else "none")
        assert row.difference == pytest.approx(2 * (shares[row.first] - shares[row.second]))
        gaps = draws[row.first][:, 0] - draws[row.second][:, 0]
        assert row.chance_of_change == pytest.approx(((gaps <= 0) if row.difference > 0 else (gaps >= 0)).mean())
        assert (row.low, row.high) == pytest.approx(tuple(np.quantile(gaps, [0.025, 0.975])))
    claims = pairs.set_index(["first", "second"]).claim
    assert claims["good", "poor"] == "first" and claims["fair", "like it"] == "none"
    turned, draws = intervals(dict(reversed(players.items())), np.random.default_rng(0), 1000)
    assert ranks(turned, draws).set_index(["first", "second"]).claim["poor", "good"] == "second"


@pytest.mark.filterwarnings("error")
def test_equal_players_may_change_places_at_any_time_and_without_a_component_there_is_no_rank():
    evidence = Evidence(right(0.8), 0.5, losses=LOSSES + np.eye(200, 5), reference=np.arange(5.0))
    table, draws = intervals({"a": [evidence], "b": [Evidence(right(0.8), 0.5)]}, np.random.default_rng(0), 100)
    row = ranks(table, draws).iloc[0]
    assert (row.difference, row.chance_of_change, row.claim) == (0, 1, "none")
    row = ranks(table, draws, "L").iloc[0]
    assert row.claim == "none" and math.isnan(row.difference) and math.isnan(row.chance_of_change)


def test_counts_that_leave_items_out_are_the_components_of_those_left():
    rng = np.random.default_rng(0)
    hits, shifted = rng.random((2, 60)) < [[0.8], [0.7]]
    losses, reference = rng.normal(size=(60, 5)), rng.random(5)
    counts = rng.multinomial(60, np.full(60, 1 / 60), size=3)
    weighed = calibrated.components(Evidence(hits, 0.5, {"a": shifted}, losses, reference), counts)
    for row, count in zip(weighed, counts, strict=True):
        rows = np.repeat(np.arange(60), count)
        part = Evidence(hits[rows], 0.5, {"a": shifted[rows]}, losses[rows], reference)
        assert row == pytest.approx(list(one(part).values()))
