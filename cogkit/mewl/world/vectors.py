"""Places, directions and colours as three numbers, for compiled loops."""

from __future__ import annotations

import math

from cogkit.core.compiled import compiled

Vector = tuple[float, float, float]
ZERO, ONE, UP = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, 1.0)


@compiled
def triple(row, k):
    """Return three numbers of a row, from place ``k``."""
    return row[k], row[k + 1], row[k + 2]


@compiled
def plus(a, b):
    """Return a sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled
def minus(a, b):
    """Return a difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled
def times(share, a):
    """Return a multiple."""
    return share * a[0], share * a[1], share * a[2]


@compiled
def over(a, share):
    """Return a fraction."""
    return a[0] / share, a[1] / share, a[2] / share


@compiled
def product(a, b):
    """Return the products of the parts, such as light through a coloured glass."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@compiled
def dot(a, b):
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def length(a):
    """Return the Euclidean length."""
    return math.sqrt(dot(a, a))


@compiled
def turned(a, cosine, sine):
    """Return a vector after a turn about the vertical."""
    return a[0] * cosine - a[1] * sine, a[0] * sine + a[1] * cosine, a[2]


@compiled
def blend(a, b, share):
    """Return a mix of two; ``share`` is that of the second."""
    return plus(a, times(share, minus(b, a)))
