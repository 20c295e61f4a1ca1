"""Splits of boards: what is held out is as counted before, and no test board of a family has a copy in training."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.core.items import overlap
from cogkit.core.splits import HIGHER
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules.boards import from_bits, to_bits
from cogkit.tiles.rules.enumeration import word
from cogkit.tiles.rules.symmetries import SYMMETRIES, images, orbits

HELD = {  # of the tables in which the floors were first measured; connected and tree by brute force below
    "copy": 7348, "symmetry": 486, "rectangle": 125, "pyramid": 120, "cross": 445, "zigzag": 144
}  # fmt: skip


def test_families_are_as_large_as_measured_before():
    assert {rule: int(splits.held(rule, records.support(rule).bits).sum()) for rule in HELD} == HELD


def test_families_of_connected_and_tree_are_those_with_two_wide_sides():
    for rule, spared in (("connected", 96), ("tree", 156)):
        support = records.support(rule)
        boards = from_bits(support.bits)
        narrow = [min(np.ptp(k) + 1 for k in np.nonzero(board)) <= 3 for board in boards[:: len(boards) // 200]]
        held = splits.held(rule, support.bits)
        assert (~held).sum() == spared and held[:: len(boards) // 200].tolist() == [not n for n in narrow]


def test_copies_of_offset_1_and_4_are_those_drawn_so():
    drawn, corners = set(), [(row, column) for row in range(5) for column in range(5)]
    for (row, column), (r, c) in [(a, b) for a in corners for b in corners]:
        if sorted((abs(r - row), abs(c - column))) == [1, 4]:
            for k in range(1, 512):
                stamp = word((i // 3, i % 3) for i in range(9) if k >> i & 1)
                drawn.add(stamp << 7 * row + column | stamp << 7 * r + c)
    support = records.support("copy").bits
    assert {*support[splits.held("copy", support)].tolist()} == drawn & {*support.tolist()}


@pytest.mark.parametrize("name", splits.names())
def test_no_board_is_in_two_parts_and_families_have_no_copy_in_training(name, mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    splits.split.cache_clear()
    parts, boards = splits.split(name), splits.boards(name)
    for one, other in (("train", "val"), ("train", "test"), ("val", "test")):
        assert not overlap(*(getattr(part, "bits", part) for part in (getattr(parts, one), getattr(parts, other))))
    learnt = np.concatenate([to_bits(parts.val.boards), parts.train.bits])
    assert np.isin(learnt, boards.pool.bits).all() and np.isin(to_bits(parts.test.boards), boards.held.bits).all()
    assert {items.split for items in (parts.val, parts.test)} == {name}
    if parts.rung == "orbit":
        assert splits.copies(parts) == len(parts.test) == 25 and parts.test.source == "published"
        return
    assert parts.rung in HIGHER and len(parts.train) >= 60 and len(parts.test) >= 40 and splits.copies(parts) == 0
    assert not np.isin(orbits(boards.held.bits), orbits(boards.pool.bits)).any()


def test_a_family_is_closed_under_the_symmetries_of_its_pool():
    parts = splits.split("rectangle, short side 3")
    assert not np.isin(to_bits(parts.test.boards), images(parts.train, SYMMETRIES).bits).any()


def test_an_unknown_split_is_named():
    with pytest.raises(InputError, match="did you mean 'zigzag, step 1'"):
        splits.split("zigzag, step one")
