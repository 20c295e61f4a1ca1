"""The grammar of rules, against every board drawn tile by tile."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from cogkit.tiles.rules import grammar
from cogkit.tiles.rules.enumeration import word
from cogkit.tiles.rules.symmetries import SHIFTS

ON_BOARD = {*product(range(7), repeat=2)}
MEASURED_BEFORE = {"rules": 44, "boards": 31_000}  # of a first grammar, whose motifs had other sizes


def moved(tiles, down, across):
    return frozenset((r + down, c + across) for r, c in tiles)


def in_corner(tiles):
    return moved(tiles, -min(r for r, _ in tiles), -min(c for _, c in tiles))


def turns(tiles):
    for mirrored in (tiles, {(r, -c) for r, c in tiles}):
        for _ in range(4):
            mirrored = {(c, -r) for r, c in mirrored}
            yield in_corner(mirrored)


def frame(top, bottom, left, right):
    every = product(range(top, bottom + 1), range(left, right + 1))
    return frozenset(t for t in every if t[0] in (top, bottom) or t[1] in (left, right))


def made_of(tiles, operator):
    """Yield all parts of each board that an operator makes of a picture on the board."""
    if operator == "single":
        yield (tiles,)
    elif operator in ("copy", "triple"):
        for down, across in SHIFTS:
            yield tuple(moved(tiles, k * down, k * across) for k in range(2 if operator == "copy" else 3))
    elif operator == "mirror":
        for axis in range(13):
            yield tiles, frozenset((axis - r, c) for r, c in tiles)
            yield tiles, frozenset((r, axis - c) for r, c in tiles)
    elif operator == "half-turn":
        for down, across in product(range(13), repeat=2):
            yield tiles, frozenset((down - r, across - c) for r, c in tiles)
    elif operator == "quarter-turn":
        for row, column in ((r / 2, c / 2) for r, c in product(range(13), repeat=2) if (r + c) % 2 == 0):
            parts = [tiles]
            for _ in range(3):
                parts.append(frozenset((int(row + c - column), int(column - r + row)) for r, c in parts[-1]))
            yield tuple(parts)
    else:
        for (top, bottom), (left, right) in product(combinations(range(7), 2), repeat=2):
            if all(top < r < bottom and left < c < right for r, c in tiles):
                yield tiles, frame(top, bottom, left, right)


def touch(one, other):
    return any((r + i, c + j) in other for r, c in one for i in (-1, 0, 1) for j in (-1, 0, 1))


def by_hand(motif, operator):
    boards = set()
    for picture in {turn for size in grammar.MOTIFS[motif] for turn in turns(size)}:
        for down, across in product(range(7), repeat=2):
            if not (tiles := moved(picture, down, across)) <= ON_BOARD:
                continue
            for parts in made_of(tiles, operator):
                copied = operator in ("mirror", "half-turn", "quarter-turn") and in_corner(parts[1]) == picture
                if all(part <= ON_BOARD for part in parts) and not copied:
                    if not any(touch(a, b) for a, b in combinations(parts, 2)):
                        boards.add(word(frozenset().union(*parts)))
    return {board for board in boards if 3 <= board.bit_count() <= 39}


@pytest.fixture(scope="module")
def drawn():
    return {f"{m} under {o}": by_hand(m, o) for m, o in product(grammar.MOTIFS, grammar.OPERATORS)}


def test_every_rule_has_the_boards_that_no_other_pair_makes(drawn):
    owners = Counter(board for boards in drawn.values() for board in boards)
    own = {name: {board for board in boards if owners[board] == 1} for name, boards in drawn.items()}
    large = {name for name, boards in own.items() if len(boards) >= max(20, len(drawn[name]) / 2)}
    rules = grammar.rules()
    assert {*rules} == large and len(rules) >= MEASURED_BEFORE["rules"]
    assert sum(map(len, rules.values())) == pytest.approx(MEASURED_BEFORE["boards"], rel=0.2)
    for name, support in rules.items():
        assert {*support.bits.tolist()} == own[name] and support.probability == pytest.approx(1 / len(own[name]))
