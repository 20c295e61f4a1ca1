"""Many pictures in little memory: line drawings are mostly paper, so compressed they shrink to a fiftieth."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from math import prod

import numpy as np

_LEVEL = 1  # the fastest


class Packed:
    """Compressed pictures that are read like an array (..., size, size) uint8; a slice or numbers select rows.

    ``content`` has the compressed pictures, one after the other. ``bounds`` (n + 1,) say where in it each begins, and
    the last ends. ``places`` are the numbers of the pictures, in the shape of the array that they stand for; ``size``
    is pixels a side.

    Examples
    --------
    >>> held = Packed.of(np.full((3, 2, 7, 32, 32), 255, np.uint8))
    >>> held[[2, 0]].shape, held.flat[5:9].shape
    ((2, 2, 7, 32, 32), (4, 32, 32))
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, content: np.ndarray, bounds: np.ndarray, places: np.ndarray, size: int) -> None:
        self._content, self._bounds, self._places, self._size = content, bounds, places, size
        self.shape = (*places.shape, size, size)

    @classmethod
    def of(cls, pictures: np.ndarray) -> Packed:
        """Return pictures in compressed form."""
        size, shape = pictures.shape[-1], pictures.shape[:-2]
        chunks = [zlib.compress(picture.tobytes(), _LEVEL) for picture in pictures.reshape(-1, size, size)]
        bounds = np.cumsum([0, *map(len, chunks)])
        return cls(np.frombuffer(b"".join(chunks), np.uint8), bounds, np.arange(len(chunks)).reshape(shape), size)

    @classmethod
    def joined(cls, parts: Sequence[Packed]) -> Packed:
        """Return the rows of several in one."""
        content = np.concatenate([part._content for part in parts])
        bounds = np.cumsum([0, *(length for part in parts for length in np.diff(part._bounds))])
        places = np.arange(len(bounds) - 1).reshape(-1, *parts[0]._places.shape[1:])
        return cls(content, bounds, places, parts[0]._size)

    @classmethod
    def restored(cls, record: np.ndarray, shape: tuple[int, ...]) -> Packed | None:
        """Return pictures of a shape from their `record`, or None if it is not whole.

        A record that is memory-mapped stays on the disk: only the pictures that are read take memory.
        """
        *rows, size = shape[:-1]
        count, held = prod(rows), np.asarray(record)
        if len(held) < 8 * (count + 2) or zlib.crc32(held[8:].data) != int.from_bytes(held[:8].tobytes(), "little"):
            return None
        bounds, content = np.frombuffer(held[8 : 8 * (count + 2)].tobytes(), "<i8"), held[8 * (count + 2) :]
        return cls(content, bounds, np.arange(count).reshape(rows), size) if bounds[-1] == len(content) else None

    @property
    def record(self) -> np.ndarray:
        """All of it as one row of bytes, for a file: a checksum, the bounds, the content."""
        bounds = self._bounds.astype("<i8").view(np.uint8)
        record = np.concatenate([np.zeros(8, np.uint8), bounds, self._content])
        record[:8] = np.frombuffer(zlib.crc32(record[8:].data).to_bytes(8, "little"), np.uint8)
        return record

    @property
    def flat(self) -> Packed:
        """The pictures of all problems in one row: (n, 2, 7, ..., size, size) as (n · 14, ..., size, size)."""
        return Packed(self._content, self._bounds, self._places.reshape(-1, *self._places.shape[3:]), self._size)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, rows) -> np.ndarray:
        places = self._places[rows]
        content = bytearray()  # so that the result is writable
        for k in places.flat:
            content += zlib.decompress(self._content[self._bounds[k] : self._bounds[k + 1]].data)
        return np.frombuffer(content, np.uint8).reshape(*places.shape, self._size, self._size)
