"""Arbitrary stimuli: meaningless shapes with nonsense syllables as names, drawn by a seed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.seeding import stream
from cogkit.equivalence.problems.names import SHAPES

_VIEW = 64  # the side of the square that a path is drawn in
_EDGE = 3
_AROUND = np.linspace(0, 2 * np.pi, 72, endpoint=False)
_APART = 0.28  # least difference of two outlines; with 0.34 it is hard to find 80 of them


class Shape(NamedTuple):
    """A stimulus on the page: its spoken name, and its outline as an SVG path in a square of 64 × 64."""

    name: str
    path: str


def shapes(n: int, seed: int) -> list[Shape]:
    """Return n shapes, all different in every rotation.

    Raises `InputError` for more shapes than there are syllables.

    Examples
    --------
    >>> two = shapes(2, seed=0)
    >>> two[0].name != two[1].name, two[0].path.startswith("M")
    (True, True)
    """
    if not 1 <= n <= len(SHAPES):
        raise InputError(f"{n} shapes", f"1 to {len(SHAPES)}, one a syllable", "take fewer members or classes")
    rng = stream(seed, "equivalence/shapes")
    names = rng.permutation(SHAPES)[:n]
    outlines = np.ones((1, len(_AROUND)))  # begins with a circle, so that no shape is nearly round
    paths = []
    while len(paths) < n:
        points, smooth = _points(rng), bool(rng.integers(2))
        outline = _outline(points, smooth)
        if _difference(outline, outlines) > _APART:
            outlines = np.vstack([outlines, outline])
            paths.append(_path(points, smooth))
    return [Shape(str(name), path) for name, path in zip(names, paths, strict=True)]


def _points(rng: np.random.Generator) -> np.ndarray:
    """Return the corners of a star-shaped outline about the origin, (k, 2)."""
    k = int(rng.integers(6, 10))
    angles = 2 * np.pi * (np.arange(k) + rng.uniform(-0.3, 0.3, k) + rng.random()) / k
    radii = rng.choice([0.25, 0.5, 1.0], size=k)
    return radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def _curve(points: np.ndarray, smooth: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the two handles of the cubic from each corner to the next, (k, 2) each; on the chord if not smooth."""
    ahead = np.roll(points, -1, axis=0)
    if not smooth:
        return points, ahead
    slope = (ahead - np.roll(points, 1, axis=0)) / 6  # Catmull and Rom's
    return points + slope, ahead - np.roll(slope, -1, axis=0)


def _outline(points: np.ndarray, smooth: bool) -> np.ndarray:
    """Return the outline's distance from its centre in all directions, (72,), with mean 1."""
    t = np.linspace(0, 1, 40, endpoint=False)[:, None, None]
    outward, inward = _curve(points, smooth)
    ahead = np.roll(points, -1, axis=0)
    curve = (1 - t) ** 3 * points + 3 * (1 - t) ** 2 * t * outward + 3 * (1 - t) * t**2 * inward + t**3 * ahead
    x, y = curve.reshape(-1, 2).T
    angle = np.arctan2(y, x)
    order = angle.argsort()
    radius = np.interp(_AROUND, angle[order], np.hypot(x, y)[order], period=2 * np.pi)
    return radius / radius.mean()


def _difference(outline: np.ndarray, others: np.ndarray) -> float:
    """Return the distance of an outline from the most similar one, rotated or mirrored: root mean square, in radii."""
    sides = np.fft.rfft(np.stack([outline, outline[::-1]]))[:, None]
    match = np.fft.irfft(sides * np.fft.rfft(others).conj(), len(outline)).max(axis=(0, 2), initial=0)  # over rotations
    squares = (outline**2).sum() + (others**2).sum(axis=1) - 2 * match
    return float(np.sqrt(squares.clip(0) / len(outline)).min(initial=np.inf))


def _path(points: np.ndarray, smooth: bool) -> str:
    """Return an outline as an SVG path that fills its square."""
    handles = _curve(points, smooth)
    spots = np.vstack([points, *handles]) if smooth else points
    low, high = spots.min(axis=0), spots.max(axis=0)
    scale = (_VIEW - 2 * _EDGE) / (high - low).max()
    corners, outward, inward = (
        np.rint(_VIEW / 2 + scale * (part - (low + high) / 2)).astype(int) for part in (points, *handles)
    )
    word = [f"M{corners[0, 0]} {corners[0, 1]}"]
    for k in range(len(corners)):
        to = corners[(k + 1) % len(corners)]
        way = (*outward[k], *inward[k], *to) if smooth else to
        word.append(("C" if smooth else "L") + " ".join(map(str, way)))
    return "".join(word) + "Z"
