"""Floors of Bongard-LOGO: learners that measure ink and recognise no shape.

Nie et al. (2020) report no floors; they give chance as 50 %. A floor above chance shows how much of a score needs no
concept.
"""

from __future__ import annotations

import numpy as np

from cogkit.bongard.problems.records import Question

SIZE = 64  # pixels per side of the pictures that the floors measure
_POWERS = 4  # moments up to the third order
_NOTHING = 1e-12


class Prototype:
    """A floor that compares a measure of the query with the mean measure of each side.

    ``measure(ink (n, size, size)) -> (n, numbers)``: ink is 1 where the picture is black, 0 where it is white.
    ``standardised`` divides each number by its spread over the twelve pictures of a question.

    Examples
    --------
    >>> support = np.full((1, 2, 6, 2, 2), 255, np.uint8)
    >>> support[:, 0, :, 0] = 0  # the positives have more ink
    >>> floor = Prototype("ink amount", lambda ink: ink.mean(axis=(1, 2))[:, None])
    >>> float(floor.predict(Question(support, support[:, 0, 0])).round(2)[0])
    1.0
    """

    kind, inputs = "floor", "pixels"

    def __init__(self, name: str, measure, size: int = SIZE, standardised: bool = False) -> None:
        self.name, self.measure, self.size, self.standardised = name, measure, size, standardised

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,)."""
        support, query = self._measured(question.support), self._measured(question.query)
        if self.standardised:
            spread = support.std(axis=(1, 2))
            scale = np.divide(1, spread, out=np.zeros_like(spread), where=spread > _NOTHING)
            support, query = support * scale[:, None, None], query * scale
        return nearer(support, query)

    def _measured(self, pixels: np.ndarray) -> np.ndarray:
        ink = 1 - pixels.reshape(-1, *pixels.shape[-2:]) / np.float32(255)
        return self.measure(ink).reshape(*pixels.shape[:-2], -1)


def nearer(support: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Return the probability that queries belong to the positive side, by their distance to the mean of each side.

    It is logistic in the difference of the two squared distances from (n, 2, 6, d) to (n, d), (n,). The unit is the
    mean squared distance of the support from the mean of its side. It is one half where both distances are equal.

    Examples
    --------
    >>> nearer(np.array([[[[0.0], [2.0]], [[4.0], [6.0]]]]), np.array([[3.0]])).tolist()
    [0.5]
    """
    means = support.mean(axis=2)
    to_positive, to_negative = np.moveaxis(((query[:, None] - means) ** 2).sum(axis=-1), 1, 0)
    spread = ((support - means[:, :, None]) ** 2).sum(axis=-1).mean(axis=(1, 2))
    margin = (to_negative - to_positive) / np.maximum(spread, _NOTHING)
    return 1 / (1 + np.exp(-np.clip(margin, -30, 30)))


def hu_moments(ink: np.ndarray) -> np.ndarray:
    """Return Hu's seven invariants of pictures, (n, 7), which ignore place, size and rotation (Hu 1962).

    All invariants of a picture without ink are 0.

    Examples
    --------
    >>> bar = np.zeros((1, 9, 9))
    >>> bar[0, 4, 2:7] = 1
    >>> bool(np.allclose(hu_moments(bar), hu_moments(bar.transpose(0, 2, 1))))
    True
    """
    mass = ink.sum(axis=(1, 2), dtype=float)
    divisor = np.where(mass > _NOTHING, mass, 1)
    along = []  # powers of the distance from the centre of mass, by axis: (n, length, powers)
    for axis in (1, 2):
        places = np.arange(ink.shape[axis], dtype=float)
        centre = ink.sum(axis=3 - axis, dtype=float) @ places / divisor
        along.append((places - centre[:, None])[..., None] ** np.arange(_POWERS))
    down, across = along
    central = np.swapaxes(across, 1, 2) @ np.swapaxes(ink, 1, 2) @ down  # [x power, y power]
    order = np.add.outer(np.arange(_POWERS), np.arange(_POWERS))
    eta = central / divisor[:, None, None] ** (1 + order / 2)
    n20, n02, n11 = eta[:, 2, 0], eta[:, 0, 2], eta[:, 1, 1]
    n30, n21, n12, n03 = eta[:, 3, 0], eta[:, 2, 1], eta[:, 1, 2], eta[:, 0, 3]
    a, b, c, d = n30 + n12, n21 + n03, n30 - 3 * n12, 3 * n21 - n03
    aa, bb = a**2 - 3 * b**2, 3 * a**2 - b**2
    return np.stack([
        n20 + n02,
        (n20 - n02) ** 2 + 4 * n11**2,
        c**2 + d**2,
        a**2 + b**2,
        c * a * aa + d * b * bb,
        (n20 - n02) * (a**2 - b**2) + 4 * n11 * a * b,
        d * a * aa - c * b * bb,
    ], axis=1)  # fmt: skip


def log_hu(ink: np.ndarray) -> np.ndarray:
    """Return Hu's invariants on a logarithmic scale that keeps signs, because they span many powers of ten."""
    moments = hu_moments(ink)
    return np.sign(moments) * np.log10(1 + np.abs(moments) / _NOTHING)


class Majority:
    """The lowest floor: the more frequent side. Both are equally frequent, so it always answers the first."""

    name, kind, inputs, size = "majority", "floor", "pixels", SIZE

    def predict(self, question: Question) -> np.ndarray:
        """Return 1 for every query, (n,)."""
        return np.ones(len(question))
