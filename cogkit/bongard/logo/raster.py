"""Pictures as pixels: Pillow draws them several times as large, then averages the pixels (Nie et al. 2020, § 2.1)."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from PIL import Image, ImageDraw

from cogkit.bongard.logo.drawing import PROBLEM, Mark, Pens, draw_list
from cogkit.bongard.logo.pictures import Picture
from cogkit.core.errors import InputError

PUBLISHED = 512  # pixels a side of the published pictures
RIGHT, DOWN, PER_UNIT = 257.5, 257.8, 0.6522  # measured there: column RIGHT + PER_UNIT · x, row DOWN - PER_UNIT · y
SMALLEST, LARGEST = 16, 2048

_INK, _PAPER = 0, 255
Fill = tuple[np.ndarray, int]  # a polygon, as x and y of its corners in turn, in pixels, and its grey value
_CAP = np.exp(1j * np.radians(np.arange(-90, 91, 30)))  # the round end of a line that points right


def image(picture: Picture, size: int = 128, pens: Pens = PROBLEM) -> np.ndarray:
    """Return a picture as grey pixels, (size, size) uint8: 255 is paper and 0 is ink; row 0 is the top.

    ``size`` is 16 to 2048; `InputError` otherwise. The picture is drawn at this size, not scaled down from the
    published size.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> pixels = image((Placed((Line(1.0),)),), size=128)
    >>> pixels.shape, int(pixels[64, 80]), int(pixels[0, 0])
    ((128, 128), 0, 255)
    """
    return images([picture], size, pens)[0]


def images(pictures: Sequence[Picture], size: int = 128, pens: Pens = PROBLEM) -> np.ndarray:
    """Return n pictures as (n, size, size) uint8; see `image`."""
    stack = np.empty((len(pictures), as_size(size), size), np.uint8)
    for pixels, drawn in zip(stack, _drawn(pictures, size, pens), strict=True):
        pixels[:] = np.asarray(drawn)
    return stack


def png(picture: Picture, size: int = PUBLISHED, pens: Pens = PROBLEM) -> bytes:
    """Return a picture as a PNG file in shades of grey; see `image`.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> png((Placed((Line(1.0),)),))[:4]
    b'\\x89PNG'
    """
    size = as_size(size)
    # Such a picture has little but runs of one grey. Pillow would try five filters on every row, which takes as long as
    # to draw the picture, and makes its file larger.
    rows = np.zeros((size, 1 + size), np.uint8)  # in front of each row its filter: 0 for none
    rows[:, 1:] = np.asarray(next(_drawn([picture], size, pens)))
    deflate = zlib.compressobj(strategy=zlib.Z_RLE)
    pixels = deflate.compress(rows.data) + deflate.flush()
    header = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)  # 8 bits of grey a pixel, not interlaced
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    """Return a part of a PNG file: its length, its kind, its content, and a check sum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def as_size(size: int) -> int:
    """Return a size in pixels that can be drawn, or raise `InputError`."""
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or not SMALLEST <= size <= LARGEST:
        raise InputError(f"a size of {size!r}", f"a whole number of pixels a side, {SMALLEST} to {LARGEST}")
    return int(size)


def _drawn(pictures: Sequence[Picture], size: int, pens: Pens) -> Iterator[Image.Image]:
    fine = max(2, math.ceil(PUBLISHED / size))
    large = Image.new("L", (size * fine, size * fine))
    polygon = ImageDraw.Draw(large).draw.draw_polygon  # without the checks of `ImageDraw.polygon`, which take as long
    for picture in pictures:
        large.paste(_PAPER, (0, 0, *large.size))
        for mark in draw_list(picture, pens):
            for corners, grey in (_stamp if mark.stamp else _line)(mark, size * fine / PUBLISHED):
                polygon(corners, grey, 1)
        yield large.reduce(fine)


def _line(mark: Mark, zoom: float) -> list[Fill]:
    """Return each segment of a line as a polygon with round ends; ``zoom`` pixels make one published pixel."""
    points = mark.points.view(complex)[:, 0]
    steps = np.diff(points)
    distances = np.abs(steps)
    directions = np.divide(steps, distances, out=np.ones_like(steps), where=distances > 0)
    caps = max(mark.width / 2 - _more(zoom), 0.0) * directions[:, None] * _CAP
    corners = np.concatenate([points[1:, None] + caps, points[:-1, None] - caps], axis=1)
    return [(capsule, _INK) for capsule in _to_pixels(corners, zoom)]


def _stamp(mark: Mark, zoom: float) -> list[Fill]:
    """Return the polygons of a stamp: the whole in ink, with round corners, and the white inside it, if any."""
    points = mark.points.view(complex)[:, 0]
    half, excess, n = mark.width / 2, _more(zoom), len(points)
    spokes = points - points.mean()
    radius = np.abs(spokes[0])
    outer = points[:, None] + (spokes * max(half - excess, 0.0) / radius)[:, None] * _fan(n)
    share = 1 - (half + excess) / (radius * np.cos(np.pi / n))
    fills = [(_to_pixels(outer.reshape(1, -1), zoom)[0], _INK)]
    if share > 0:
        fills.append((_to_pixels((points.mean() + share * spokes)[None], zoom)[0], _PAPER))
    return fills


@cache
def _fan(n: int) -> np.ndarray:
    """Return the round corner of a regular polygon of n sides, as directions relative to the corner's own."""
    if n > 12:  # hardly a corner
        return np.array([1 / np.cos(np.pi / n)])
    return np.exp(1j * np.linspace(-1, 1, 12 // n) * np.pi / n)


def _more(zoom: float) -> float:
    """Return how far Pillow fills a polygon beyond its corners, in world units: part of a pixel."""
    return 0.4 / (PER_UNIT * zoom)


def _to_pixels(corners: np.ndarray, zoom: float) -> np.ndarray:
    """Return places (k, n) as whole pixels, x and y in turn, (k, 2n); float32 is what Pillow reads."""
    return np.rint((_pixels(corners, zoom) - (0.5 + 0.5j)).view(float)).astype(np.float32)


def _pixels(places: np.ndarray, zoom: float) -> np.ndarray:
    """Return places of the world in pixels, as complex numbers: right, and down."""
    return places.conj() * (PER_UNIT * zoom) + complex(RIGHT, DOWN) * zoom
