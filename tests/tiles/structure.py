"""The eight rules as judges of a board's structure: each decides without the table of the rule's boards.

``obeys(rule, boards)`` says for each board (n, 7, 7) whether it satisfies the rule.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

from cogkit.tiles.rules.boards import from_bits, to_bits

SIZE, FEWEST, MOST = 7, 3, 39
_ONE, _ROW = np.uint64(1), np.uint64(SIZE)


def word(tiles) -> int:
    return sum(1 << (SIZE * row + column) for row, column in set(tiles))


_CENTRES = tuple(product(range(1, 6), range(1, 6)))
_WINDOW = word(product(range(3), range(3)))


def _apart(first) -> list:
    """Return the centres whose window stands apart from the first one's by at least one row or column."""
    return [(r, c) for r, c in _CENTRES if max(abs(r - first[0]), abs(c - first[1])) >= 4]


def _corner(centre) -> int:
    """Return the tile index of the upper left corner of a centre's window."""
    return SIZE * (centre[0] - 1) + centre[1] - 1


def copy(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether two windows that stand apart are equal and hold every red."""
    words = to_bits(boards)
    window = np.uint64(_WINDOW)
    fits = np.zeros(len(words), bool)
    for centre in _CENTRES:
        for other_centre in _apart(centre):
            if other_centre > centre:
                shift, other_shift = np.uint64(_corner(centre)), np.uint64(_corner(other_centre))
                outside = words & ~(window << shift | window << other_shift)
                fits |= ((words >> shift & window) == (words >> other_shift & window)) & (outside == 0)
    return fits & (boards.sum(axis=(1, 2), dtype=np.int64) >= FEWEST)


_STEPS = 4


def symmetry(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is a mirror image that the rule can have grown.

    That is: one foremost tile, on the axis; every other one column behind a red of its own row or of the next towards
    the axis; five tiles on one side, or fewer where no more could be added.
    """
    fits = np.zeros(len(boards), bool)
    for view in (boards.astype(bool), boards.astype(bool).transpose(0, 2, 1)):
        for axis in range(1, 6):
            reach = min(axis, SIZE - 1 - axis)
            band = view[:, axis - reach : axis + reach + 1]
            is_symmetric = (band == band[:, ::-1]).all(axis=(1, 2))
            is_symmetric &= band.sum(axis=(1, 2)) == view.sum(axis=(1, 2))
            fits |= is_symmetric & _grows(band[:, reach::-1])
    reds = boards.sum(axis=(1, 2), dtype=np.int64)
    return fits & (reds >= FEWEST) & (reds <= MOST)


def _grows(half: np.ndarray) -> np.ndarray:
    """Return whether each half (n, distance from the axis, column) can be grown by the rule."""
    n, height, _ = half.shape
    behind = np.zeros((n, height, SIZE), bool)  # tiles that a red reaches
    behind[:, :, :-1] |= half[:, :, 1:]
    behind[:, 1:, :-1] |= half[:, :-1, 1:]
    size, roots = half.sum(axis=(1, 2)), half & ~behind
    one_root = (roots.sum(axis=(1, 2)) == 1) & roots[:, 0].any(axis=1)
    full = ~(behind & ~half).any(axis=(1, 2))
    return one_root & ((size == _STEPS + 1) | ((size <= _STEPS) & full))


def rectangle(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether its reds are the outline of their own bounding box."""
    place = np.arange(SIZE)
    inside, edge = [], []
    for axis in (2, 1):
        occupied = boards.any(axis=axis)
        first, last = occupied.argmax(axis=1)[:, None], SIZE - 1 - occupied[:, ::-1].argmax(axis=1)[:, None]
        inside.append((place >= first) & (place <= last) & (last > first))
        edge.append((place == first) | (place == last))
    box = inside[0][:, :, None] & inside[1][:, None, :]
    outline = box & (edge[0][:, :, None] | edge[1][:, None, :])
    return box.any(axis=(1, 2)) & (boards == outline).all(axis=(1, 2))


_SEEDS = [SIZE * r + c for r, c in product(range(2, 6), repeat=2)]
_ROUNDS = 3
_INSIDE = np.uint64(word(product(range(1, 6), range(1, 6))))


def _beside(words: np.ndarray) -> np.ndarray:
    """Return the tiles above, below, left and right of shapes that touch no edge."""
    return words << _ONE | words >> _ONE | words << _ROW | words >> _ROW


def _ring(words: np.ndarray) -> np.ndarray:
    """Return the tiles around shapes that touch no edge, corners too."""
    wide = words | words << _ONE | words >> _ONE
    return (wide | wide << _ROW | wide >> _ROW) & ~words


def connected(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is the ring round a blank shape that the rule can grow.

    From a blank seed the shape is refilled: within three steps through blank inner tiles. Only a ring that
    has a gap, a stray red or too large an inside differs from the ring round what was filled."""
    words = to_bits(boards)
    blank = ~words & _INSIDE
    fits = np.zeros(len(words), bool)
    for seed in _SEEDS:
        shape = blank & (_ONE << np.uint64(seed))
        for _ in range(_ROUNDS):
            shape |= _beside(shape) & blank
        fits |= (shape != 0) & (_ring(shape) == words)
    return fits


def pyramid(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether, turned some way, it widens by a tile a side from row to row."""
    row, column = np.indices((SIZE, SIZE))
    fits = np.zeros(len(boards), bool)
    for turns in range(4):
        turn = np.rot90(boards, turns, axes=(1, 2))
        rows = turn.any(axis=2)
        top, height = rows.argmax(axis=1), rows.sum(axis=1)
        apex = turn[np.arange(len(boards)), top].argmax(axis=1)
        down = row - top[:, None, None]
        triangle = (down >= 0) & (down < height[:, None, None]) & (abs(column - apex[:, None, None]) <= down)
        is_pyramid = (height >= 2) & (height <= 4) & (apex >= height - 1) & (apex + height <= SIZE)
        fits |= is_pyramid & (turn == triangle).all(axis=(1, 2))
    return fits


def zigzag(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether, turned some way, it is a staircase that runs to the edge."""
    row, column = np.indices((SIZE, SIZE))
    fits = np.zeros(len(boards), bool)
    for turns in range(4):
        turn = np.rot90(boards, turns, axes=(1, 2))
        top = turn.any(axis=2).argmax(axis=1)
        left = turn[np.arange(len(boards)), top].argmax(axis=1)
        step = turn[np.arange(len(boards)), :, left].sum(axis=1, dtype=np.int64) - 1
        starts = step >= 1
        step = np.where(starts, step, 1)[:, None, None]
        down, across = row - top[:, None, None], column - left[:, None, None]
        repeats = (SIZE - 1 - np.maximum(top, left))[:, None, None] // step
        # Uprights stand at every multiple of the step across, treads lie at every multiple of the step down.
        upright = (across % step == 0) & (across >= 0) & (across < repeats * step)
        upright &= (down >= across) & (down <= across + step)
        tread = (down % step == 0) & (down > 0) & (down <= repeats * step)
        tread &= (across >= down - step) & (across <= down)
        starts &= repeats.ravel() >= 1
        fits |= starts & (turn == (upright | tread)).all(axis=(1, 2))
    return fits


def _rays(row: int, column: int, steps: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """Return, for each direction, the words of the rays of 1, 2, … tiles that start beside a centre."""
    rays = []
    for down, across in steps:
        ray = [(row, column)]
        while 0 <= (r := ray[-1][0] + down) < SIZE and 0 <= (c := ray[-1][1] + across) < SIZE:
            ray.append((r, c))
        rays.append([word(ray[1 : length + 1]) for length in range(1, len(ray))])
    return rays


def cross(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is a centre and four unbroken arms, upright or diagonal."""
    words = to_bits(boards)
    fits = np.zeros(len(words), bool)
    for row, column in product(range(1, 6), repeat=2):
        upright = _rays(row, column, ((-1, 0), (1, 0), (0, -1), (0, 1)))
        falling = _rays(row, column, ((-1, -1), (1, 1)))
        rising = [ray[:3] for ray in _rays(row, column, ((-1, 1), (1, -1)))]
        for arms in (upright, falling + rising):
            remainder = words.copy()
            is_cross = (words & np.uint64(word([(row, column)]))) != 0
            for ray in arms:
                arm = words & np.uint64(ray[-1])
                is_cross &= np.isin(arm, np.array(ray, np.uint64))
                remainder &= ~arm
            fits |= is_cross & (remainder == np.uint64(word([(row, column)])))
    return fits


_LIMIT = SIZE - 1  # rows and columns 0 to 5 only
_WITHIN = np.uint64(word(product(range(_LIMIT), range(_LIMIT))))
_SOUTH, _EAST, _NORTH, _WEST = (1, 0), (0, 1), (-1, 0), (0, -1)
_ALL = (_SOUTH, _EAST, _NORTH, _WEST)

Direction = tuple[int, int]
Node = tuple[int, int, frozenset[Direction]]  # row, column, and the directions it may grow in


@cache
def _clearance(row: int, column: int, direction: Direction) -> int:
    """Return the tiles that must be blank for a step: its target and two beside it; 0 if off the board."""
    down, across = direction
    row, column = row + down, column + across
    if not (0 <= row < _LIMIT and 0 <= column < _LIMIT):
        return 0
    side = [(row + k * across, column + k * down) for k in (-1, 0, 1)]
    return word((r, c) for r, c in side if 0 <= r < SIZE and 0 <= c < SIZE)


def _growable(reds: int, node: Node) -> list[Direction]:
    """Return the directions in which a node can grow."""
    row, column, directions = node
    return [d for d in directions if (clear := _clearance(row, column, d)) and not reds & clear]


def _pairs(free: list[Direction]) -> list[tuple[Direction, Direction]]:
    """Return the pairs of directions that a node may grow in: both of two, or any at right angles of more."""
    pairs = list(combinations(free, 2))
    return pairs if len(free) == 2 else [(a, b) for a, b in pairs if a[0] * b[0] + a[1] * b[1] == 0]


def _children(node: Node, pair: tuple[Direction, Direction]) -> tuple[Node, Node]:
    """Return a node's two children: each may go straight on, or turn away from its sibling."""
    (row, column, _), (left, right) = node, pair
    return tuple((row + d[0], column + d[1], frozenset({d, (-s[0], -s[1])})) for d, s in ((left, right), (right, left)))  # type: ignore[return-value]


def tree(boards: np.ndarray, tree_root_children_open: bool = False) -> np.ndarray:
    """Return for each board (n, 7, 7) whether the rule can derive it, found by searching for a derivation.

    Parameters
    ----------
    boards
        The boards.
    tree_root_children_open
        As in `support`."""
    words, places = np.unique(to_bits(boards), return_inverse=True)
    reds = from_bits(words).sum(axis=(1, 2))
    # Cheap conditions first, so that the search sees few boards: an odd number of reds, in one piece.
    likely = (reds % 2 == 1) & (reds >= 5) & (words & ~_WITHIN == 0)
    likely[likely] = _in_one_piece(words[likely])
    verdicts = [_derivable(int(board), tree_root_children_open) for board in words[likely]]
    likely[likely] = verdicts
    return likely[places]


def _in_one_piece(words: np.ndarray) -> np.ndarray:
    """Return whether the reds of boards within `_WITHIN` are connected by their sides."""
    column_step, row_step = np.uint64(1), np.uint64(SIZE)
    piece, before = words & (~words + column_step), np.zeros_like(words)
    while (piece != before).any():
        before = piece
        piece = (piece | piece << column_step | piece >> column_step | piece << row_step | piece >> row_step) & words
    return piece == words


def _derivable(board: int, tree_root_children_open: bool) -> bool:
    """Return whether some root can grow into the board so that no node has to grow further.

    The search decides only at the end whether a child closed: a child that grew did not close; any other
    child may have closed, unless the rule forbids it.
    """
    seeds = [(r, c) for r, c in product(range(2, 6), repeat=2) if board & word([(r, c)])]
    roots = {(r, c, frozenset(_ALL)) for r, c in seeds}
    stack = [(word([root[:2]]), frozenset({root}), frozenset[Node]()) for root in roots]
    visits = set(stack)
    while stack:
        reds, nodes, bound = stack.pop()
        free = {node: directions for node in nodes if len(directions := _growable(reds, node)) >= 2}
        if reds == board and not free.keys() & bound:
            return True
        for node, directions in free.items():
            for pair in _pairs(directions):
                left, right = _children(node, pair)
                after = reds | word((left[:2], right[:2]))
                bonds: list[set[Node]] = [set()]
                if node in roots and tree_root_children_open:
                    bonds = [{left, right}]
                elif node in roots and node[0] == node[1]:
                    bonds = [{left}, {right}]
                for new in bonds if after & ~board == 0 else []:
                    state = after, frozenset(free.keys() - {node} | {left, right}), bound | new
                    if state not in visits:
                        visits.add(state)
                        stack.append(state)
    return False


JUDGES = {judge.__name__: judge for judge in (copy, symmetry, rectangle, connected, tree, pyramid, cross, zigzag)}


def obeys(rule: str, boards: np.ndarray, **options) -> np.ndarray:
    return JUDGES[rule](boards, **options)
