"""Estimates of numbers that the paper does not print, from those that it does (Jiang et al. 2023, appendix D).

The article prints a mean for each task and 36 p values. It prints no spread, no t and no number of people by task.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from cogkit.mewl.paper.reported import ANSWERS, PEOPLE, pairs, published
from cogkit.mewl.problems.episodes import TASKS

_GUESS = 0.2  # a standard deviation to begin with


def implied() -> pd.DataFrame:
    """Return the spread over people that best fits the printed p values, by task.

    We assume `reported.PEOPLE` for each task. Columns: task, mean, sd (over people), se (of the
    mean), binomial_se (if all answers were independent), ratio (of the two), n (people).

    Notes
    -----
    Nine standard deviations are fitted to 21 printed p and 15 bounds ("< .001") by least squares of normal quantiles.
    The p values are those of Student's one-tailed test with one variance. No fit gives all printed p. With
    other numbers of people the spreads of ``shape`` and ``number``, both near the ceiling, change by up to a half, the
    others by little.

    Examples
    --------
    >>> table = implied().set_index("task")
    >>> bool(table.sd["pragmatic"] > table.sd["color"])
    True
    """
    results, table = published(), pairs()
    means = results[results.kind == "person"].set_index("task").value.loc[list(TASKS)]
    tasks_a, tasks_b = (np.array([TASKS.index(task) for task in table[side]]) for side in ("first", "second"))
    quantiles, below, gaps = scipy.stats.norm.isf(table.p), table.below.to_numpy(), table.difference.abs().to_numpy()

    def off(log_sd: np.ndarray) -> np.ndarray:
        variance = np.exp(2 * log_sd)
        t = gaps / np.sqrt((variance[tasks_a] + variance[tasks_b]) / PEOPLE)
        gap = scipy.stats.norm.isf(scipy.stats.t.sf(t, 2 * PEOPLE - 2)) - quantiles
        return np.where(below, np.minimum(gap, 0), gap)

    sd = np.exp(scipy.optimize.least_squares(off, np.full(len(TASKS), np.log(_GUESS))).x)
    rows = pd.DataFrame({"task": TASKS, "mean": means.to_numpy(), "sd": sd, "se": sd / np.sqrt(PEOPLE)})
    rows["binomial_se"] = np.sqrt(rows["mean"] * (1 - rows["mean"]) / (PEOPLE * ANSWERS))
    return rows.assign(ratio=rows.se / rows.binomial_se, n=PEOPLE)
