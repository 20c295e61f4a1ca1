"""The paper's analyses (§ 2–4), one function per statistic, on a table of scores as `groups.score` gives it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import optimize
from scipy import stats as tests

from cogkit import stats
from cogkit.generalization.learners import groups
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.problems import records
from cogkit.generalization.suites import SIDES, family_of
from cogkit.stats.bootstrap import ENDS

PEOPLE, MACHINES = SIDES.values()
SWEPT = {  # each constant is varied alone, the others have the paper's values
    "alpha": (0.25, 0.5, 1.0, 2.0, 4.0),
    "beta": (0.0, 0.25, 0.5, 1.0, 2.0),
    "gamma": (0.25, 0.5, 1.0, 2.0, 4.0),
    "tau": (0.0, 0.1, 0.2, 0.4, 0.8),
    "c0": (0.05, 0.1, 0.15, 0.3, 0.6),
}
CLOSE = 0.02  # largest difference of accuracies that count as matched
_PARTS = "accuracy", "alignment", "abstraction", "n", "s"  # of GR*


def agreement(scores: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return Spearman's correlation of both sides' GR* over tasks, one row (figure 1b).

    The interval is a bootstrap of tasks within their family. Most of this correlation is built in: both sides share
    τ + D_align and the cost (see `shared_factor`).
    """
    table = groups.wide(scores)
    return stats.spearman(table[PEOPLE], table[MACHINES], rng, strata=table.index.map(family_of))


def delta(scores: pd.DataFrame) -> pd.DataFrame:
    """Return ΔGR*, machines minus proxies, by task: columns task, family, delta (equation 2)."""
    table = groups.wide(scores)
    change = (table[MACHINES] - table[PEOPLE]).to_numpy()
    return pd.DataFrame({"task": table.index, "family": table.index.map(family_of), "delta": change})


def families(scores: pd.DataFrame) -> pd.DataFrame:
    """Return ΔGR* by family, with its tests (figure 1c).

    Columns family, n, difference (mean Δ), median, low, high (95 % t over tasks), t, p (two-sided paired t), p_adjusted
    (Benjamini and Hochberg over the tested families), p_wilcoxon (at least .00195 with ten tasks). A family of one task
    has no test. Ten tasks of one recipe are not ten experiments, so p is descriptive.
    """
    by_family = delta(scores).groupby("family", sort=False).delta
    table = by_family.agg(n="size", difference="mean", median="median")
    table[["low", "high", "t", "p", "p_adjusted", "p_wilcoxon"]] = np.nan
    for family, part in by_family:
        if len(part) > 1 and part.any():  # if all differences are 0 there is nothing to test
            test = stats.paired_t(part, np.zeros(len(part))).iloc[0]
            table.loc[family, ["low", "high", "t", "p"]] = test[["low", "high", "t", "p"]].tolist()
            table.loc[family, "p_wilcoxon"] = stats.wilcoxon(part).p.item()
    valid = table.p.notna()
    if valid.any():
        table.loc[valid, "p_adjusted"] = tests.false_discovery_control(table.p[valid])
    return table.reset_index()


