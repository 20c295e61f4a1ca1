"""First, second and third order statistics of boards (Kumar et al. 2023, "Statistics of the task metamers").

The original program holds none of this: the text alone says what is counted. Its triples, "a tile, its neighbour and
its neighbour's neighbour", can be read in two ways; both are here.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from cogkit.tiles.rules.boards import SIZE, TILES

ORDERS = ("first", "second", "third straight", "third paths")
PAIRS = 2 * SIZE * (SIZE - 1)  # 84 horizontal and vertical neighbours
STRAIGHT = 2 * SIZE * (SIZE - 2)  # 70 triples in a row or column
BENT = 4 * (SIZE - 1) ** 2  # 144 triples round a corner


def orders(boards) -> pd.DataFrame:
    """Return the statistics of boards, one row each and a column for each of `ORDERS`, int64.

    Boards (n, 7, 7) may have any number of reds, none included: chains have such.

    first: red minus blue tiles. second: of the 84 pairs of neighbours, those of one colour minus the others. third
    straight: of the 70 triples in a row or column, those of one colour minus the others. third paths: the same over all
    214 paths of two steps, straight ones and those round a corner.

    Examples
    --------
    >>> orders(np.eye(7)[None]).iloc[0].tolist()
    [-35, 36, 10, 46]
    """
    boards = np.asarray(boards)
    across, down = boards[:, :, 1:] == boards[:, :, :-1], boards[:, 1:] == boards[:, :-1]
    pairs = _count(across) + _count(down)
    straight = _count(across[:, :, 1:] & across[:, :, :-1]) + _count(down[:, 1:] & down[:, :-1])
    # Round a corner: a step across and a step down that share a tile, which is any of the four of a 2×2 window.
    rows, sides = (across[:, 1:], across[:, :-1]), (down[:, :, 1:], down[:, :, :-1])
    bent = sum(_count(row & side) for row, side in product(rows, sides))
    columns = (
        2 * np.count_nonzero(boards, axis=(1, 2)) - TILES,
        2 * pairs - PAIRS,
        2 * straight - STRAIGHT,
        2 * (straight + bent) - STRAIGHT - BENT,
    )
    return pd.DataFrame(dict(zip(ORDERS, columns, strict=True)))


def _count(true: np.ndarray) -> np.ndarray:
    return np.count_nonzero(true, axis=(1, 2))
