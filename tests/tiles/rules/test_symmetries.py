"""Copies of boards against plain loops over sets of tiles."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import from_bits
from cogkit.tiles.rules.support import Support
from cogkit.tiles.rules.symmetries import SYMMETRIES, images, orbits, sides

ORBITS = {  # of the tables in which the floors were first measured
    "copy": 945, "symmetry": 34, "rectangle": 21, "connected": 11_797, "tree": 10, "pyramid": 3, "cross": 73,
    "zigzag": 14,
}  # fmt: skip


def tiles_of(word) -> frozenset[tuple[int, int]]:
    return frozenset(divmod(tile, 7) for tile in range(49) if int(word) >> tile & 1)


def copies(tiles, symmetries) -> set[frozenset[tuple[int, int]]]:
    """Every copy of a set of tiles that lies on the board."""
    copied = {frozenset(tiles)}
    if "D4" in symmetries:
        for turn in (lambda r, c: (c, 6 - r), lambda r, c: (r, 6 - c)):
            for _ in range(4):
                copied |= {frozenset(turn(*tile) for tile in some) for some in copied}
    if "shift" in symmetries:
        moved = {
            frozenset((r + down, c + across) for r, c in some)
            for some in copied for down in range(-6, 7) for across in range(-6, 7)
        }  # fmt: skip
        copied = {some for some in moved if all(0 <= k < 7 for tile in some for k in tile)}
    return copied


@pytest.mark.parametrize("symmetries", [(), ("D4",), ("shift",), SYMMETRIES])
def test_copiedare_all_copies_on_the_board(symmetries):
    boards = records.support("tree")
    picks = Support(boards.bits[::23], boards.probability[::23])
    made = images(picks, symmetries)
    assert {tiles_of(word) for word in made.bits} == set().union(*(copies(tiles_of(w), symmetries) for w in picks.bits))
    assert made.probability.sum() == pytest.approx(picks.probability.sum())
    alone = images(Support(picks.bits[:1], np.ones(1)), symmetries)
    assert np.ptp(alone.probability) == pytest.approx(0)  # the copies of one board are equally likely


def test_boards_have_one_orbit_if_they_are_copies_and_else_another():
    words = records.support("zigzag").bits[::9]
    names, every = orbits(words), [copies(tiles_of(word), SYMMETRIES) for word in words]
    for i, name in enumerate(names):
        assert [tiles_of(word) in every[i] for word in words] == (names == name).tolist()


def test_the_rules_have_as_many_orbits_as_were_measured_before():
    assert {rule: len(np.unique(orbits(records.support(rule).bits))) for rule in ORBITS} == ORBITS


def test_sides_are_those_of_the_smallest_box():
    words = records.support("connected").bits[::5001]
    spans = [sorted(max(k) - min(k) + 1 for k in zip(*np.argwhere(board), strict=True)) for board in from_bits(words)]
    assert np.transpose(sides(words)).tolist() == spans
