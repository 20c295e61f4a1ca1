"""Tree: a branching shape whose nodes have two children each (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from cogkit.tiles.rules.boards import SIZE, from_bits, to_bits
from cogkit.tiles.rules.enumeration import table, word

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


_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)
_FREELY = dict.fromkeys(product((True, False), repeat=2), _QUARTER)  # whether each child stays open
_FIRST_OPEN = {(True, True): _HALF, (True, False): _QUARTER, (False, True): _QUARTER}
_BOTH_OPEN = {(True, True): Fraction(1)}


def _draws(tree_root_children_open: bool) -> Iterator[tuple[int, Fraction]]:
    level: dict[tuple[int, frozenset[Node]], Fraction] = {}
    for row, column in product(range(2, 6), repeat=2):
        level[word([(row, column)]), frozenset({(row, column, frozenset(_ALL))})] = Fraction(1, 16)
    root = True
    while level:
        next_level: dict[tuple[int, frozenset[Node]], Fraction] = defaultdict(Fraction)
        for (reds, nodes), chance in level.items():
            free = {node: directions for node in nodes if len(directions := _growable(reds, node)) >= 2}
            if not free and reds.bit_count() > 3:  # three reds are drawn again here; the common limits would allow them
                yield reds, chance
            for node, directions in free.items():
                stay_open = _FREELY
                if root and (tree_root_children_open or node[0] == node[1]):
                    stay_open = _BOTH_OPEN if tree_root_children_open else _FIRST_OPEN
                pairs = _pairs(directions)
                for pair, (states, odds) in product(pairs, stay_open.items()):
                    children = _children(node, pair)
                    open_children = {child for child, is_open in zip(children, states, strict=True) if is_open}
                    after = reds | word(child[:2] for child in children)
                    next_level[after, frozenset(free.keys() - {node} | open_children)] += (
                        chance * odds / (len(free) * len(pairs))
                    )
        level, root = next_level, False


@cache
def support(tree_root_children_open: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the 237 trees of 5 to 15 reds and their probabilities.

    An open node with two free directions grows two children, each closed by the toss of a coin. This
    repeats until no open node can grow.

    Parameters
    ----------
    tree_root_children_open
        False: as published. By a slip in the original, the first child (in random order) of a root on
        the main diagonal never closes. True: the children of a root never close, which seems to have been
        meant: 147 boards, that lack seven of the published 25.

    Examples
    --------
    >>> len(support()[0]), len(support(tree_root_children_open=True)[0])
    (237, 147)
    """
    return table(_draws(tree_root_children_open))


def check(boards: np.ndarray, tree_root_children_open: bool = False) -> np.ndarray:
    """Return for each board (n, 7, 7) whether the rule can derive it, found by searching for a derivation.

    Parameters
    ----------
    boards
        The boards.
    tree_root_children_open
        As in `support`.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, [2, 3, 2, 2, 1], [3, 3, 4, 5, 4]] = 1
    >>> check(board), check(1 - board)
    (array([ True]), array([False]))
    """
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
