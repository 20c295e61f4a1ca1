"""How robust accuracy is: accuracy in the worst group, and distance from the line through other models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from cogkit.core.errors import InputError
from cogkit.stats.intervals import wilson

AXES = {
    "logit": (scipy.special.logit, scipy.special.expit),
    "probit": (scipy.special.ndtri, scipy.special.ndtr),
    "linear": (lambda share: share, lambda share: share),
}
_FEW = 10  # models on a line


def worst_group(correct, groups, level: float = 0.95) -> pd.DataFrame:
    """Return the accuracy in each group of items, and which group is the worst, one row per group.

    Parameters
    ----------
    correct : (n,) array of bool
        Whether each answer was right; 0 and 1 are accepted.
    groups : (n,) array
        The group of each item, such as a domain, a shift or a kind of problem.
    level : float
        Confidence level.

    Returns
    -------
    DataFrame
        Columns group, n, correct, accuracy, low, high (Wilson's interval, for independent items), gap (accuracy of
        all items together minus this), worst (every group that shares the lowest accuracy), level; groups in the order
        in which they first appear.

    Notes
    -----
    The worst of several accuracies is low partly by chance, above all with many small groups. Its interval does not
    correct for this selection. See Koh et al. (2021) for the practice.

    Examples
    --------
    >>> worst_group([1, 1, 1, 0], ["near", "near", "far", "far"])[["group", "accuracy", "gap", "worst"]].values.tolist()
    [['near', 1.0, -0.25, False], ['far', 0.5, 0.25, True]]
    """
    names = pd.Series(list(groups))
    values = pd.Series(list(correct))
    values = values.astype(int)
    table = values.groupby(names, sort=False).agg(["size", "sum"]).rename_axis("group").reset_index()
    table.columns = ["group", "n", "correct"]
    table["accuracy"] = table["correct"] / table["n"]
    table["low"], table["high"] = wilson(table["correct"], table["n"], level)
    table["gap"] = float(values.mean()) - table["accuracy"]
    return table.assign(worst=table["accuracy"] == table["accuracy"].min(), level=level)


def effective_robustness(
    frame: pd.DataFrame, within: str, shifted: str, baseline=None, axis: str = "logit", level: float = 0.95
) -> pd.DataFrame:
    """Return how far each model's accuracy under shift lies from the line through the baseline models, one row
    per model.

    Parameters
    ----------
    frame : DataFrame
        One row per model; the index holds the names.
    within, shifted : str
        Columns of accuracies, on items like those of training and on shifted ones.
    baseline : (n,) array of bool, or str, optional
        The models on the line, or the name of a column that marks them; by default all models.
    axis : {"logit", "probit", "linear"}
        Scale on which the line is straight. On logit and probit axes no accuracy may be 0 or 1.
    level : float
        Probability of the prediction interval.

    Returns
    -------
    DataFrame
        Columns model, within, shifted, baseline, expected (the value of the line at the model's accuracy within),
        effective (shifted minus expected; above 0 is more robust than the line predicts), expected_low,
        expected_high (prediction interval for one more baseline model of that accuracy), slope,
        intercept, r2 (of the line, on the transformed axes), models (on the line), axis, level, note.

    Notes
    -----
    ``f(shifted) = intercept + slope · f(within)`` by least squares over the m baseline models, f the axis (Taori
    et al. 2020; Miller et al. 2021). The interval is ``f⁻¹(line ± t(m - 2) s √(1 + 1/m + (x - x̄)² / Σ(x - x̄)²))``. It
    assumes independent models and exactly known accuracies, although models share data and designs and accuracies come
    from finite items. A baseline model pulls the line towards itself, so its own effective robustness is too close
    to 0. On linear axes expected may leave [0, 1].

    Examples
    --------
    >>> frame = pd.DataFrame({"id": [0.5, 0.6, 0.8, 0.8], "ood": [0.4, 0.5, 0.7, 0.8]}, index=list("abcd"))
    >>> effective_robustness(frame, "id", "ood", frame.index != "d", "linear").effective.abs().round(3).tolist()
    [0.0, 0.0, 0.0, 0.1]
    """
    forth, back = AXES[axis]
    if isinstance(baseline, str):
        baseline = frame[baseline]
    on_line = np.ones(len(frame), bool) if baseline is None else np.asarray(baseline, dtype=bool)
    shares = frame[[within, shifted]].to_numpy(dtype=float)
    m = int(on_line.sum())
    edge = np.isin(shares, [0, 1]).any(axis=1)
    if axis != "linear" and edge.any():
        raise InputError(
            f"an accuracy of exactly 0 or 1 ({frame.index[edge][0]})", f"accuracies between them on a {axis} axis",
            "leave that model out, use axis='linear', or give (correct + ½) / (n + 1) in place of accuracies",
        )  # fmt: skip
    x, y = forth(shares[:, 0]), forth(shares[:, 1])
    line = scipy.stats.linregress(x[on_line], y[on_line])
    straight = line.intercept + line.slope * x
    residuals = (y - straight)[on_line]
    middle = x[on_line].mean()
    squares = ((x[on_line] - middle) ** 2).sum()
    se = np.sqrt((residuals**2).sum() / (m - 2) * (1 + 1 / m + (x - middle) ** 2 / squares))
    half = scipy.stats.t.ppf((1 + level) / 2, m - 2) * se
    expected = back(straight)
    return pd.DataFrame({
        "model": list(frame.index), "within": shares[:, 0], "shifted": shares[:, 1], "baseline": on_line,
        "expected": expected, "effective": shares[:, 1] - expected, "expected_low": back(straight - half),
        "expected_high": back(straight + half), "slope": float(line.slope), "intercept": float(line.intercept),
        # If all shifted accuracies are equal, there is nothing to explain.
        "r2": float(line.rvalue**2) if np.ptp(y[on_line]) > 0 else np.nan, "models": m, "axis": axis, "level": level,
        "note": f"the line rests on {m} models only" if m < _FEW else "",
    })  # fmt: skip
