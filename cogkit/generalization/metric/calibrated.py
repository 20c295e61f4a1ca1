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

from cogkit import stats
from cogkit.stats import correlations
from cogkit.stats.scale import above_chance, performance

COMPONENTS = ("A_c", "P", "S", "L")
FEWEST_COLUMNS = 5  # below this a correlation over columns means little


@dataclass(frozen=True, eq=False)
class Evidence:
    """Answers of one player to one set of n test items.

    Attributes
    ----------
    chance : float
        Accuracy without any grasp of the task: 1 / classes, or that of a constant answer.
    shifted : mapping of str to (n,) bool
        Whether each item is right under each shift; empty without tests under shift.
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


def components(evidence: Evidence, counts: np.ndarray | None = None) -> np.ndarray:
    """Return `COMPONENTS` of a player on a set of items, (b, 4), NaN where one is missing.

    ``counts``, (b, n), says how often each item is present in each of b resamples; without it each is present once.

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
    share = counts @ np.column_stack([evidence.correct, *evidence.shifted.values()]).astype(float) / n[:, None]
    a_c = np.clip(above_chance(share, evidence.chance), 0, 1)
    stable = np.full(len(counts), np.nan)
    # Resamples do not repeat the test: the items themselves decide which components a player has.
    if evidence.shifted and (not single or share[0, 0] >= stats.chance_limit(len(evidence.correct), evidence.chance)):
        worst = a_c[:, 1:].min(axis=1)
        stable = np.divide(worst, a_c[:, 0], out=stable, where=a_c[:, 0] > 0).clip(max=1)
    alignment = np.full(len(counts), np.nan)
    if evidence.losses is not None and evidence.reference is not None and len(evidence.reference) >= FEWEST_COLUMNS:
        alignment = (1 + correlations(counts @ evidence.losses / n[:, None], evidence.reference)) / 2
    return np.column_stack([a_c[:, 0], performance(a_c[:, 0]), stable, alignment])


def intervals(
    players: Mapping[str, Sequence[Evidence]], rng: np.random.Generator, resamples: int = 1000, level: float = 0.95
) -> tuple[pd.DataFrame, dict[str, np.ndarray]]:
    """Return the components of several players on the same tasks, with intervals, and the resamples.

    Parameters
    ----------
    players : mapping of str to sequence of Evidence
        For each player one item per task, in the same order of tasks and of items.
    rng : numpy.random.Generator
        Draws tasks, then items within each drawn task. All players get the same draws, so differences are paired.

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
    first = next(iter(players.values()))
    tasks = len(first)
    means = {player: np.array([components(task)[0] for task in cases]) for player, cases in players.items()}
    # A task that is drawn twice uses one resample of its items twice, which slightly overstates their noise.
    repeats = np.ones((resamples, 1))
    if tasks > 1:
        repeats = rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=resamples)
    sums = {player: np.zeros((resamples, len(COMPONENTS))) for player in players}
    weights = {player: np.zeros((resamples, len(COMPONENTS))) for player in players}
    for place in range(tasks):
        n = len(first[place].correct)
        counts = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
        for player, cases in players.items():
            values = components(cases[place], counts)
            mask = ~np.isnan(values) & ~np.isnan(means[player][place])
            sums[player] += np.where(mask, values, 0.0) * repeats[:, place, None]
            weights[player] += mask * repeats[:, place, None]
    draws, rows, tails = {}, [], [(1 - level) / 2, (1 + level) / 2]
    for player, cases in players.items():
        with np.errstate(invalid="ignore"):  # NaN where no task has the component
            draws[player] = sums[player] / weights[player]
        for k, component in enumerate(COMPONENTS):
            finite = ~np.isnan(means[player][:, k])
            value = means[player][finite, k].mean() if finite.any() else np.nan
            low, high = np.nanquantile(draws[player][:, k], tails) if finite.any() else (np.nan, np.nan)
            # At chance every resample is 0 or above, so without this the interval of 0 would lie above it.
            rows.append({
                "who": player, "component": component, "value": value, "low": min(low, value), "high": max(high, value),
                "tasks": int(finite.sum()),
                "n": sum(len(task.correct) for task, mask in zip(cases, finite, strict=True) if mask),
            })  # fmt: skip
    return pd.DataFrame(rows), draws


def summary(values: pd.DataFrame, draws: Mapping[str, np.ndarray] | None = None, level: float = 0.95) -> pd.DataFrame:
    """Return GRc of every player: the product of the components that all players have, without imputation.

    ``values`` and ``draws`` are as of `intervals`; without draws there is no interval.

    Columns who, value, low, high, of (such as "P · S · L").
    """
    table = values.pivot(index="who", columns="component", values="value").loc[list(dict.fromkeys(values.who))]
    shared = [name for name in COMPONENTS[1:] if table[name].notna().all()]
    rows = []
    for player, row in table.iterrows():
        low = high = np.nan
        if draws is not None:
            products = draws[player][:, [COMPONENTS.index(name) for name in shared]].prod(axis=1)
            low, high = np.nanquantile(products, [(1 - level) / 2, (1 + level) / 2])
        rows.append({"who": player, "value": row[shared].prod(), "low": low, "high": high, "of": " · ".join(shared)})
    return pd.DataFrame(rows)


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
        low, high = np.quantile(gaps, [0.025, 0.975]) if len(gaps) else (np.nan, np.nan)
        apart = left.low > right.high or right.low > left.high
        changed = float((np.sign(gaps) != np.sign(gap)).mean()) if len(gaps) and not np.isnan(gap) else np.nan
        rows.append({
            "first": first, "second": second, "difference": gap, "low": low, "high": high,
            "chance_of_change": changed if gap else 1.0,
            "claim": ("first" if gap > 0 else "second") if apart else "none",
        })  # fmt: skip
    return pd.DataFrame(rows)
