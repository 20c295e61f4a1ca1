"""Pictures compressed in memory: line drawings are mostly paper, so they shrink to a fiftieth."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from cogkit.bongard.problems import rendering
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem

PLENTY = 2 * 2**30  # bytes of pictures that are held without compression
_LEVEL = 1  # the fastest


class Packed:
    """Pictures as an array (..., size, size) uint8; a slice or numbers select rows.

    Parameters
    ----------
    deflated : ndarray of object
        The compressed pictures, in the shape of the array that they stand for.
    size : int
        Pixels a side.

    Examples
    --------
    >>> held = Packed.of(np.full((3, 2, 7, 32, 32), 255, np.uint8))
    >>> held[[2, 0]].shape, held.flat[5:9].shape
    ((2, 2, 7, 32, 32), (4, 32, 32))
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, deflated: np.ndarray, size: int) -> None:
        self._deflated, self._size = deflated, size
        self.shape = (*deflated.shape, size, size)

    @classmethod
    def of(cls, pictures: np.ndarray) -> Packed:
        """Return pictures in compressed form."""
        flat = pictures.reshape(-1, *pictures.shape[-2:])
        chunks = np.empty(len(flat), object)
        chunks[:] = [zlib.compress(picture.tobytes(), _LEVEL) for picture in flat]
        return cls(chunks.reshape(pictures.shape[:-2]), pictures.shape[-1])

    @property
    def flat(self) -> Packed:
        """The same pictures in one row, (n, size, size)."""
        return Packed(self._deflated.reshape(-1), self._size)

    def __len__(self) -> int:
        return len(self._deflated)

    def __getitem__(self, rows) -> np.ndarray:
        chunks = self._deflated[rows]
        content = bytearray().join(map(zlib.decompress, np.ravel(chunks)))  # so that the result is writable
        return np.frombuffer(content, np.uint8).reshape(*np.shape(chunks), self._size, self._size)


def pictures_of(problems: Sequence[Problem], size: int, jobs: int | None = 1) -> np.ndarray | Packed:
    """Return the pictures of some problems, (n, 2, 7, size, size) uint8, packed if they take more than `PLENTY`.

    Parameters
    ----------
    problems : sequence of Problem
    size : int
        Pixels a side.
    jobs : int, optional
        As in `rendering.rendered`.
    """
    if len(problems) * len(SIDES) * A_SIDE * size**2 <= PLENTY:
        return rendering.rendered(problems, size, jobs=jobs)
    return Packed(np.concatenate(rendering.by_parts(_pack, problems, jobs, size)), size)


def _pack(problems: Sequence[Problem], size: int) -> np.ndarray:
    return Packed.of(rendering.rendered(problems, size, keep=False))._deflated
