"""The eight rules as plain Python draws them, one board at a time, written from the facts and from nothing in cogkit.

Slow on purpose: no tables, no bit words. A rule makes one attempt at a board: the set of its red (row, column) tiles,
or nothing where the facts have it drawn again. `draw` attempts until there is one; `distribution` goes through every
attempt that there can be.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from random import Random

Board = set[tuple[int, int]]


def copy(rng: Random) -> Board | None:
    bits = [rng.randrange(2) for _ in range(9)]
    first = rng.randint(1, 5), rng.randint(1, 5)
    far = [(r, c) for r in range(1, 6) for c in range(1, 6) if abs(r - first[0]) >= 4 or abs(c - first[1]) >= 4]
    if not any(bits) or not far:
        return None
    second = rng.choice(far)
    offsets = list(itertools.product((-1, 0, 1), (-1, 0, 1)))
    return {(r + dr, c + dc) for r, c in (first, second) for bit, (dr, dc) in zip(bits, offsets, strict=True) if bit}


def symmetry(rng: Random) -> Board | None:
    axis, by_row = rng.randint(1, 5), rng.randrange(2)
    board = {(axis, rng.randint(0, 6))}
    for _ in range(4):
        entries = []
        for r, c in board:
            if r <= axis:
                for new in ((r - 1, c - 1), (r, c - 1)):
                    inside = new[0] >= 0 and new[1] >= 0 and axis + abs(new[0] - axis) <= 6
                    if inside and new not in board:
                        entries.append(new)
        if not entries:
            break
        r, c = rng.choice(sorted(entries))
        board |= {(r, c), (axis + abs(r - axis), c)}
    if 3 <= len(board) <= 14:
        return board if by_row else {(c, r) for r, c in board}
    return None


def rectangle(rng: Random) -> Board | None:
    (r1, c1), (r2, c2) = [(rng.randint(0, 6), rng.randint(0, 6)) for _ in range(2)]
    if r1 == r2 or c1 == c2:
        return None
    rows, columns = range(min(r1, r2), max(r1, r2) + 1), range(min(c1, c2), max(c1, c2) + 1)
    return {(r, c) for r in rows for c in columns if r in (r1, r2) or c in (c1, c2)}


def connected(rng: Random) -> Board:
    interior = {(rng.randint(2, 5), rng.randint(2, 5))}
    for _ in range(rng.randint(1, 3)):
        neighbours = [(r + dr, c + dc) for r, c in interior for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        blank = [t for t in neighbours if t not in interior and 1 <= t[0] <= 5 and 1 <= t[1] <= 5]
        interior |= {tile for tile in sorted(blank) if rng.random() < 0.5}
    around = {(r + dr, c + dc) for r, c in interior for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
    return around - interior


def tree(rng: Random, root_children_open: bool = False) -> Board | None:
    compass = {"S": (1, 0), "E": (0, 1), "N": (-1, 0), "W": (0, -1)}
    opposite = {"S": "N", "N": "S", "E": "W", "W": "E"}
    root = rng.randint(2, 5), rng.randint(2, 5)
    board, may_grow = {root}, {root: "SENW"}

    def free(node):
        choices = []
        for d in may_grow[node]:
            dr, dc = compass[d]
            r, c = node[0] + dr, node[1] + dc
            sides = [(r, c), (r + dc, c + dr), (r - dc, c - dr)]
            if r in range(6) and c in range(6) and not any(tile in board for tile in sides):
                choices.append(d)
        return choices

    while eligible := [node for node in may_grow if len(free(node)) >= 2]:
        node = rng.choice(eligible)
        directions = free(node)
        pairs = list(itertools.combinations(directions, 2))
        if len(directions) > 2:
            pairs = [(a, b) for a, b in pairs if opposite[a] != b]
        pair = list(rng.choice(pairs))
        rng.shuffle(pair)
        del may_grow[node]
        for order, (d, other) in enumerate((tuple(pair), tuple(pair[::-1]))):
            child = node[0] + compass[d][0], node[1] + compass[d][1]
            board.add(child)
            stays = node == root and (root_children_open or (order == 0 and root[0] == root[1]))
            if stays or rng.random() < 0.5:
                may_grow[child] = d + opposite[other]
    return board if len(board) > 3 else None


def _rotated(board: Board, rng: Random) -> Board:
    for _ in range(rng.randrange(4)):
        board = {(c, 6 - r) for r, c in board}
    return board


def pyramid(rng: Random) -> Board:
    row, column = rng.randint(1, 6), rng.randint(1, 5)
    widths = [3]
    if row >= 2 and 2 <= column <= 4:
        widths.append(5)
    if row >= 3 and column == 3:
        widths.append(7)
    width, board, left = rng.choice(widths), set(), column
    left = column - width // 2
    while width > 0:
        board |= {(row, left + k) for k in range(width)}
        row, left, width = row - 1, left + 1, width - 2
    return _rotated(board, rng)


def cross(rng: Random) -> Board:
    if rng.randrange(2):
        row, a = rng.randint(1, 5), rng.randint(0, 6)
        b = rng.choice([end for end in range(7) if abs(a - end) > 1])
        column = rng.randint(min(a, b) + 1, max(a, b) - 1)
        top, bottom = rng.randint(0, row - 1), rng.randint(row + 1, 6)
        return {(row, c) for c in range(min(a, b), max(a, b) + 1)} | {(r, column) for r in range(top, bottom + 1)}
    start = rng.randint(0, 4), rng.randint(0, 4)
    length = rng.randint(3, 7 - max(start))
    bar = [(start[0] + k, start[1] + k) for k in range(length)]
    r, c = rng.choice(bar[1:-1])
    board = set(bar)
    for dr, dc in ((-1, 1), (1, -1)):
        board.add((r + dr, c + dc))
        for k in (2, 3):
            tile = r + k * dr, c + k * dc
            if not (0 <= tile[0] <= 6 and 0 <= tile[1] <= 6) or rng.randrange(2):
                break
            board.add(tile)
    return board


def zigzag(rng: Random) -> Board:
    r, c = rng.randint(0, 5), rng.randint(0, 5)
    step = rng.randint(1, 6 - max(r, c))
    board = {(r, c)}
    while r + step <= 6 and c + step <= 6:
        for dr, dc in ((1, 0), (0, 1)):
            for _ in range(step):
                r, c = r + dr, c + dc
                board.add((r, c))
    return _rotated(board, rng)


_RULES = {
    "copy": copy, "symmetry": symmetry, "rectangle": rectangle, "connected": connected,
    "tree": tree, "pyramid": pyramid, "cross": cross, "zigzag": zigzag,
}  # fmt: skip


def draw(rule: str, rng: Random, **options) -> Board:
    """Return one board under the common wrapper: drawn again until it has 3 to 39 reds."""
    while True:
        board = _RULES[rule](rng, **options)
        if board is not None and 3 <= len(board) < 40:
            return board


class Every(Random):
    """Chooses as it is told, the first of all where it is told no more, and knows what the other choices are."""

    def __init__(self, prefix: tuple[int, ...]) -> None:
        super().__init__()
        self.prefix, self.chance, self.others, self.made = prefix, 1.0, [], ()

    def randrange(self, n: int) -> int:
        if len(self.made) < len(self.prefix):
            chosen = self.prefix[len(self.made)]
        else:
            chosen = 0
            self.others += [(*self.made, other) for other in range(1, n)]
        self.made, self.chance = (*self.made, chosen), self.chance / n
        return chosen

    def randint(self, a: int, b: int) -> int:
        return a + self.randrange(b + 1 - a)

    def choice(self, seq):
        return seq[self.randrange(len(seq))]


def distribution(rule: str) -> dict[frozenset, float]:
    """Return every board of a rule and its exact probability, by every attempt there is; only for rules of few."""
    total, attempts = defaultdict(float), [()]
    while attempts:
        rng = Every(attempts.pop())
        board = _RULES[rule](rng)
        attempts += rng.others
        if board is not None and 3 <= len(board) < 40:
            total[frozenset(board)] += rng.chance
    whole = sum(total.values())
    return {board: chance / whole for board, chance in total.items()}


def near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


TILES = [(row, column) for row in range(7) for column in range(7)]
PAIRS = [pair for pair in itertools.combinations(TILES, 2) if near(*pair)]
# A path of two steps has a middle; its ends are two of the middle's neighbours.
PATHS = [
    (one, middle, other)
    for middle in TILES
    for one, other in itertools.combinations([tile for tile in TILES if near(tile, middle)], 2)
]
STRAIGHT = [path for path in PATHS if path[0][0] == path[2][0] or path[0][1] == path[2][1]]


def scores_of_orders(board) -> list[int]:
    """Return the scores of the four orders: how many groups of tiles have one colour, minus how many have not."""

    def score(groups) -> int:
        return sum(1 if len({board[row][column] for row, column in group}) == 1 else -1 for group in groups)

    reds = sum(map(sum, board))
    return [reds - (49 - reds), score(PAIRS), score(STRAIGHT), score(PATHS)]


APART = [[max(abs(t // 7 - u // 7), abs(t % 7 - u % 7)) for u in range(49)] for t in range(49)]  # in moves of a king


def frontier(is_red, opened) -> list[int]:
    """Return the covered tiles that are nearest to an open red one (§ 5.2 of the facts)."""
    reds = [tile for tile in opened if is_red[tile]]
    apart = {tile: min(APART[tile][red] for red in reds) for tile in range(49) if tile not in opened}
    least = min(apart.values())
    return [tile for tile in apart if apart[tile] == least]
