"""Programs as arrays of tokens, for networks that name them: the published numbers, with three decimals.

A picture is one sequence: ``start``, the actions of its first shape, then for a second shape ``and`` with its actions,
``stop``, and ``pad`` up to the end. An action has a kind, a stroke type and two numbers. An arc has three, since it
includes the radius, which the originals left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import TYPES, Action, Arc, write

KINDS = ("pad", "start", "line", "arc", "and", "stop")
PAD, START, LINE, ARC, AND, STOP = range(len(KINDS))
SLOTS = ("size", "sweep", "turn")  # size is the length of a line or the radius of an arc; a line has no sweep
LENGTH = 21  # start, nine actions, and, nine actions, stop
_LEAST = 0.001  # a size written as 0.000 could not be read


@dataclass(frozen=True, eq=False)
class Tokens:
    """The programs of n pictures, as arrays or as tensors of the same shapes.

    Attributes
    ----------
    kinds : (n, 21)
        Index into `KINDS`.
    types : (n, 21)
        Index into `programs.TYPES`; 0 where there is no action.
    numbers : (n, 21, 3)
        A number for each of `SLOTS`, as published: angles as shares of their range. 0 where there is no number.
    """

    kinds: np.ndarray
    types: np.ndarray
    numbers: np.ndarray

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, rows) -> Tokens:
        return Tokens(self.kinds[rows], self.types[rows], self.numbers[rows])


def encode(pictures: Sequence[Picture]) -> Tokens:
    """Return the tokens of pictures from the programs of their shapes; numbers are rounded as in the published strings.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import parse_program
    >>> tokens = encode([[Placed(parse_program(["line_zigzag_1.000-0.500", "arc_normal_0.500_0.625-0.750"]))]])
    >>> tokens.kinds[0, :5].tolist(), tokens.numbers[0, 2].round(3).tolist()
    ([1, 2, 3, 5, 0], [0.5, 0.625, 0.75])
    """
    places, actions = [], []
    kinds = np.zeros((len(pictures), LENGTH), np.uint8)
    for row, picture in enumerate(pictures):
        position = 0
        for placed, before in zip(picture, (START, AND), strict=False):
            kinds[row, position] = before
            places += [(row, position + k) for k, _ in enumerate(placed.program, start=1)]
            actions += placed.program
            position += 1 + len(placed.program)
        kinds[row, position] = STOP
    types, numbers = np.zeros(kinds.shape, np.uint8), np.zeros((*kinds.shape, len(SLOTS)), np.float32)
    if actions:
        rows, positions = np.array(places).T
        kinds[rows, positions] = [ARC if isinstance(action, Arc) else LINE for action in actions]
        types[rows, positions] = [TYPES.index(action.type) for action in actions]
        numbers[rows, positions] = [_shares(action) for action in actions]
    return Tokens(kinds, types, numbers)


def _shares(action: Action) -> tuple[float, float, float]:
    """Return size, sweep and turn from the published string, since only `programs.write` rounds numbers."""
    size, *sweep, turn = write(action).split("_", 2)[2].replace("-", "_").split("_")
    return max(float(size), _LEAST), float(sweep[0]) if sweep else 0.0, float(turn)
