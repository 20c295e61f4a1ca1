"""A board in words: names of tiles, and the grid as signs."""

from __future__ import annotations

from string import ascii_uppercase

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.game import BLUE, COVERED, RED

COLUMNS = ascii_uppercase[:SIZE]
NAMES = tuple(f"{column}{row + 1}" for row in range(SIZE) for column in COLUMNS)
"""The name of each tile: its column and its row, as in A1 for the tile at the top left."""
NAMING = (
    f"The name of a tile is its column, {COLUMNS[0]} to {COLUMNS[-1]} from left to right, and its row, 1 to {SIZE} "
    f"from top to bottom: {NAMES[0]} is at the top left."
)
LEGEND = 'In the grid, "." is a covered tile, "R" is an open red tile, and "B" is an open blue tile.'
_SIGNS = {COVERED: ".", RED: "R", BLUE: "B"}


def grid(board: np.ndarray) -> str:
    """Return a view of one board, (49,), as text.

    Examples
    --------
    >>> print(grid(np.array([1, 0] + [-1] * 47))[:29])
      A B C D E F G
    1 R B . . . .
    """
    lines = [" ".join(_SIGNS[int(state)] for state in row) for row in board.reshape(SIZE, SIZE)]
    return "\n".join([f"  {' '.join(COLUMNS)}", *(f"{row} {line}" for row, line in enumerate(lines, 1))])
