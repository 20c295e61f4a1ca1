"""The quality of metamers: convergence of the chains, and the distance of their statistics from the rule's."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from cogkit.stats import Sample, convergence, mean_interval, standardised_difference, t_test, tost, wilson
from cogkit.stats.effects import standard_error
from cogkit.tiles.metamers import sampling
from cogkit.tiles.rules.boards import TILES
from cogkit.tiles.rules.enumeration import FEWEST, MOST
from cogkit.tiles.rules.orders import ORDERS, orders

# Half a standard deviation: Cohen's medium effect, and a difference that 25 boards a side, as people see, would show in
# two of five experiments. With 1,000 a side the tests can do with a narrower one.
MARGIN = 0.5
_EVERY, _COMPARED = 4, 400  # of the sweeps, and how many chains, R̂ is worked out: ranks of all cost seconds


def means(boards) -> pd.DataFrame:
    """Return the mean of each order over boards, one row per order, with Student's 95 % interval.

    Columns order, mean, low, high, n.

    Examples
    --------
    >>> from cogkit.tiles.problems import records
    >>> means(records.sample("tree", 100, seed=0)).order.tolist()
    ['first', 'second', 'third straight', 'third paths']
    """
    table = orders(boards)
    columns = ("order", "mean", "low", "high", "n")
    return pd.DataFrame([(order, *_mean(table[order])) for order in ORDERS], columns=columns)


def compare(a, b, variances: str = "pooled") -> pd.DataFrame:
    """Return how the orders of two sets of boards differ, one row per order; every difference is a minus b.

    Either side has two boards or more, a thousand where equivalence is to be shown.

    Columns order, mean_a, mean_b, t, df, p (two-sided), d (Cohen's), low, high (its exact 95 % interval), tost_p (of
    two one-sided tests at 5 % that d is within the margin), equivalent, margin, n_a, n_b.

    Parameters
    ----------
    variances : {"pooled", "welch"}
        Of the t test and of the two one-sided ones; d is always pooled. Pooled suits two sets of one size, such
        as the published 25 and 25; "welch" is for sides of unequal size.

    Raises
    ------
    InputError
        Fewer than two boards on a side, or an order that is the same on all boards of both.

    Examples
    --------
    >>> from cogkit.tiles.problems import records
    >>> table = compare(records.sample("tree", 500, seed=0), records.sample("tree", 500, seed=1))
    >>> bool(table.equivalent.all())
    True
    """
    orders_a, orders_b = orders(a), orders(b)
    rows = []
    for order in ORDERS:
        a_sample, b_sample = Sample.of(orders_a[order]), Sample.of(orders_b[order])
        test = t_test(a_sample, b_sample, variances).iloc[0]
        effect = standardised_difference(a_sample, b_sample).iloc[0]
        within = MARGIN * standard_error(a_sample, b_sample, "pooled")[0] / math.sqrt(1 / a_sample.n + 1 / b_sample.n)
        bounds = tost(a_sample, b_sample, low=-within, high=within, variances=variances).iloc[0]
        rows.append({
            "order": order, "mean_a": a_sample.mean, "mean_b": b_sample.mean, "t": test.t, "df": test.df, "p": test.p,
            "d": effect.value, "low": effect.low, "high": effect.high, "tost_p": bounds.p,
            "equivalent": bounds.equivalent,
            "margin": MARGIN, "n_a": a_sample.n, "n_b": b_sample.n,
        })  # fmt: skip
    return pd.DataFrame(rows)


def chains(
    network: sampling.Conditional, chains: int, rng: np.random.Generator, sweeps: int = sampling.SWEEPS
) -> pd.DataFrame:
    """Return the statistics of Gibbs chains after each sweep, one row per sweep and statistic.

    Arguments are those of `sampling.sweeps`; sweep 0 is the start.

    Columns sweep, statistic (reds, each of `ORDERS`, and kept: whether a board has 3 to 39 reds), mean over the chains,
    low, high (its 95 % interval: Student's, for kept Wilson's), n (chains), rhat, ess_bulk and ess_tail
    (`stats.convergence` of the first 400 chains over all sweeps so far without the start, at every fourth sweep and at
    the last, else NaN).

    Notes
    -----
    Means and R̂ show different things. The means settle when two successive sweeps have the same distribution; R̂
    nears 1 only when each chain has seen the whole of it, which chains that fall into the empty board never do. The
    chains of a call share the order of the visits, as the original's do, and the intervals leave it out: from call to
    call the mean reds of pyramid and symmetry spread about 2.5 times as far as those of independent chains would.

    Examples
    --------
    >>> table = chains(sampling.load("tree"), 50, np.random.default_rng(0), sweeps=4)
    >>> table.query("sweep == 4").statistic.tolist()
    ['reds', 'first', 'second', 'third straight', 'third paths', 'kept']
    """
    boards = sampling.sweeps(network, chains, rng, sweeps)
    values = orders(boards.reshape(-1, *boards.shape[2:]))
    reds = (values["first"] + TILES) // 2
    values.insert(0, "reds", reds)
    values["kept"] = (reds >= FEWEST) & (reds <= MOST)
    rows = []
    for sweep in range(sweeps + 1):
        for name, column in values.items():
            draws = column.to_numpy().reshape(sweeps + 1, chains)
            summary = share(int(draws[sweep].sum()), chains) if name == "kept" else _mean(draws[sweep])
            is_due = sweep == sweeps or sweep % _EVERY == 0
            rows.append((sweep, name, *summary, *convergence(draws[1 : sweep + 1, :_COMPARED].T if is_due else [[]])))
    names = ("sweep", "statistic", "mean", "low", "high", "n", "rhat", "ess_bulk", "ess_tail")
    return pd.DataFrame(rows, columns=names)


def _mean(values) -> tuple[float, float, float, int]:
    return float(np.mean(values)), *mean_interval(values), len(values)


def share(count: int, n: int) -> tuple[float, float, float, int]:
    low, high = wilson(count, n)
    return count / n, float(low), float(high), n
