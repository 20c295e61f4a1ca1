"""Whether a picture can be what its programs draw, when the placements of the shapes were not stored.

Place, heading and scale of each shape are unknown. So only features that do not depend on them are compared: the spread
of the ink over distances from its centre, the ratio of width to length, and the amount of ink. A mirrored shape counts
as the same. For two shapes that touch, only the amount of ink is compared. Where ink reaches the edge of the paper,
the only test is whether there is too much ink.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from scipy import ndimage

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Program

UNLIKE = 0.2  # nearly twice the largest distance of 5,250 pictures, as published, from their own programs
SIZE = 256  # pixels a side for the comparison
LEAST = 128  # smaller pictures cannot be compared: their lines are too thick for their shapes
_SCALES = (80.0, 320.0)  # the published ones
_GAP = 5  # pixels: parts of one shape, such as stamps, are less than twice this far apart
_WITHIN = np.linspace(0, 2.5, 51)  # distances, in units of their root mean square
_FIRST = 150.0  # the scale at which a shape is drawn first
_AMOUNT = 0.5  # the weight of a difference in the amount of ink, as a share


def distance(pixels: np.ndarray, programs: tuple[Program, ...]) -> float:
    """Return how far a picture is from what its programs can draw: 0 is alike, 1 or more is completely unlike.

    ``pixels`` are (size, size) uint8, ``programs`` those of one shape or two.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> short, bent = (Line(1.0),), (Line(1.0), Line(1.0, 90.0))
    >>> pixels = raster.image((Placed(short, Placement(-40.0, 100.0, 30.0, 150.0)),), 512)
    >>> distance(pixels, (short,)) < UNLIKE < distance(pixels, (bent,))
    True
    """
    ink = _ink(pixels)
    pieces = _pieces(ink) if len(programs) > 1 else [ink]
    cut = any(edge.any() for edge in (ink[0], ink[-1], ink[:, 0], ink[:, -1]))
    if cut or not ink.any() or len(pieces) != len(programs):
        return _amount(ink, programs, cut)
    spreads = [(piece.sum(), *_spread(piece)) for piece in pieces]
    distances = np.array([[_apart(*spread, program, len(ink)) for program in programs] for spread in spreads])
    return min(float(distances[range(len(programs)), order].max()) for order in permutations(range(len(programs))))


def _ink(pixels: np.ndarray) -> np.ndarray:
    """Return how black each pixel is, 0 to 1, at `SIZE` or a little more; a smaller picture keeps its size."""
    factor = max(1, len(pixels) // SIZE)
    whole = len(pixels) // factor * factor
    blocks = pixels[:whole, :whole].reshape(whole // factor, factor, whole // factor, factor)
    return 1 - blocks.mean(axis=(1, 3)) / 255


def _pieces(ink: np.ndarray) -> list[np.ndarray]:
    """Return the ink of each part that lies apart from the others."""
    gap = round(_GAP * len(ink) / SIZE)
    labels, count = ndimage.label(ndimage.maximum_filter(ink > 0.2, 2 * gap + 1))
    return [np.where(labels == k, ink, 0) for k in range(1, count + 1)]


def _spread(ink: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the size, the ratio of width to length, and the share of ink within each distance from the centre."""
    v, u = np.nonzero(ink)
    weight = ink[v, u] / ink.sum()
    x, y = u - weight @ u, v - weight @ v
    least, most = np.linalg.eigvalsh(np.cov(np.stack([x, y]), aweights=weight, bias=True))
    size = np.sqrt(least + most)
    counts = np.histogram(np.hypot(x, y) / size, _WITHIN, weights=weight)[0]
    return size, np.sqrt(max(0.0, least) / most), np.cumsum(counts)


@lru_cache(maxsize=256)  # the pictures of a problem share most of their shapes
def _first_extent(program: Program, size: int) -> float:
    return _spread(_drawn(program, _FIRST, size))[0]


def _drawn(program: Program, scale: float, size: int) -> np.ndarray:
    """Return the ink of a shape in the middle of the paper."""
    points = np.concatenate(path(Placed(program, Placement(scale=scale))))
    x, y = (points.min(axis=0) + points.max(axis=0)) / 2
    return _ink(raster.image((Placed(program, Placement(-x, -y, 0.0, scale)),), size))


def _apart(amount: float, extent: float, width: float, within: np.ndarray, program: Program, size: int) -> float:
    """Return how far ink of this amount and spread is from a shape at any place, heading and scale."""
    scale = _FIRST * extent / _first_extent(program, size)
    if not _SCALES[0] / 2 < scale < _SCALES[1] * 1.5:
        return 1.0
    ink = _drawn(program, scale, size)
    _, shape_width, shape_within = _spread(ink)
    surplus = abs(1 - amount / ink.sum()) * _AMOUNT
    return float(max(abs(width - shape_width), np.abs(within - shape_within).max(), surplus))


def _amount(ink: np.ndarray, programs: tuple[Program, ...], cut: bool) -> float:
    """Return the share by which ink is less than the shapes have at their smallest, or more than at their largest."""
    least, most = (sum(_drawn(program, scale, len(ink)).sum() for program in programs) for scale in _SCALES)
    amount = ink.sum()
    return float(max(0.0, 0.0 if cut else 1 - amount / least, 1 - most / amount if amount else 0.0))
