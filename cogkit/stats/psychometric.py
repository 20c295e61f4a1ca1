"""Psychometric curves: how accuracy changes with the level of difficulty or of shift."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import scipy
from scipy.special import expit, logit

from cogkit.stats.bootstrap import ENDS

_STEEP = 60.0  # steepest slope a fit may reach, in standard deviations of the levels
_STEP = 12.0  # a slope that is nearly a step, in the same unit
_EDGE = 1e-9  # a probability stays this far from 0 and 1, so that its log is finite


def curve(level, threshold: float, slope: float, lapse: float, chance: float):
    """Return P(correct) at a level: see `psychometric`."""
    return chance + (1 - chance - lapse) * expit(slope * (level - threshold))


def psychometric(
    level, correct, n, chance: float, rng: np.random.Generator | None = None, *, resamples: int = 1000
) -> pd.DataFrame:
    """Return the maximum-likelihood curve of accuracy against level, one row per parameter.

    Parameters
    ----------
    level : (k,) array of float
        Level of difficulty, of shift, or of signal; levels may repeat.
    correct, n : (k,) array of int
        Right answers, some and not all, and all answers, at each level.
    chance : float
        Share of right answers by guessing, known beforehand: the lower end of the curve.
    rng : numpy.random.Generator, optional
        Source of the bootstrap; without it there are no intervals.
    resamples : int
        Number of resamples.

    Returns
    -------
    DataFrame
        Columns parameter, value, low, high (95 %), deviance (against a model with a separate share for each level), df
        (levels minus parameters), n (answers), converged, identified, note, chance, undefined (share of resamples in
        which all answers are equal; they are left out). Rows:

        - threshold: the level at which the curve is half way between its two ends;
        - slope: steepness per unit of level, negative where accuracy falls with level;
        - lapse: 1 minus the upper end.

        If the answers do not determine the parameters, ``identified`` is False, values are NaN and ``note`` says why.

    Notes
    -----
    ``P(correct | x) = chance + (1 - chance - lapse) F(slope (x - threshold))``, F the logistic function; answers are
    binomial and independent. At the threshold the curve rises by ``(1 - chance - lapse) · slope / 4`` a unit. With
    chance 0 and no lapse, slope and -slope · threshold are the coefficients of a logistic regression. Lapse is
    limited to [0, (1 - chance)/2]. Low and high are percentiles of a parametric bootstrap: data drawn from the fitted
    curve, fitted again (Wichmann & Hill 2001). They assume that the model holds: clustered answers (people, items) or a
    curve of another form make them too short. A deviance far above its df is a sign of this.

    Examples
    --------
    >>> fit = psychometric([0, 1, 2, 3, 4], [52, 60, 75, 88, 97], [100] * 5, 0.5)
    >>> dict(zip(fit.parameter, fit.value.round(2)))
    {'threshold': 2.05, 'slope': 1.34, 'lapse': 0.0}
    """
    data = _data(level, correct, n, chance)
    best = _fit(data, data.k, _starts(data))
    identified, note = _judge(data, best)
    low = high = np.full(3, np.nan)
    undefined = np.nan
    if rng is not None:
        counts = rng.binomial(data.n, _curve(data, best.x)[0], (resamples, data.n.size))
        usable = counts[(counts.sum(axis=1) > 0) & (counts.sum(axis=1) < data.n.sum())]
        undefined = 1 - len(usable) / resamples
        if len(usable) and identified:
            low, high = np.quantile([_natural(data, _again(data, k, best.x).x) for k in usable], ENDS, axis=0)
    ceiling = -_minus_log(data, data.k, np.clip(data.k / data.n, _EDGE, 1 - _EDGE))
    return pd.DataFrame({
        "parameter": ["threshold", "slope", "lapse"], "value": _natural(data, best.x) if identified else np.nan,
        "low": low, "high": high, "deviance": float(max(0.0, 2 * (ceiling + best.fun))), "df": data.x.size - 3,
        "n": int(data.n.sum()), "converged": bool(best.success), "identified": identified, "note": note,
        "chance": float(chance), "undefined": undefined,
    })  # fmt: skip


@dataclass(frozen=True)
class _Data:
    x: np.ndarray  # distinct levels, in standard deviations from their mean
    k: np.ndarray
    n: np.ndarray
    chance: float
    centre: float
    scale: float

    @cached_property
    def coarse(self) -> dict[bool, tuple[np.ndarray, np.ndarray]]:
        """Return gentle (False) and steep (True) curves at and between the levels, and P(correct) under each."""
        lapses, curves = np.array([0.01, 0.1, 0.4, 0.8]) * (1 - self.chance) / 2, {}
        for steep, slope in ((False, 1.5), (True, _STEP)):
            theta = np.array(
                [(-s * x, s, lapse) for s in (slope, -slope) for x in _between(self.x) for lapse in lapses]
            )
            curves[steep] = theta, np.array([_curve(self, row)[0] for row in theta])
        return curves


def _data(level, correct, n, chance: float) -> _Data:
    distinct, place = np.unique(np.asarray(level, dtype=float), return_inverse=True)
    k, total = (np.bincount(place, np.asarray(counts, dtype=float)).astype(int) for counts in (correct, n))
    # Mean and standard deviation of the tested levels, each answer weighted equally.
    centre = float(total @ distinct / total.sum())
    scale = float(np.sqrt(total @ (distinct - centre) ** 2 / total.sum()))
    return _Data((distinct - centre) / scale, k, total, float(chance), centre, scale)


def _starts(data: _Data) -> list[np.ndarray]:
    """Return starting values (intercept, slope, lapse): rough estimates, and the likeliest coarse curves."""
    share = np.clip((data.k + 0.5) / (data.n + 1), data.chance + 0.02, 0.98)
    inner = np.clip((share - data.chance) / (1 - data.chance), 0.02, 0.98)
    slope, intercept = np.polyfit(data.x, logit(inner), 1, w=np.sqrt(data.n))
    rough, rising = np.array([intercept, slope, 0.02]), np.array([0.0, np.copysign(1.0, slope), 0.15])
    return [rough, rising, *(_likeliest(data, data.k, steep)[0] for steep in (False, True))]


def _likeliest(data: _Data, k: np.ndarray, steep: bool) -> tuple[np.ndarray, float]:
    """Return the likeliest steep or gentle coarse curve, and its log likelihood."""
    # With few answers both a near step and a gentle curve may be local maxima, with no ascending path between them.
    theta, p = data.coarse[steep]
    heights = np.log(p) @ k + np.log1p(-p) @ (data.n - k)
    return theta[heights.argmax()], float(heights.max())


def _again(data: _Data, k: np.ndarray, near: np.ndarray) -> scipy.optimize.OptimizeResult:
    """Return the fit of a resample, started from the fitted curve, and from the other kind unless far less likely."""
    local, (start, height) = _fit(data, k, [near]), _likeliest(data, k, steep=abs(near[1]) < _STEP / 2)
    return local if height < -local.fun - 20 else min(local, _fit(data, k, [start]), key=lambda fit: fit.fun)


def _curve(data: _Data, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return P(correct) at each level, and its derivatives by (intercept, slope, lapse)."""
    z, height = theta[0] + theta[1] * data.x, 1 - data.chance - theta[2]
    share = expit(z)
    rise = height * (share * expit(-z))
    p = np.minimum(np.maximum(data.chance + height * share, _EDGE), 1 - _EDGE)
    return p, np.array([rise, rise * data.x, -share])


