"""What a learner sees of problems: pixels, programs or attributes, and nothing that names the concept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogkit.bongard.logo.pictures import Picture, Placed
from cogkit.bongard.problems import rendering
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SIDES, SUPPORT, Problem, pictures
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes
from cogkit.core.errors import InputError

INPUTS = ("pixels", "programs", "symbols")
_MOST = 64  # problems shown at once
_BYTES = 2**26  # size limit of a batch of questions


class Showing:
    """Problems as one kind of input, a batch at a time.

    ``inputs`` is one of `INPUTS`. ``images`` (n, 2, 7, size, size) uint8 are the pictures, if they are drawn already;
    or what the learner made of each picture, (n, 2, 7, *input_shape), if it takes arrays of ``input_shape`` in place
    of pixels. ``known`` are the shapes that give the labels for ``symbols``; by default those of `inventory.available`.
    """

    def __init__(
        self, problems: Sequence[Problem], inputs: str, size: int, images: np.ndarray | Packed | None,
        known: Shapes | None, input_shape: tuple[int, ...] | None = None,
    ) -> None:  # fmt: skip
        self.problems, self.inputs, self.size = problems, inputs, size
        if inputs == "symbols":
            self.known = known or inventory.available()
        if inputs == "pixels":
            shape = (len(problems), len(SIDES), A_SIDE, size, size)
            self.images = rendering.pictures_of(problems, size) if images is None else images
            made = input_shape is not None and self.images.shape == (*shape[:3], *input_shape)
            if not made and (self.images.shape != shape or self.images.dtype != np.uint8):
                got = f"images of shape {self.images.shape} and type {self.images.dtype}"
                raise InputError(got, f"{shape} of uint8")

    @property
    def at_once(self) -> int:
        """Most problems in a batch: each has two questions of thirteen pictures."""
        if self.inputs != "pixels":
            return _MOST
        return max(1, min(_MOST, _BYTES // (2 * (2 * SUPPORT + 1) * self.size**2)))

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return the input of some problems, (n, 2, 7, ...), as a copy."""
        if self.inputs == "pixels":
            return np.array(self.images[rows])
        drawings = pictures([self.problems[row] for row in rows])
        if self.inputs == "symbols":
            return self._labels(drawings).reshape(len(rows), len(SIDES), A_SIDE, -1)
        programs = np.empty(len(drawings), object)
        for k, picture in enumerate(drawings):  # one by one, since numpy would read tuples of equal length as rows
            programs[k] = tuple(Placed(placed.program) for placed in picture)  # without names and places
        return programs.reshape(len(rows), len(SIDES), A_SIDE)

    def _labels(self, drawn: list[Picture]) -> np.ndarray:
        """Return the attributes of pictures of one known shape, (n, 26); -1 for any other picture."""
        table = np.vstack([self.known.table, np.full((1, len(ATTRIBUTES)), -1, np.int8)])
        row_of = {shape.name: row for row, shape in enumerate(self.known)}
        names = [picture[0].name if len(picture) == 1 else "" for picture in drawn]
        for name in filter(None, names):
            self.known[name]  # raises an error that names one that is unknown
        return table[[row_of.get(name, len(row_of)) for name in names]]
