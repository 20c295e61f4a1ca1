"""Linear mixed models, as one tidy table (statsmodels MixedLM underneath)."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pandas as pd


def mixed_model(frame: pd.DataFrame, formula: str, groups: str, random: str = "1") -> pd.DataFrame:
    """Return the fixed effects and variance components of a linear mixed model, one row each.

    It is fitted by restricted maximum likelihood.

    Parameters
    ----------
    frame : DataFrame
        One row per score.
    formula : str
        Fixed effects, such as ``"z ~ performer * task"``. Code two-level predictors ±0.5 so that main
        effects are effects on average and interactions are differences of differences.
    groups : str
        The column of groups that effects vary over.
    random : str
        Random effects: ``"1"`` for the intercept only, ``"1 + performer * task"`` for slopes too (with an
        unstructured covariance).

    Returns
    -------
    DataFrame
        Columns part ("fixed" | "random" | "residual"), term, estimate, se, z, p, low, high (Wald's 95 %), n, groups,
        converged, warnings. Random rows hold standard deviations, ``"a ~ b"`` correlations; they have no test.
        ``warnings`` is one line, empty if there were none; it also reports a singular fit.

    Notes
    -----
    ``y = X β + Z b + e``, ``b ~ N(0, Ψ)`` a group, ``e ~ N(0, σ²)``. ``z = β / SE`` against the normal,
    which gives p-values that are too small with few groups.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> frame = pd.DataFrame({"g": np.repeat(list("abcdef"), 20), "x": np.tile([-0.5, 0.5], 60)})
    >>> frame["y"] = 2 * frame.x + np.repeat(rng.normal(size=6), 20) + rng.normal(size=120)
    >>> mixed_model(frame, "y ~ x", "g").term.tolist()
    ['Intercept', 'x', 'Intercept', 'residual']
    """
    # statsmodels takes a second to load, and most of this package needs none of it.
    import statsmodels.formula.api as smf
    from statsmodels.tools.sm_exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = smf.mixedlm(formula, frame, groups=frame[groups], re_formula=random)
        # Powell with a small tolerance: near a singular covariance the default optimisers stop before the maximum.
        fit = model.fit(method=["powell"], xtol=1e-8, ftol=1e-12, maxiter=2000)
    fit_warnings = [w for w in caught if issubclass(w.category, ConvergenceWarning | RuntimeWarning)]
    messages = sorted({" ".join(str(w.message).split()) for w in fit_warnings})
    spread = np.linalg.eigvalsh(np.asarray(fit.cov_re))
    if spread[0] < 1e-6 * max(spread[-1], fit.scale):
        messages.insert(0, "The covariance of the random effects is singular.")
    table, facts = pd.concat([_fixed(fit), _random(fit)], ignore_index=True), {"converged": bool(fit.converged)}
    facts |= {"n": len(frame), "groups": frame[groups].nunique(), "warnings": "; ".join(messages)}
    return table.assign(**facts)


def _fixed(fit) -> pd.DataFrame:
    names = {"estimate": fit.params, "se": fit.bse, "z": fit.tvalues, "p": fit.pvalues}
    table = pd.DataFrame(names | dict(zip(("low", "high"), fit.conf_int().T.to_numpy(), strict=True)))
    return table.loc[fit.fe_params.index].rename_axis("term").reset_index().assign(part="fixed")


def _random(fit) -> pd.DataFrame:
    """Return standard deviations, correlations and the residual; these have no test."""
    covariance = np.asarray(fit.cov_re)
    names = ["Intercept" if name in ("Group", "groups") else name for name in fit.cov_re.columns]
    sd = np.sqrt(np.clip(np.diag(covariance), 0, None))
    rows = [("random", name, spread) for name, spread in zip(names, sd, strict=True)]
    for j, i in sorted(combinations(range(len(names)), 2), key=lambda pair: pair[::-1]):
        scale = sd[i] * sd[j]
        rows.append(("random", f"{names[j]} ~ {names[i]}", covariance[i, j] / scale if scale > 0 else np.nan))
    rows.append(("residual", "residual", np.sqrt(fit.scale)))
    return pd.DataFrame(rows, columns=["part", "term", "estimate"])
