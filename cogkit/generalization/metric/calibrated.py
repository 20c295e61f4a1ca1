"""The calibrated definition: components from separate data, corrected for chance, with intervals, without imputation.

- A_c and P: accuracy above the chance level, see `stats.scale`. For two balanced classes and accuracies of one half and
  more P is the paper's Acc (1 - U).
- S = the worst A_c under shift (or in the worst group) over A_c: measured stability, at most 1.
- L = (1 + r) / 2, r the correlation of the learner's own importance of columns with a reference from outside.
- Different systems have no common unit of cost, so cost is part of no score.
- GRc = P · S · L, of the components that all compared players have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd

from cogkit.generalization.suites import COMPONENTS
from cogkit.stats import chance_limit, correlations
from cogkit.stats.bootstrap import ENDS
from cogkit.stats.scale import above_chance, performance

FEWEST_COLUMNS = 5  # below this a correlation over columns means little


@dataclass(frozen=True, eq=False)
class Evidence:
    """Answers of one player to one set of n test items.

    Attributes
    ----------
    chance : float
        Accuracy without any grasp of the task: 1 / classes, or that of a constant answer.
    shifted : mapping of str to (n,) or (draws, n) bool
        Whether each item is right under each shift, or under each draw of a random one; empty without
        tests under shift.
    losses : (n, d) array or None
        Loss for each item and column: (right before) minus (right after) shuffling the column.
    reference : (d,) array or None
        Importance of each column in the world, not for the learner.
    """

    correct: np.ndarray
    chance: float
    shifted: Mapping[str, np.ndarray] = field(default_factory=dict)
    losses: np.ndarray | None = None
    reference: np.ndarray | None = None


def components(
    evidence: Evidence, counts: np.ndarray | None = None, draws: np.ndarray | None = None
) -> np.ndarray:  # fmt: skip
    """Return `COMPONENTS` of a player on a set of items, (b, 4), NaN where one is missing.

    ``counts``, (b, n), says how often each item is present in each of b resamples; without it each is present once.
    ``draws``, (b, draws), says the same of the draws of a random shift.

    Notes
    -----
    S is missing without shifts, or if accuracy is not above chance by a binomial test at 5 %. L is missing without
    importances or a reference, with fewer than five columns, or if one of the two does not vary.

    Examples
    --------
    >>> found = components(Evidence(np.array([True, True, True, False]), 0.5))
    >>> found.round(3).tolist()
    [[0.5, 0.1, nan, nan]]
    """
    single = counts is None
    counts = np.ones((1, len(evidence.correct))) if single else counts
    n = counts.sum(axis=1)
    columns = [evidence.correct[None], *map(np.atleast_2d, evidence.shifted.values())]
    shares = [counts @ hits.T.astype(float) / n[:, None] for hits in columns]
    share = np.column_stack([
        each.mean(axis=1) if draws is None or each.shape[1] == 1 else (each * draws).sum(axis=1) / draws.sum(axis=1)
        for each in shares
    ])  # fmt: skip
    a_c = np.clip(above_chance(share, evidence.chance), 0, 1)
    stable = np.full(len(counts), np.nan)
    # Resamples do not repeat the test: the items themselves decide which components a player has.
    if evidence.shifted and (not single or share[0, 0] >= chance_limit(len(evidence.correct), evidence.chance)):
        worst = a_c[:, 1:].min(axis=1)
        stable = np.divide(worst, a_c[:, 0], out=stable, where=a_c[:, 0] > 0).clip(max=1)
    alignment = np.full(len(counts), np.nan)
    if evidence.losses is not None and evidence.reference is not None and len(evidence.reference) >= FEWEST_COLUMNS:
        alignment = (1 + correlations(counts @ evidence.losses / n[:, None], evidence.reference)) / 2
    return np.column_stack([a_c[:, 0], performance(a_c[:, 0]), stable, alignment])


def intervals(
    players: Mapping[str, Sequence[Evidence]], rng: np.random.Generator, resamples: int = 1000
) -> tuple[pd.DataFrame, dict[str, np.ndarray]]:
    """Return the components of several players on the same tasks, with intervals, and the resamples.

    Parameters
    ----------
    players : mapping of str to sequence of Evidence
        For each player one item per task, in the same order of tasks and of items.
    rng : numpy.random.Generator
        Draws tasks, then items within each drawn task, and draws of a random shift. All players get the same, so
        differences are paired.

    Returns
    -------
    table : DataFrame
        Columns who, component, value (mean over the tasks that have it), low, high (percentiles, extended to include
        the value; with one task only items are drawn), tasks, n (items).
    draws : dict of str to (resamples, 4) array
        By player.

    Examples
    --------
    >>> right = np.arange(100) < 80
    >>> table, _ = intervals({"a": [Evidence(right, 0.5)]}, np.random.default_rng(0))
    >>> table.value.round(2).tolist()
    [0.6, 0.16, nan, nan]
    """
    cases = list(zip(*players.values(), strict=True))  # task by task, those of each player
    tasks, shape = len(cases), (len(players), resamples, len(COMPONENTS))
    means = np.array([[components(one)[0] for one in task] for task in cases])  # (tasks, players, 4)
    # A task that is drawn twice uses one resample of its items twice, which slightly overstates their noise.
    repeats = np.ones((resamples, 1))
    if tasks > 1:
        repeats = rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=resamples)
    sums, weights, sizes = np.zeros(shape), np.zeros(shape), np.array([len(task[0].correct) for task in cases])
    for task, mean, repeat, n in zip(cases, means, repeats.T, sizes, strict=True):
        counts = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
        # A random shift may move all items alike, so its draws are drawn again too.
        random = [len(hits) for one in task for hits in one.shifted.values() if hits.ndim > 1]
        again = rng.multinomial(random[0], np.full(random[0], 1 / random[0]), size=resamples) if random else None
        values = np.array([components(one, counts, again) for one in task])
        mask = ~np.isnan(values) & ~np.isnan(mean)[:, None]
        sums += np.where(mask, values, 0.0) * repeat[:, None]
        weights += mask * repeat[:, None]
    with np.errstate(invalid="ignore"):  # NaN where no task has the component
        draws, rows = dict(zip(players, sums / weights, strict=True)), []
    for place, player in enumerate(players):
        for k, component in enumerate(COMPONENTS):
            finite = ~np.isnan(means[:, place, k])
            value = means[finite, place, k].mean() if finite.any() else np.nan
            low, high = np.nanquantile(draws[player][:, k], ENDS) if finite.any() else (np.nan, np.nan)
            # At chance every resample is 0 or above, so without this the interval of 0 would lie above it.
            low, high = min(low, value), max(high, value)
            rows.append((player, component, value, low, high, finite.sum(), sizes[finite].sum()))
    return pd.DataFrame(rows, columns=["who", "component", "value", "low", "high", "tasks", "n"]), draws


def summary(values: pd.DataFrame, draws: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return GRc of every player: the product of the components that all players have, without imputation.

    ``values`` and ``draws`` are as of `intervals`. Columns who, value, low, high, of (such as "P · S · L").
    """
    table = values.pivot(index="who", columns="component", values="value")
    shared = [name for name in COMPONENTS[1:] if table[name].notna().all()]
    places, rows = [COMPONENTS.index(name) for name in shared], []
    for player, products in draws.items():
        limits = np.nanquantile(products[:, places].prod(axis=1), ENDS)
        rows.append((player, table.loc[player, shared].prod(), *limits, " · ".join(shared)))
    return pd.DataFrame(rows, columns=["who", "value", "low", "high", "of"])


def ranks(values: pd.DataFrame, draws: Mapping[str, np.ndarray], component: str = "A_c") -> pd.DataFrame:
    """Return for each pair of players whether one may be called better: only if their intervals do not overlap.

    Columns first, second, difference, low, high (95 %, paired), chance_of_change (share of resamples in which the order
    is reversed or tied), claim ("first", "second", or "none").
    """
    k, rows = COMPONENTS.index(component), []
    table = values[values.component == component].set_index("who")
    for first, second in combinations(table.index, 2):
        left, right = table.loc[first], table.loc[second]
        gap, gaps = left.value - right.value, draws[first][:, k] - draws[second][:, k]
        gaps = gaps[~np.isnan(gaps)]
        low, high = np.quantile(gaps, ENDS) if len(gaps) else (np.nan, np.nan)
        apart = left.low > right.high or right.low > left.high
        changed = float((np.sign(gaps) != np.sign(gap)).mean()) if len(gaps) and not np.isnan(gap) else np.nan
        rows.append({
            "first": first, "second": second, "difference": gap, "low": low, "high": high,
            "chance_of_change": changed if gap else 1.0,
            "claim": ("first" if gap > 0 else "second") if apart else "none",
        })  # fmt: skip
    return pd.DataFrame(rows)