def beyond_accuracy(scores: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return how GR* correlates with accuracy, and with D_align at fixed accuracy, one row per side (figure 2b).

    Columns side, with_accuracy (Spearman), partial_rank, partial_linear (of GR* and D_align given accuracy), n, and 95
    % limits of the first two (``with_accuracy_low`` …), from a bootstrap of tasks within their family. D_align is a
    factor of GR*, so a high partial correlation nearly follows from the definition.
    """
    rows = []
    for name, part in scores.groupby("side", sort=False):
        row = {"side": name, "with_accuracy": tests.spearmanr(part.gr_star, part.accuracy).statistic}
        for method in ("rank", "linear"):
            partial = stats.partial_correlation(part.gr_star, part.alignment, part.accuracy, method)
            row[f"partial_{method}"] = partial.r.item()
        rows.append(row | {"n": len(part)} | _limits(part, rng))
    return pd.DataFrame(rows)


def _limits(part: pd.DataFrame, rng: np.random.Generator, resamples: int = 1000) -> dict[str, float]:
    """Return bootstrap limits of the rank correlations of one side, with all resamples at once."""
    places = [np.flatnonzero(part.family == family) for family in part.family.unique()]
    rows = np.concatenate([rng.choice(place, (resamples, len(place))) for place in places], axis=1)
    ranks = (tests.rankdata(part[name].to_numpy()[rows], axis=1) for name in ("gr_star", "accuracy", "alignment"))
    score, accuracy, alignment = (tests.zscore(r, axis=1) for r in ranks)
    pairs = (score, accuracy), (score, alignment), (accuracy, alignment)
    plain, other, third = ((a * b).mean(axis=1) for a, b in pairs)
    partial = (other - plain * third) / np.sqrt((1 - plain**2) * (1 - third**2))
    names = [f"{name}_{end}" for name in ("with_accuracy", "partial_rank") for end in ("low", "high")]
    return dict(zip(names, np.quantile([plain, partial], ENDS, axis=1).T.ravel(), strict=True))


def label_shuffle(scores: pd.DataFrame, shuffled: pd.DataFrame) -> pd.DataFrame:
    """Return the machines' GR* after training on shuffled labels beside that on true labels, one row (figure 2c).

    Columns true, shuffled (means), ratio, t, p (one-sided, paired over tasks), n. Any score that rewards accuracy
    passes this test.
    """
    after = shuffled[shuffled.side == MACHINES].set_index("task").gr_star
    before = scores[scores.side == MACHINES].set_index("task").gr_star.loc[after.index]
    test = tests.ttest_rel(before, after, alternative="greater")
    means = {"true": before.mean(), "shuffled": after.mean(), "ratio": after.mean() / before.mean()}
    return pd.DataFrame([means | {"t": test.statistic, "p": test.pvalue, "n": len(after)}])


def repaired(scores: pd.DataFrame, rng: np.random.Generator, draws: int = 200, side: str = MACHINES) -> pd.DataFrame:
    """Return the effect of giving each task the D_align of another task, one row per draw (figure 2c).

    Columns draw, true, repaired (mean GR*), p (two-sided, paired over tasks). The mean of D_align stays the same, so
    the mean of GR* can only change by a covariance. The test therefore finds nothing, whatever D_align means.
    """
    part = scores[scores.side == side]
    orders = rng.permuted(np.tile(np.arange(len(part)), (draws, 1)), axis=1)
    true = rescored(part, Constants()).to_numpy()
    other = metric.gr_star(part.accuracy, part.alignment.to_numpy()[orders], part.abstraction, part.n, part.s)
    test = tests.ttest_rel(other, np.broadcast_to(true, other.shape), axis=1)
    means = {"draw": range(draws), "true": true.mean(), "repaired": other.mean(axis=1)}
    return pd.DataFrame(means | {"p": test.pvalue})


def sweeps(scores: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of the ranks of tasks with those at the paper's constants (figure 2a).

    Columns constant, value, side, rho, n. The claim "Optima near the locked settings" is not tested, because the paper
    does not say what would be optimal there.
    """
    settings = [(constant, value) for constant, values in SWEPT.items() for value in values]
    others = [rescored(scores, Constants(**{name: value})) for name, value in settings]
    rows = [(*settings[k], *row) for k, *row in _rank_correlations(scores, others)]
    return pd.DataFrame(rows, columns=["constant", "value", "side", "rho", "n"])


def _rank_correlations(scores: pd.DataFrame, others: list[pd.Series]) -> list[tuple]:
    """Return place, side, Spearman's correlation with the GR* of the scores, and n, for each of the other GR*."""
    rows, values = [], np.array(others)
    for name, part in scores.groupby("side", sort=False):
        ranks = tests.rankdata(values[:, scores.side == name], axis=1)
        rho = stats.correlations(ranks, tests.rankdata(part.gr_star))
        rows += [(place, name, r, len(part)) for place, r in enumerate(rho.tolist())]
    return sorted(rows, key=lambda row: row[0])


def rescored(scores: pd.DataFrame, constants: Constants) -> pd.Series:
    """Return GR* of every row of a table of scores under other constants."""
    return pd.Series(metric.gr_star(*(scores[name] for name in _PARTS), constants), index=scores.index)


def matched(scores: pd.DataFrame, tolerance: float = CLOSE) -> pd.DataFrame:
    """Return pairs of a Linear and a Poly task with similar accuracy, one row per pair (figure 3a).

    There are as many pairs as possible, with the smallest sum of differences. Each task is used once. Accuracies within
    a pair differ by ``tolerance`` at most.

    Columns side, linear, poly (tasks), and the differences Poly minus Linear of accuracy, alignment and gr_star.
    """
    pairs, columns = [], ["accuracy", "alignment", "gr_star"]
    for name, part in scores.groupby("side", sort=False):
        first, second = (part[part.family == family].reset_index(drop=True) for family in ("Linear", "Poly"))
        gap = np.abs(first.accuracy.to_numpy()[:, None] - second.accuracy.to_numpy())
        # A pair above the tolerance costs more than all close pairs together.
        is_close = gap <= tolerance + 1e-12
        i, j = optimize.linear_sum_assignment(np.where(is_close, gap, 1 + tolerance * max(gap.shape)))
        first, second = (table.iloc[k[is_close[i, j]]].reset_index() for table, k in ((first, i), (second, j)))
        change = (second[columns] - first[columns]).assign(side=name, linear=first.task, poly=second.task)
        pairs.append(change[["side", "linear", "poly", *columns]])
    return pd.concat(pairs, ignore_index=True)


def shared_factor(scores: pd.DataFrame, rng: np.random.Generator, draws: int = 200) -> pd.DataFrame:
    """Return the correlation between the sides when the proxies' accuracies are exchanged between tasks.

    One row per draw: draw, rho. The remaining correlation comes from the factors that both sides share by construction.
    """
    people, machines = (scores[scores.side == name].reset_index(drop=True) for name in (PEOPLE, MACHINES))
    orders = rng.permuted(np.tile(np.arange(len(people)), (draws, 1)), axis=1)
    accuracy, parts = people.accuracy.to_numpy()[orders], (people[name] for name in _PARTS[1:])
    other = metric.gr_star(accuracy, *parts)
    rho = stats.correlations(tests.rankdata(other, axis=1), tests.rankdata(machines.gr_star))
    return pd.DataFrame({"draw": range(draws), "rho": rho})


def column_orders(fitted: Fitted, rng: np.random.Generator, draws: int = 100) -> pd.DataFrame:
    """Return how GR* ranks tasks after the columns of every task are shuffled, compared with its ranks before.

    Columns draw, side, rho. The answers of the learners do not change, so a score of the learner should not change
    either.
    """
    before = groups.score(fitted)
    width = fitted.relevance.shape[-1]
    present = np.arange(width) < fitted.sizes[:, 1, None]
    keys = (np.where(present, rng.random(present.shape), 1.0) for _ in range(draws))  # missing columns stay at the end
    orders = (np.argsort(key, axis=1, kind="stable") for key in keys)
    others = [groups.score(fitted, None, order).gr_star for order in orders]
    rows = [row[:3] for row in _rank_correlations(before, others)]
    return pd.DataFrame(rows, columns=["draw", "side", "rho"])


def tie_noise(fitted: Fitted, task: str = "Iris 0", draws: int = 20) -> pd.DataFrame:
    """Return GR* of both sides on one task, under each of several seeds of the noise that breaks ties in relevance.

    Mutual information separates equal values by a tiny noise. The task, the learners and their answers stay the same.
    Columns draw, side, gr_star.
    """
    problem, scores = records.problem(task, fitted.seed), groups.score(fitted)
    scores, tables = scores[scores.task == task], []
    for draw in range(draws):
        weights = relevance.mutual_information(problem.x, problem.y, draw)
        noisy = scores.assign(alignment=relevance.alignment(weights), abstraction=relevance.entropy(weights), draw=draw)
        tables.append(noisy.assign(gr_star=rescored(noisy, Constants())))
    return pd.concat(tables, ignore_index=True)[["draw", "side", "gr_star"]]
