"""Where to look: each shape of a picture in a window of its own, at one size. No label is needed for this.

A shape is drawn without lifting the pen, so its ink hangs together, or nearly so where it is made of stamps. Two shapes
of a picture lie further apart. Ink that hangs together is therefore one shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from PIL import Image
from scipy import ndimage

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import records, rendering
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem
from cogkit.core.processes import end_idle

SIZE = 512  # pixels a side of the pictures, as published: below it, stamps of small shapes cannot be told apart
MOST = 2  # shapes in a picture
KEPT = 160  # pixels a side of the windows from which smaller ones are made
_CELL = 3  # pixels: gaps up to about this size do not part ink; in 2,800 pictures this finds too few shapes in three
_INK = 160  # darker pixels are ink
_SPECK = 0.03  # a smaller share of a picture's ink is no shape
_PROBLEMS = 2  # whose pictures are at hand at once
_LAYOUT = len(SIDES), A_SIDE, MOST  # of the windows of a problem
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
    cells = -(-SIZE // _CELL)
    padded = np.pad(pictures, ((0, 0), *[(0, cells * _CELL - SIZE)] * 2), constant_values=255)
    rows = reduce(np.minimum, [padded[:, k::_CELL] for k in range(_CELL)])  # numpy takes long over small blocks
    ink = reduce(np.minimum, [rows[..., k::_CELL] for k in range(_CELL)]) < _INK
    labels, count = ndimage.label(ndimage.binary_dilation(ink, _NEAR), _NEAR)
    amounts = np.bincount(labels[ink], minlength=count + 1)
    components: dict[int, list[tuple[int, int, tuple[slice, slice]]]] = {}
    for label, (picture, *place) in enumerate(ndimage.find_objects(labels) if count else [], start=1):
        components.setdefault(picture.start, []).append((amounts[label], label, tuple(place)))
    pixels, owners, corners, sides = [], [], [], []
    for owner, parts in components.items():
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


def cut(pictures: np.ndarray, size: int = KEPT) -> np.ndarray:
    """Return pictures in any layout, (..., 512, 512) uint8, as windows: (..., 2, size, size); a spare one is blank.

    Smaller windows than `KEPT` are made from windows of that size.

    Examples
    --------
    >>> blank = np.full((3, 512, 512), 255, np.uint8)
    >>> cut(blank, 32).shape, int(cut(blank, 32).min())
    ((3, 2, 32, 32), 255)
    """
    crops = windows(pictures.reshape(-1, *pictures.shape[-2:]), KEPT)
    shapes = np.full((*pictures.shape[:-2], MOST, KEPT, KEPT), 255, np.uint8)
    places = np.arange(len(crops.owners)) - np.searchsorted(crops.owners, crops.owners)
    shapes.reshape(-1, MOST, KEPT, KEPT)[crops.owners, places] = crops.pixels
    return smaller(shapes, size)


def smaller(shapes: np.ndarray, size: int) -> np.ndarray:
    """Return windows (..., 160, 160) uint8 as (..., size, size).

    Examples
    --------
    >>> smaller(np.full((3, 160, 160), 7, np.uint8), 32).shape
    (3, 32, 32)
    """
    if size == KEPT:
        return shapes
    import torch  # which figures of windows do without
    from torch import nn

    flat = torch.from_numpy(shapes.reshape(-1, 1, KEPT, KEPT)).float()
    means = nn.functional.interpolate(flat, (size, size), mode="bilinear", antialias=True)
    return means.round_().clamp_(0, 255).to(torch.uint8).numpy().reshape(*shapes.shape[:-2], size, size)


def turned(images: np.ndarray, quarters: np.ndarray) -> np.ndarray:
    """Return pictures or windows (*layout, ..., size, size), each turned left by ``quarters`` (*layout) right angles.

    Examples
    --------
    >>> turned(np.array([[[1, 2], [3, 4]]] * 2), np.array([0, 1])).tolist()
    [[[1, 2], [3, 4]], [[2, 4], [1, 3]]]
    """
    result = images.copy()
    for turns in range(1, 4):
        rows = quarters == turns
        result[rows] = np.rot90(images[rows], turns, axes=(-2, -1))
    return result


def shapes_of(problems: Sequence[Problem], size: int, jobs: int | None = 1) -> Packed:
    """Return all pictures of some problems as windows, (n, 2, 7, 2, size, size) uint8; a spare one is blank.

    They are cut from pictures of the published size, and kept on the disk as by `rendering.pictures_of`. ``jobs`` is
    the number of parallel processes.

    Examples
    --------
    >>> from cogkit.bongard.problems import freeform
    >>> shapes_of([freeform.problem(0)], 32).shape
    (1, 2, 7, 2, 32, 32)
    """

    def draw() -> Packed:
        parts = list(rendering.by_parts(_shapes, problems, jobs, size))
        end_idle()  # processes that would keep the memory of what they drew
        return Packed.joined(parts)

    return rendering.packed(key(problems, size), (len(problems), *_LAYOUT, size, size), draw)


def key(problems: Sequence[Problem], size: int) -> str:
    """Return a unique name for these windows, which changes with the code that draws and the code that cuts."""
    return f"{rendering.key(problems, SIZE)}-{size}-{rendering.code_of('learners', 'windows.py')[:8]}"


def _shapes(problems: Sequence[Problem], size: int) -> Packed:
    parts = [records.pictures(problems[at : at + _PROBLEMS]) for at in range(0, len(problems), _PROBLEMS)]
    cuts = (cut(raster.images(pictures, SIZE), size) for pictures in parts)
    return Packed.joined([Packed.of(shapes.reshape(-1, *_LAYOUT, size, size)) for shapes in cuts])
