"""The rules whose boards grow from one tile: symmetry, connected and tree (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import FEWEST, MOST, Draws, Table, Tile, enumerated, frozen, word
from cogkit.tiles.rules.support import merge

_STEPS = 4  # of symmetry
_ROUNDS = 3  # of connected
_ONE, _ROW = np.uint64(1), np.uint64(SIZE)
_LIMIT = SIZE - 1  # a tree has rows and columns 0 to 5 only

Direction = tuple[int, int]
Node = tuple[int, int, frozenset[Direction]]  # row, column, and the directions it may grow in


@enumerated
def symmetry() -> Draws:
    """Return the 834 boards of *symmetry* and their probabilities: a shape of 4 to 9 reds and its mirror image.

    From one tile on an axis (row or column 1 to 5) the shape grows in four steps, always one column further on and on
    the same row or the next away from the axis; a tile that two reds reach is twice as likely. It stops early where
    nothing can be added.
    """
    for axis in range(1, 6):
        for half, chance in _halves(axis).items():
            tiles = half | {(2 * axis - r, c) for r, c in half}
            yield word(tiles), chance / 10
            yield word((c, r) for r, c in tiles), chance / 10


def _halves(axis: int) -> dict[frozenset[Tile], Fraction]:
    """Return every half that can grow above and on one row axis, with its chance."""
    level = {frozenset({(axis, column)}): Fraction(1, SIZE) for column in range(SIZE)}
    for _ in range(_STEPS):
        next_level: dict[frozenset[Tile], Fraction] = defaultdict(Fraction)
        for half, chance in level.items():
            entries = [  # one for each red that reaches the tile
                (r, c - 1)
                for row, c in half
                for r in (row - 1, row)
                if c > 0 and 0 <= r and 2 * axis - r < SIZE and (r, c - 1) not in half
            ]
            for grown in [half | {tile} for tile in entries] or [half]:
                next_level[grown] += chance / max(1, len(entries))
        level = next_level
    return level


def mirrored(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is any mirror image of 3 to 39 reds about row or column 1 to 5.

    Examples
    --------
    >>> mirrored(np.eye(7)[None]), mirrored(np.ones((1, 7, 5)) @ np.eye(5, 7))
    (array([False]), array([ True]))
    """
    reds = boards.sum(axis=(1, 2), dtype=np.int64)
    fits = np.zeros(len(boards), bool)
    for view, axis in product((boards, boards.transpose(0, 2, 1)), range(1, 6)):
        reach = min(axis, SIZE - 1 - axis)
        band = view[:, axis - reach : axis + reach + 1]
        fits |= (band == band[:, ::-1]).all(axis=(1, 2)) & (band.sum(axis=(1, 2)) == reds)
    return fits & (reds >= FEWEST) & (reds <= MOST)


@cache
def connected() -> Table:
    """Return the 155,284 boards of *connected* and their probabilities: a closed ring of reds round one blank shape.

    A blank tile at rows and columns 2 to 5 grows for one, two or three rounds within rows and columns 1 to 5; the ring
    of 8 to 30 reds is every other tile around the shape, holes included. Rings sit a little to the lower right, as in
    the original. The first call takes half a second.
    """
    rounds = []
    for row, column in product(range(2, 6), repeat=2):  # one at a time: all together would need four times the memory
        shapes, chance = np.array([word([(row, column)])], np.uint64), np.array([1 / (16 * _ROUNDS)])
        for _ in range(_ROUNDS):
            shapes, chance = _grow(shapes, chance)
            rounds.append((shapes, chance))
    shapes, chance = merge(*(np.concatenate(part) for part in zip(*rounds, strict=True)))
    wide = shapes | shapes << _ONE | shapes >> _ONE
    bits, probability = merge((wide | wide << _ROW | wide >> _ROW) & ~shapes, chance)
    return frozen(bits, probability / probability.sum())


