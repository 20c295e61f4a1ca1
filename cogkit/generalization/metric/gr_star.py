"""GR* as published: the fixed formula of the paper (equation 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cogkit.core.errors import InputError


@dataclass(frozen=True)
class Constants:
    """The paper's constants, the same for every task.

    Attributes
    ----------
    alpha, beta, gamma : float
        Weights of the sample cost, the scale cost and the abstraction cost.
    tau : float
        Alignment added for every player.
    c0 : float
        Baseline cost.
    """

    alpha: float = 1.0
    beta: float = 0.5
    gamma: float = 1.0
    tau: float = 0.20
    c0: float = 0.15

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_number = isinstance(value, int | float) and np.isfinite(value)
            if not is_number or value < 0 or (name == "c0" and value == 0):
                raise InputError(f"{name} = {value}", "constants of 0 or more, and a baseline cost above 0")


def performance(accuracy) -> np.ndarray:
    """Return f = Acc (1 - U), U = 2 √(Acc (1 - Acc)): the factors of GR* that depend on accuracy.

    It is 0 at one half for any number of classes, and rises again below, to .0429 at an accuracy of .1464. This is
    about its value at .675. The defect is kept and documented here.

    Examples
    --------
    >>> performance([0.5, 1.0, 0.1464]).round(4)
    array([0.    , 1.    , 0.0429])
    """
    a = np.asarray(accuracy, dtype=float)
    return a * (1 - 2 * np.sqrt(a * (1 - a)))


def cost(entropy, n, s, constants: Constants = Constants()) -> np.ndarray:
    """Return the denominator: c0 + α ln(1 + n/1000) + β √(s/100) + γ D̃.

    Parameters
    ----------
    entropy : array of float
        D̃, as `relevance.entropy`.
    n, s : array of int
        Samples and columns, as in the text of the paper. Its Table 1 says "feature or parameter scale".

    Examples
    --------
    >>> float(cost(1.0, 1000, 100).round(4))
    2.3431
    """
    c = constants
    samples, scale = np.log1p(np.asarray(n) / 1000), np.sqrt(np.asarray(s) / 100)
    return c.c0 + c.alpha * samples + c.beta * scale + c.gamma * np.asarray(entropy)


def gr_star(accuracy, alignment, entropy, n, s, constants: Constants = Constants()) -> np.ndarray:
    """Return GR* = Acc (1 - U) (τ + D_align) / cost, element by element.

    Parameters
    ----------
    accuracy, alignment, entropy : array of float in [0, 1]
        Accuracy (for a side the mean of its three learners), D_align and D̃.
    n, s : array of int
        As of `cost`.

    Examples
    --------
    >>> float(gr_star(0.9, 1.0, 1.0, 1000, 20).round(4))
    0.209
    """
    return performance(accuracy) * (constants.tau + np.asarray(alignment)) / cost(entropy, n, s, constants)
