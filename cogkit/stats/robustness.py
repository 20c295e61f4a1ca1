"""How robust accuracy is: accuracy in the worst group, and distance from the line through other models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy
from scipy.special import expit, logit

from cogkit.stats.intervals import wilson

_FEW = 10  # models on a line


def worst_group(correct, groups) -> pd.DataFrame:
    """Return the accuracy in each group of items, and which group is the worst, one row per group.

    Parameters
    ----------
    correct : (n,) array of bool
        Whether each answer was right; 0 and 1 are accepted.
    groups : (n,) array
        The group of each item, such as a domain, a shift or a kind of problem.

    Returns
    -------
    DataFrame
        Columns group, n, correct, accuracy, low, high (Wilson's interval, for independent items), gap (accuracy of
        all items together minus this), worst (every group that shares the lowest accuracy); groups in the order in
        which they first appear.

    Notes
    -----
    The worst of several accuracies is low partly by chance, above all with many small groups. Its interval does not
    correct for this selection. See Koh et al. (2021) for the practice.

    Examples
    --------
    >>> worst_group([1, 1, 1, 0], ["near", "near", "far", "far"])[["group", "accuracy", "gap", "worst"]].values.tolist()
    [['near', 1.0, -0.25, False], ['far', 0.5, 0.25, True]]
    """
    values = pd.DataFrame({"group": list(groups), "correct": list(correct)}).astype({"correct": int})
    table = values.groupby("group", sort=False).correct.agg(n="size", correct="sum").reset_index()
    table["accuracy"] = table["correct"] / table["n"]
    table["low"], table["high"] = wilson(table["correct"], table["n"])
    table["gap"] = values.correct.mean() - table["accuracy"]
    return table.assign(worst=table["accuracy"] == table["accuracy"].min())


def effective_robustness(frame: pd.DataFrame, within: str, shifted: str, baseline) -> pd.DataFrame:
    """Return how far each model's accuracy under shift lies from the line through the baseline models, one row
    per model.

    Parameters
    ----------
    frame : DataFrame
        One row per model; the index holds the names.
    within, shifted : str
        Columns of accuracies, above 0 and below 1, on items like those of training and on shifted ones.
    baseline : (n,) array of bool
        The models on the line.

    Returns
    -------
    DataFrame
        Columns model, within, shifted, baseline, expected (the value of the line at the model's accuracy within),
        effective (shifted minus expected; above 0 is more robust than the line predicts), expected_low,
        expected_high (95 % prediction interval for one more baseline model of that accuracy), slope, intercept, models
        (on the line), note.

    Notes
    -----
    ``f(shifted) = intercept + slope · f(within)`` by least squares over the m baseline models, f the logit (Taori
    et al. 2020; Miller et al. 2021). The interval is ``f⁻¹(line ± t(m - 2) s √(1 + 1/m + (x - x̄)² / Σ(x - x̄)²))``. It
    assumes independent models and exactly known accuracies, although models share data and designs and accuracies come
    from finite items. A baseline model pulls the line towards itself, so its own effective robustness is too close
    to 0.

    Examples
    --------
    >>> frame = pd.DataFrame({"id": [0.5, 0.6, 0.8, 0.8], "ood": [0.5, 0.6, 0.8, 0.9]}, index=list("abcd"))
    >>> effective_robustness(frame, "id", "ood", frame.index != "d").effective.abs().round(3).tolist()
    [0.0, 0.0, 0.0, 0.1]
    """
    shares, m = frame[[within, shifted]].to_numpy(dtype=float), int(np.sum(baseline))
    x, y = logit(shares.T)
    line = scipy.stats.linregress(x[baseline], y[baseline])
    straight = line.intercept + line.slope * x
    spread = ((y - straight)[baseline] ** 2).sum() / (m - 2)
    middle = x[baseline].mean()
    squares = ((x[baseline] - middle) ** 2).sum()
    half = scipy.stats.t.ppf(0.975, m - 2) * np.sqrt(spread * (1 + 1 / m + (x - middle) ** 2 / squares))
    expected = expit(straight)
    return pd.DataFrame({
        "model": list(frame.index), "within": shares[:, 0], "shifted": shares[:, 1], "baseline": baseline,
        "expected": expected, "effective": shares[:, 1] - expected, "expected_low": expit(straight - half),
        "expected_high": expit(straight + half), "slope": line.slope, "intercept": line.intercept, "models": m,
        "note": f"the line rests on {m} models only" if m < _FEW else "",
    })  # fmt: skip
