"""The paper's statistics against other libraries and brute force, on tables made for it; and what they cannot show."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as tests
from sklearn.feature_selection import mutual_info_classif
from statsmodels.stats.multitest import multipletests

from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.learners import groups as sides
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.paper import paper_analyses
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.problems import records
from cogkit.generalization.suites import family_of

COUNTS = {"Linear": 6, "Poly": 5, "Moons": 7, "Iris": 1}


def table(seed: int = 0, counts=COUNTS, **fixed) -> pd.DataFrame:
    """Scores of made-up tasks, as `sides.score` gives them; ``fixed`` columns are the same for all."""
    rng = np.random.default_rng(seed)
    rows = []
    for task in (f"{family} {k}" for family, count in counts.items() for k in range(count)):
        shared = {"alignment": rng.random(), "abstraction": rng.uniform(0.5, 1), "n": 1000, "s": 20, "classes": 2}
        people = rng.uniform(0.8, 0.93)
        for side, kind, accuracy in ((PEOPLE, "proxy", people), (MACHINES, "model", people + rng.uniform(-0.01, 0.05))):
            row = {"task": task, "family": family_of(task), "side": side, "kind": kind, "accuracy": accuracy} | shared
            row |= fixed
            parts = (row[name] for name in ("accuracy", "alignment", "abstraction", "n", "s"))
            rows.append(row | {"gr_star": float(metric.gr_star(*parts))})
    return pd.DataFrame(rows)


def of(scores: pd.DataFrame, side: str, column: str = "gr_star") -> np.ndarray:
    return scores[scores.side == side][column].to_numpy()


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    return table()


# Figures 1b and 1c.


def test_agreement_is_spearmans_correlation_over_tasks(made):
    row = paper_analyses.agreement(made, np.random.default_rng(0)).iloc[0]
    expected = tests.spearmanr(of(made, PEOPLE), of(made, MACHINES))
    assert (row.rho, row.p, row.n) == pytest.approx((expected.statistic, expected.pvalue, 19))
    assert row.low < row.rho < row.high <= 1


def test_families_are_tested_as_other_libraries_test_them(made):
    result = paper_analyses.families(made).set_index("family")
    assert result.index.tolist() == list(COUNTS) and result.n.tolist() == list(COUNTS.values())
    p = []
    for family, row in result.iterrows():
        part = made[made.family == family]
        people, machines = of(part, PEOPLE), of(part, MACHINES)
        assert row.difference == pytest.approx((machines - people).mean())
        assert row["median"] == pytest.approx(np.median(machines - people))
        if family == "Iris":  # one task
            assert row[["low", "high", "t", "p", "p_adjusted", "p_wilcoxon"]].isna().all()
            continue
        test = tests.ttest_rel(machines, people)
        assert (row.t, row.p) == pytest.approx((test.statistic, test.pvalue))
        assert (row.low, row.high) == pytest.approx(tuple(test.confidence_interval()))
        assert row.p_wilcoxon == pytest.approx(tests.wilcoxon(machines, people).pvalue)
        p.append(test.pvalue)
    assert result.p_adjusted.dropna().to_numpy() == pytest.approx(multipletests(p, method="fdr_bh")[1])
    assert len(p) == 3


def test_where_a_family_has_no_test_there_is_none():
    """One task alone; and sides that never differ."""
    scores = table(counts={"Linear": 3, "Moons": 4, "Iris": 1})
    scores.loc[scores.family == "Moons", "gr_star"] = 0.3
    result = paper_analyses.families(scores).set_index("family")
    assert result.difference["Moons"] == 0
    assert result.loc[["Moons", "Iris"], ["p", "p_adjusted", "p_wilcoxon"]].isna().all(axis=None)
    assert result.p["Linear"] == pytest.approx(result.p_adjusted["Linear"])
    ten = table(counts={"Moons": 10})  # whose Wilcoxon p is never under 1 in 512
    ten.loc[ten.side == MACHINES, "gr_star"] += 10
    assert paper_analyses.families(ten).p_wilcoxon.item() == pytest.approx(2 / 2**10)


# Figure 2b.


def test_what_alignment_adds_to_accuracy_is_a_partial_correlation(made):
    result = paper_analyses.beyond_accuracy(made, np.random.default_rng(0)).set_index("side")
    for side, row in result.iterrows():
        gr, alignment, accuracy = (of(made, side, name) for name in ("gr_star", "alignment", "accuracy"))
        assert row.with_accuracy == pytest.approx(tests.spearmanr(gr, accuracy).statistic) and row.n == 19
        for method, change in (("rank", tests.rankdata), ("linear", np.array)):
            x, y, z = map(change, (gr, alignment, accuracy))
            r = np.corrcoef([x, y, z])
            expected = (r[0, 1] - r[0, 2] * r[1, 2]) / math.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
            assert row[f"partial_{method}"] == pytest.approx(expected)
    assert set(result.index) == {PEOPLE, MACHINES}


# Figure 2c.


def test_label_shuffle_is_a_one_sided_paired_test_of_the_machines(made):
    after = table(1)
    after = after[after.side == MACHINES].sample(frac=1, random_state=0)
    row = paper_analyses.label_shuffle(made, after).iloc[0]
    before, then = of(made, MACHINES), after.set_index("task").gr_star.loc[made.task.unique()].to_numpy()
    expected = tests.ttest_rel(before, then, alternative="greater")
    assert (row.t, row.p, row.n) == pytest.approx((expected.statistic, expected.pvalue, 19))
    assert (row.true, row.shuffled, row.ratio) == pytest.approx(
        (before.mean(), then.mean(), then.mean() / before.mean())
    )
    part = table(1, {"Moons": 4, "Iris": 1})  # the tasks that both have
    row = paper_analyses.label_shuffle(made, part).iloc[0]
    assert row.n == 5 and row.shuffled == pytest.approx(of(part, MACHINES).mean())


def test_repairing_gives_each_task_the_alignment_of_another(made):
    result = paper_analyses.repaired(made, np.random.default_rng(3), draws=40)
    part = made[made.side == MACHINES]
    orders = np.random.default_rng(3).permuted(np.tile(np.arange(19), (40, 1)), axis=1)
    for draw, order in enumerate(orders):
        scores = metric.gr_star(part.accuracy, part.alignment.to_numpy()[order], part.abstraction, part.n, part.s)
        assert result.repaired[draw] == pytest.approx(scores.mean())
        assert result.p[draw] == pytest.approx(tests.ttest_rel(scores, part.gr_star).pvalue)
    assert result.true.to_numpy() == pytest.approx(np.full(40, of(made, MACHINES).mean()))


def test_repairing_finds_nothing_whatever_alignment_means():
    """With one accuracy and one cost GR* is linear in D_align: its mean cannot move. So it is nearly, where D_align is
    pure noise, and where it is the accuracy itself."""
    result = paper_analyses.repaired(table(accuracy=0.9, abstraction=0.7), np.random.default_rng(0), draws=50)
    assert result.repaired.to_numpy() == pytest.approx(result.true.to_numpy(), rel=1e-12)
    noise = table(2)
    signal = noise.assign(alignment=noise.groupby("task").accuracy.transform("mean"))
    for scores in (noise, signal):
        result = paper_analyses.repaired(scores, np.random.default_rng(0), draws=200)
        assert (result.p > 0.05).mean() > 0.9


# Figure 2a.


def test_sweeps_rank_tasks_as_the_papers_constants_do_at_those_constants(made):
    result = paper_analyses.sweeps(made)
    for constant, value in vars(Constants()).items():
        rows = result[(result.constant == constant) & (result.value == value)]
        assert len(rows) == 2 and rows.rho.to_numpy() == pytest.approx([1, 1])
    assert len(result) == 5 * 5 * 2 and (result.n == 19).all() and result.rho.min() < 1
    rho = result[(result.constant == "tau") & (result.value == 0.8) & (result.side == MACHINES)].rho.item()
    scores = [of(made, MACHINES, name) for name in ("accuracy", "alignment", "abstraction", "n", "s")]
    rescored = metric.gr_star(*scores, Constants(tau=0.8))
    assert rho == pytest.approx(tests.spearmanr(of(made, MACHINES), rescored).statistic)


# Figure 3a.


def every_matching(first: int, second: int):
    """All ways to pair some of one group with some of another."""
    for size in range(min(first, second) + 1):
        for left in itertools.combinations(range(first), size):
            for right in itertools.permutations(range(second), size):
                yield list(zip(left, right, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_matched_pairs_are_as_many_as_can_be_and_then_the_closest(seed):
    counts = {"Linear": 3 + seed % 3, "Poly": 5 - seed % 3, "Moons": 2}
    scores = table(seed, counts)
    tolerance = 0.02 + 0.01 * (seed % 2)
    result = paper_analyses.matched(scores, tolerance)
    for side in (PEOPLE, MACHINES):
        linear, poly = (scores[(scores.side == side) & (scores.family == name)] for name in ("Linear", "Poly"))
        gap = np.abs(linear.accuracy.to_numpy()[:, None] - poly.accuracy.to_numpy())
        allowed = [pairs for pairs in every_matching(*gap.shape) if all(gap[pair] <= tolerance for pair in pairs)]
        most = max(map(len, allowed))
        least = min(sum(gap[pair] for pair in pairs) for pairs in allowed if len(pairs) == most)
        rows = result[result.side == side]
        assert len(rows) == most and rows.accuracy.abs().sum() == pytest.approx(least)
        assert rows.linear.is_unique and rows.poly.is_unique and (rows.accuracy.abs() <= tolerance + 1e-12).all()
        values = scores[scores.side == side].set_index("task")
        for row in rows.itertuples():
            for column in ("accuracy", "alignment", "gr_star"):
                assert getattr(row, column) == values[column][row.poly] - values[column][row.linear]


def test_without_close_pairs_there_are_none():
    scores = table(counts={"Linear": 3, "Poly": 3})
    scores.loc[scores.family == "Poly", "accuracy"] = 0.6
    assert paper_analyses.matched(scores).empty
    assert paper_analyses.matched(table(counts={"Moons": 3})).empty


# What is built into the correlation of both sides, and what hangs on the order of columns.


def test_defect_the_order_of_columns_decides_how_tasks_rank(small, monkeypatch):
    """In every draw each task keeps its own columns, all of them; accuracy and entropy stay as they are."""
    calls, score = [], sides.score
    monkeypatch.setattr(sides, "score", lambda *args: calls.append(args) or score(*args))
    result = paper_analyses.column_orders(small, np.random.default_rng(0), draws=40)
    orders = np.array([args[2] for args in calls[1:]])
    assert orders.shape == (40, len(small.names), 64)
    for task, s in enumerate(small.sizes[:, 1]):
        assert (np.sort(orders[:, task, :s]) == np.arange(s)).all()
        assert len(np.unique(orders[:, task, :s], axis=0)) > 1
    before, after = score(small), score(small, None, orders[0])
    assert after.gr_star.notna().all() and (after.accuracy == before.accuracy).all()
    assert after.abstraction.to_numpy() == pytest.approx(before.abstraction)
    by_side = result.groupby("side").rho
    assert set(by_side.groups) == {PEOPLE, MACHINES} and (by_side.size() == 40).all()
    assert by_side.median().max() < 0.8 and by_side.min().min() < 0.4


def test_defect_the_noise_that_breaks_ties_moves_gr_star():
    """From another measurement of the same columns; no answer changes, and GR* of Iris does, by some 8 %."""
    fitted = INSTRUMENT.load_suite()
    noise = paper_analyses.tie_noise(fitted, draws=10)
    iris = sides.score(fitted).query("task == 'Iris 0'").set_index("side")
    problem = records.problem("Iris 0", fitted.seed)
    for draw, side in itertools.product((0, 7), (PEOPLE, MACHINES)):
        weights, row = mutual_info_classif(problem.x, problem.y, n_neighbors=3, random_state=draw), iris.loc[side]
        factors = float(relevance.alignment(weights)), float(relevance.entropy(weights))
        expected = float(metric.gr_star(row.accuracy, *factors, row.n, row.s))
        assert noise.query("draw == @draw and side == @side").gr_star.item() == pytest.approx(expected)
    machines = noise[noise.side == MACHINES].gr_star
    assert 0.04 < (machines.max() - machines.min()) / 2 / machines.mean() < 0.12


def test_what_the_sides_share_correlates_them_by_itself(made):
    """With one accuracy everywhere the shared factor is all there is; without any in the factor nothing stays."""
    alone = paper_analyses.shared_factor(table(accuracy=0.9), np.random.default_rng(0), draws=5)
    assert alone.rho.to_numpy() == pytest.approx(np.ones(5))
    nothing = paper_analyses.shared_factor(table(alignment=0.5, abstraction=0.7), np.random.default_rng(0), draws=400)
    error = nothing.rho.std() / math.sqrt(400)
    assert nothing.rho.mean() == pytest.approx(0, abs=4 * error) and error < 0.02
    result = paper_analyses.shared_factor(made, np.random.default_rng(5), draws=7)
    part = made[made.side == PEOPLE]
    order = np.random.default_rng(5).permuted(np.tile(np.arange(19), (7, 1)), axis=1)[6]
    scores = metric.gr_star(part.accuracy.to_numpy()[order], part.alignment, part.abstraction, part.n, part.s)
    assert result.rho[6] == pytest.approx(tests.spearmanr(scores, of(made, MACHINES)).statistic)
