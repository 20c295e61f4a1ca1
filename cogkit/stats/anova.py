"""Analysis of variance of a full factorial design, from the cells' n, mean and sd alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

import numpy as np
import pandas as pd
import scipy


def anova_from_cells(cells: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Return the ANOVA table of a full factorial least-squares model, Type II; it is exactly the table from the scores.

    Parameters
    ----------
    cells : DataFrame
        One row per cell: the factors, ``n``, ``mean`` and ``sd`` (with the divisor n - 1).
    factors : sequence of str
        Categorical columns.

    Returns
    -------
    DataFrame
        Columns term ("a", "b", "a:b", then "residual"), ss, df, df_resid, f, p, partial_eta2; the residual
        row has no test.

    Notes
    -----
    A model M of the cell means fitted with weights n leaves ``RSS(M) = W + Σ n (mean - fitted)²``, the
    residual sum of squares of the same model on the scores, with ``W = Σ (n - 1) sd²``. The sum of squares
    of a term T is ``RSS(M) - RSS(M + T)``, with M all terms that do not contain T. ``F = (SS / df) / (W / df_resid)``,
    ``df_resid = N - cells``, ``partial_eta2 = SS / (SS + W)``.

    Examples
    --------
    >>> cells = pd.DataFrame({"g": ["a", "b"], "n": 2, "mean": [1.5, 4.5], "sd": 0.5**0.5})
    >>> anova_from_cells(cells, ["g"]).f.round(6).tolist()
    [18.0, nan]
    """
    n, mean, sd = (cells[name].to_numpy(float) for name in ("n", "mean", "sd"))
    within = float(((n - 1) * np.where(n > 1, sd, 0.0) ** 2).sum())
    df_resid = float(n.sum() - len(cells))
    terms = [term for size in range(1, len(factors) + 1) for term in combinations(factors, size)]  # by order
    columns = {term: _columns(cells, term) for term in terms}
    root = np.sqrt(n)

    def rss(model: list[tuple[str, ...]]) -> float:
        design = np.hstack([np.ones((len(cells), 1)), *(columns[term] for term in model)])
        scaled_design = design * root[:, None]
        predictions = scaled_design @ np.linalg.lstsq(scaled_design, mean * root, rcond=None)[0]
        return float(((mean * root - predictions) ** 2).sum())

    rows = []
    for term in terms:
        model_terms = [candidate for candidate in terms if not set(term) <= set(candidate)]
        rows.append((":".join(term), rss(model_terms) - rss([*model_terms, term]), float(columns[term].shape[1])))
    table = pd.DataFrame(rows, columns=["term", "ss", "df"]).assign(df_resid=df_resid)
    table["f"] = (table.ss / table.df) / (within / df_resid) if within > 0 else np.nan
    table["p"] = scipy.stats.f.sf(table.f, table.df, df_resid)
    table["partial_eta2"] = table.ss / (table.ss + within) if within > 0 else 1.0
    table.loc[len(table)] = ["residual", within, df_resid, df_resid, np.nan, np.nan, np.nan]
    return table


def _columns(cells: pd.DataFrame, term: tuple[str, ...]) -> np.ndarray:
    """Return the sum-coded columns of one term, (cells, df): products of its factors' columns."""
    parts = []
    for name in term:
        codes, levels = pd.factorize(cells[name], sort=True)
        sums = np.vstack([np.eye(len(levels) - 1), -np.ones(len(levels) - 1)])
        parts.append(sums[codes])
    return reduce(lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(cells), -1), parts)