def _grow(shapes: np.ndarray, chance: np.ndarray) -> Table:
    """Return the shapes after one round: a tile beside k tiles of a shape joins with chance 1 - 1/2^k."""
    before, after = shapes, shapes
    for row, column in product(range(1, 6), repeat=2):
        tile = SIZE * row + column
        neighbours = sum((before >> np.uint64(tile + step)) & _ONE for step in (1, -1, SIZE, -SIZE))
        neighbours[(before >> np.uint64(tile)) & _ONE == 1] = 0
        candidates = neighbours > 0
        stay = chance * 0.5**neighbours
        before = np.append(before, before[candidates])
        after = np.append(after, after[candidates] | _ONE << np.uint64(tile))
        chance = np.append(stay, (chance - stay)[candidates])
    return merge(after, chance)


_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)
_FREELY = dict.fromkeys(product((True, False), repeat=2), _QUARTER)  # whether each child stays open
_FIRST_OPEN = {(True, True): _HALF, (True, False): _QUARTER, (False, True): _QUARTER}
_BOTH_OPEN = {(True, True): Fraction(1)}


@enumerated
def tree(tree_root_children_open: bool = False) -> Draws:
    """Return the 237 boards of *tree*, of 5 to 15 reds, and their probabilities: each node has two children or none.

    An open node with two free directions grows two children, each closed by the toss of a coin. This
    repeats until no open node can grow.

    Parameters
    ----------
    tree_root_children_open : bool
        False: as published. By a slip in the original, the first child (in random order) of a root on
        the main diagonal never closes. True: the children of a root never close, which seems to have been
        meant: 147 boards, that lack seven of the published 25.

    Examples
    --------
    >>> len(tree()[0]), len(tree(tree_root_children_open=True)[0])
    (237, 147)
    """
    anywhere = frozenset({(1, 0), (0, 1), (-1, 0), (0, -1)})
    level: dict[tuple[int, frozenset[Node]], Fraction] = {}
    for row, column in product(range(2, 6), repeat=2):
        level[word([(row, column)]), frozenset({(row, column, anywhere)})] = Fraction(1, 16)
    root = True
    while level:
        next_level: dict[tuple[int, frozenset[Node]], Fraction] = defaultdict(Fraction)
        for (reds, nodes), chance in level.items():
            free = {node: pairs for node in nodes if (pairs := _pairs(reds, node))}
            if not free and reds.bit_count() > 3:  # three reds are drawn again here; the common limits would allow them
                yield reds, chance
            for node, pairs in free.items():
                stay_open = _FREELY
                if root and (tree_root_children_open or node[0] == node[1]):
                    stay_open = _BOTH_OPEN if tree_root_children_open else _FIRST_OPEN
                for (left, right), (states, odds) in product(pairs, stay_open.items()):
                    children = _child(node, left, right), _child(node, right, left)
                    after = reds | word(child[:2] for child in children)
                    open_children = {child for child, is_open in zip(children, states, strict=True) if is_open}
                    state = after, frozenset(free.keys() - {node} | open_children)
                    next_level[state] += chance * odds / (len(free) * len(pairs))
        level, root = next_level, False


def _pairs(reds: int, node: Node) -> list[tuple[Direction, Direction]]:
    """Return the pairs of free directions that a node may grow in: both of two, or any at right angles of more."""
    row, column, directions = node
    pairs = list(combinations([d for d in directions if not reds & _clearance(row, column, d)], 2))
    return pairs if len(pairs) == 1 else [(a, b) for a, b in pairs if a[0] * b[0] + a[1] * b[1] == 0]


@cache
def _clearance(row: int, column: int, direction: Direction) -> int:
    """Return the tiles that must be blank for a step: its target and two beside it; all if that is off the board."""
    down, across = direction
    row, column = row + down, column + across
    if not (0 <= row < _LIMIT and 0 <= column < _LIMIT):
        return -1
    side = [(row + k * across, column + k * down) for k in (-1, 0, 1)]
    return word((r, c) for r, c in side if 0 <= r < SIZE and 0 <= c < SIZE)


def _child(node: Node, direction: Direction, sibling: Direction) -> Node:
    """Return a child of a node, which may go straight on, or turn away from its sibling."""
    (row, column, _), (down, across) = node, direction
    return row + down, column + across, frozenset({direction, (-sibling[0], -sibling[1])})
