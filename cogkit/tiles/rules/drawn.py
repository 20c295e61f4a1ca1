"""The rules whose boards are drawn in one go: copy, rectangle, pyramid, cross, zigzag (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import Draws, enumerated, quarter_turns, word


@enumerated
def copy() -> Draws:
    """Return the 22,272 boards of *copy* and their probabilities: one 3×3 stamp pasted twice, well apart.

    22,272 counts distinct boards of 4 to 18 reds. There are 96 ordered pairs of centres and 511 stamps, hence 49,056
    draws, weighted by how many second centres the first one leaves; 864 of them paste a single tile twice and are
    drawn again, and the other 48,192 merge, because the order of the centres cannot be seen and because a stamp with
    an empty edge makes the same board as its shifted self with shifted centres.
    """
    stamps = [word((k // 3, k % 3) for k in range(9) if stamp >> k & 1) for stamp in range(1, 512)]
    corners = list(product(range(5), repeat=2))  # the upper left tile of a stamp
    for row, column in corners:
        others = [(r, c) for r, c in corners if max(abs(r - row), abs(c - column)) >= 4]
        for (r, c), stamp in product(others, stamps):
            yield stamp << SIZE * row + column | stamp << SIZE * r + c, Fraction(1, len(others))


@enumerated
def rectangle() -> Draws:
    """Return the 441 boards of *rectangle* and their probabilities, all equal: any two rows with any two columns.

    A board is the outline of a box at least two tiles wide and high.
    """
    for (top, bottom), (left, right) in product(combinations(range(SIZE), 2), repeat=2):
        rows, columns = range(top, bottom + 1), range(left, right + 1)
        yield word([*product((top, bottom), columns), *product(rows, (left, right))]), Fraction(1)


@enumerated
def pyramid() -> Draws:
    """Return the 196 boards of *pyramid* and their probabilities: a filled triangle with one tile at the apex.

    The centre of the base is drawn first, then one of the widths 3, 5 and 7 that fit there, then a rotation. Boards
    have 4, 9 or 16 reds.
    """
    for row, column in product(range(1, 7), range(1, 6)):
        heights = [h for h in (1, 2, 3) if row >= h and h <= column <= SIZE - 1 - h]
        for height in heights:
            triangle = [
                (row - up, column + across)
                for up in range(height + 1)
                for across in range(up - height, height - up + 1)
            ]  # fmt: skip
            for bits in quarter_turns(triangle):
                yield bits, Fraction(1, 6 * 5 * len(heights) * 4)


@enumerated
def zigzag() -> Draws:
    """Return the 364 boards of *zigzag* and their probabilities: a staircase of equal steps up to the edge.

    A corner is drawn, then a step that fits; the stairs go down and right from there while another step fits. Then
    follows a rotation.
    """
    for top, left in product(range(SIZE - 1), repeat=2):
        longest = SIZE - 1 - max(top, left)
        for step in range(1, longest + 1):
            ends = range(0, longest // step * step, step)
            stairs = [(top + end + d, left + end) for end in ends for d in range(step)]
            stairs += [(top + end + step, left + end + d) for end in ends for d in range(step + 1)]
            for bits in quarter_turns(stairs):
                yield bits, Fraction(1, (SIZE - 1) ** 2 * longest * 4)


@enumerated
def cross() -> Draws:
    """Return the 1,670 boards of *cross* and their probabilities: two bars that cross inside both.

    A coin chooses between 1,225 upright and 445 diagonal ones. The long bar of a diagonal one always falls to the
    right; the arms of the other are at most three tiles long.
    """
    for row, one_end in product(range(1, 6), range(SIZE)):
        other_ends = [end for end in range(SIZE) if abs(end - one_end) > 1]
        for other_end in other_ends:
            left, right = sorted((one_end, other_end))
            across = [(row, c) for c in range(left, right + 1)]
            for column in range(left + 1, right):
                chance = Fraction(1, 2 * 5 * SIZE * len(other_ends) * (right - left - 1))
                for top, bottom in product(range(row), range(row + 1, SIZE)):
                    down = [(r, column) for r in range(top, bottom + 1)]
                    yield word(across + down), chance / (row * (SIZE - 1 - row))
    for top, left in product(range(5), repeat=2):
        longest = SIZE - max(top, left)
        for length in range(3, longest + 1):
            falling = [(top + k, left + k) for k in range(length)]
            for row, column in falling[1:-1]:
                chance = Fraction(1, 2 * 25 * (longest - 2) * (length - 2))
                up, down = _arm(min(row, SIZE - 1 - column)), _arm(min(SIZE - 1 - row, column))
                for rise, fall in product(up, down):
                    rising = [(row - k, column + k) for k in range(-fall, rise + 1)]
                    yield word(falling + rising), chance * up[rise] * down[fall]


def _arm(room: int) -> dict[int, Fraction]:
    """Return the chance of each length of a diagonal arm: a second and a third tile by the toss of a coin."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    return {1: {1: Fraction(1)}, 2: {1: half, 2: half}}.get(room, {1: half, 2: quarter, 3: quarter})