def _minus_log(data: _Data, k: np.ndarray, p: np.ndarray) -> float:
    return -float(k @ np.log(p) + (data.n - k) @ np.log1p(-p))


def _fit(data: _Data, k: np.ndarray, starts, steep: float = 0.0) -> scipy.optimize.OptimizeResult:
    """Return the likeliest (intercept, slope, lapse); a ``steep`` other than 0 fixes the slope at that value."""

    def minus(theta: np.ndarray) -> tuple[float, np.ndarray]:
        p, parts = _curve(data, theta)
        return _minus_log(data, k, p) / size, -(parts @ (k / p - (data.n - k) / (1 - p))) / size

    size = data.n.sum()
    reach = _STEEP * (1 + np.abs(data.x).max())
    bounds = [(-reach, reach), (steep or -_STEEP, steep or _STEEP), (0.0, (1 - data.chance) / 2)]
    how = {"jac": True, "method": "L-BFGS-B", "bounds": bounds, "options": {"ftol": 1e-14, "gtol": 1e-8}}
    best = min((scipy.optimize.minimize(minus, start, **how) for start in starts), key=lambda fit: fit.fun)
    best.fun *= size
    return best


def _judge(data: _Data, fit: scipy.optimize.OptimizeResult) -> tuple[bool, str]:
    """Return whether the answers determine the parameters, and a note, which may be empty."""
    intercept, slope = fit.x[:2]
    flat = _minus_log(data, data.k, np.full(data.k.size, max(data.k.sum() / data.n.sum(), data.chance)))
    if flat - fit.fun < 1e-6:
        return False, "no curve fits better than one accuracy at all levels"
    steep = float(np.copysign(_STEEP, slope))
    starts = [np.array([-steep * x, steep, *fit.x[2:]]) for x in _between(data.x)]
    if _fit(data, data.k, starts, steep).fun - fit.fun < 1e-3:
        return False, "a step fits as well as any slope: test levels in between"
    p, parts = _curve(data, fit.x)
    # A lapse rate of 0 lies on the boundary; the other two parameters may still be determined.
    inside = parts[:2] if fit.x[2] <= 1e-9 else parts
    information = (inside * (data.n / (p * (1 - p)))) @ inside.T
    root = np.sqrt(np.diag(information))
    if (root == 0).any() or np.linalg.eigvalsh(information / np.outer(root, root))[0] < 1e-8:
        return False, "different curves fit alike: test more levels"
    notes = []
    if not data.x.min() <= -intercept / slope <= data.x.max():
        notes.append("the threshold lies beyond the levels tested")
    if fit.x[2] >= (1 - data.chance) / 2 - 1e-9:
        notes.append("the lapse rate is at its limit")
    return True, "; ".join(notes)


def _between(x: np.ndarray) -> np.ndarray:
    """Return the levels and the midpoints between neighbours: the possible places of a step."""
    return np.sort(np.concatenate([x, (x[1:] + x[:-1]) / 2]))


def _natural(data: _Data, theta: np.ndarray) -> np.ndarray:
    """Return threshold, slope and lapse in the unit of the levels."""
    with np.errstate(divide="ignore", invalid="ignore"):
        threshold = data.centre - data.scale * theta[0] / theta[1]
    return np.array([threshold, theta[1] / data.scale, theta[2]])
