"""Where to look: each shape of a picture in a window of its own, at one size. No label is needed for this.

A shape is drawn without lifting the pen, so its ink hangs together, or nearly so where it is made of stamps. Two shapes
of a picture lie further apart. Ink that hangs together is therefore one shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image
from scipy import ndimage

from cogkit.core.contracts import InputError

SIZE = 512  # pixels a side of the pictures, as published: below it, stamps of small shapes cannot be told apart
MOST = 2  # shapes in a picture
_CELL = 3  # pixels: gaps up to about this size do not part ink; in 2,800 pictures this finds too few shapes in three
_INK = 160  # darker pixels are ink
_SPECK = 0.03  # a smaller share of a picture's ink is no shape
_NEAR = np.zeros((3, 3, 3), bool)
_NEAR[1] = True  # pixels of one picture, never of two


@dataclass(frozen=True, eq=False)
class Windows:
    """The shapes of n pictures.

    Attributes
    ----------
    pixels : (m, size, size) uint8
        255 is paper. The shape fills the window, up to a thin margin.
    owners : (m,) int
        The picture of each window, in ascending order: one window or two for each picture with ink.
    corners : (m, 2) float
        Left and upper end of each window in its picture, in pixels; outside the picture if the shape is at its edge.
    sides : (m,) float
        Its size in the picture, in pixels.
    """

    pixels: np.ndarray
    owners: np.ndarray
    corners: np.ndarray
    sides: np.ndarray

    def __len__(self) -> int:
        return len(self.owners)


def windows(pictures: np.ndarray, size: int) -> Windows:
    """Return the shapes in pictures (n, 512, 512) uint8, 255 for paper, in windows of ``size`` pixels a side.

    If ink hangs together in more than two parts, the two largest are taken.

    Examples
    --------
    >>> pictures = np.full((1, 512, 512), 255, np.uint8)
    >>> pictures[0, 100:140, 30:50] = pictures[0, 300:302, 200:300] = 0  # two bars
    >>> found = windows(pictures, 32)
    >>> found.owners.tolist(), found.sides.round().tolist()
    ([0, 0], [48.0, 108.0])
    """
    if pictures.dtype != np.uint8 or pictures.ndim != 3 or pictures.shape[1:] != (SIZE, SIZE):
        raise InputError(f"pictures of {pictures.dtype} {pictures.shape}", f"uint8 (n, {SIZE}, {SIZE})")
    cells = -(-SIZE // _CELL)
    padded = np.pad(pictures, ((0, 0), *[(0, cells * _CELL - SIZE)] * 2), constant_values=255)
    ink = padded.reshape(len(pictures), cells, _CELL, cells, _CELL).min(axis=(2, 4)) < _INK
    labels, count = ndimage.label(ndimage.binary_dilation(ink, _NEAR), _NEAR)
    amounts = np.bincount(labels[ink], minlength=count + 1)
    found: dict[int, list[tuple[int, int, tuple[slice, slice]]]] = {}
    for label, (picture, *place) in enumerate(ndimage.find_objects(labels), start=1):
        found.setdefault(picture.start, []).append((amounts[label], label, tuple(place)))
    pixels, owners, corners, sides = [], [], [], []
    for owner, parts in found.items():
        enough = _SPECK * sum(amount for amount, *_ in parts)
        largest = [part[1:] for part in sorted(parts, reverse=True)[:MOST] if part[0] > enough]
        for label, place in sorted(largest):
            apart = labels[owner][place] == label if len(parts) > 1 else None
            window, corner, side = _cut(padded[owner], place, apart, size)
            pixels.append(window)
            owners.append(owner)
            corners.append(corner)
            sides.append(side)
    stack = np.array(pixels, np.uint8).reshape(-1, size, size)
    return Windows(stack, np.array(owners, int), np.array(corners, float).reshape(-1, 2), np.array(sides, float))


def _cut(
    picture: np.ndarray, place: tuple[slice, ...], apart: np.ndarray | None, size: int
) -> tuple[np.ndarray, tuple[int, int], int]:
    """Return a window, its corner and its side, from a place in cells; ``apart`` is True at the cells of the shape."""
    (top, bottom), (left, right) = ((part.start * _CELL, part.stop * _CELL) for part in place)
    part = 255 - picture[top:bottom, left:right]
    if apart is not None:
        part = part * np.repeat(np.repeat(apart, _CELL, axis=0), _CELL, axis=1)
    side = max(part.shape)
    before = [(side - length) // 2 for length in part.shape]
    square = np.pad(part, [(first, side - length - first) for first, length in zip(before, part.shape, strict=True)])
    window = 255 - np.asarray(Image.fromarray(square).resize((size, size), Image.Resampling.BILINEAR))
    return window, (left - before[1], top - before[0]), side
