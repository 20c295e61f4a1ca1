"""Drawing, start tiles, held-out items and splits."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.data import published
from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import from_bits, to_bits
from cogkit.tiles.rules.support import Support


@pytest.mark.parametrize("rule", RULES)
def test_sample_is_the_inverse_of_the_distribution_function_at_the_boards_own_uniform(rule):
    """The plain loop: add up probabilities until they exceed the uniform of (rule, seed, board number)."""
    support = records.support(rule)
    for seed, name in ((7, "boards"), (8, "boards"), (7, "training")):
        boards = records.sample(rule, 12, seed, name, first=100)
        for k, board in enumerate(boards):
            uniform, total = seeding.item_uniforms(seed, f"{rule}/{name}", 100 + k, 1)[0], 0.0
            number = -1
            while total <= uniform:
                number += 1
                total += support.probability[number]
            assert (from_bits(support.bits[number])[0] == board).all()


def test_a_uniform_beyond_the_rounded_sum_still_draws_the_last_board():
    short = Support(np.array([7, 56], np.uint64), np.array([1e-300, 0.0]))  # adds up to far less than 1
    assert (short.sample(50, seed=0) == from_bits(np.uint64(56))[0]).all()


def test_start_tiles_are_red_each_as_likely_and_each_boards_own():
    board = records.sample("cross", 1, seed=4)
    n, reds = 70_000, np.flatnonzero(board)
    starts = records.draw_starts(np.repeat(board, n, axis=0), seed=0)
    counts = np.bincount(starts, minlength=49)
    assert counts[reds].sum() == n
    p = 1 / len(reds)
    assert (abs(counts[reds] - n * p) <= 4 * np.sqrt(n * p * (1 - p))).all()
    assert records.draw_starts(board, seed=0, first=123)[0] == starts[123]
    assert (records.draw_starts(np.repeat(board, n, axis=0), seed=1) != starts).mean() > 0.5


def test_published_items_are_the_reference_boards(use_mirror, reference):
    for task in records.CONDITIONS:
        name = task.removesuffix("/abstract").replace("/", "_")
        for items in (records.items(task), records.items(task, "published")):
            assert items.task == task and items.source == "published"
            assert (items.boards == np.load(reference / "metamers" / "boards" / f"{name}.npy")).all(), task
            starts = np.load(reference / "metamers" / "starts" / f"{name}.npy").astype(int)
            assert (items.starts == starts[:, 0] * 7 + starts[:, 1]).all(), task


@pytest.mark.parametrize("rule", RULES)
def test_generated_items_are_the_first_different_boards_of_the_series(rule):
    items = records.items(f"{rule}/abstract", "generated", n=30, seed=2)
    series = list(dict.fromkeys(to_bits(records.sample(rule, 2000, seed=2)).tolist()))
    assert to_bits(items.boards).tolist() == series[:30]
    assert items.source == "generated" and records.check(rule, items.boards).all()


def test_offline_metamers_are_our_own_and_none_is_an_abstract_item(offline):
    abstract, metamers = records.items("copy/abstract"), records.items("copy/metamer")
    assert metamers.source == "generated" and len(metamers) == 25
    assert all("boards of our own stand in for the published ones" in line for line in offline)
    with pytest.raises(published.Unavailable):
        records.items("copy/abstract", "published")
    words = to_bits(metamers.boards)
    assert len(np.unique(words)) == 25 and not np.isin(words, to_bits(abstract.boards)).any()


def test_unknown_names_and_what_is_no_board_are_refused(offline):
    for call, words in (
        (lambda: records.sample("coppy", 1, 0), "rule .*got 'coppy': did you mean 'copy'"),
        (lambda: records.items("pyramid/abstract", "generated", n=99), "1 to 98 boards"),
        (lambda: records.items("copy/metamers"), "did you mean 'copy/metamer'"),
        (lambda: records.items("copy/abstract", "generate"), "did you mean 'generated'"),
    ):
        with pytest.raises(InputError, match=words):
            call()


@pytest.mark.parametrize("rule", RULES)
def test_a_pool_is_the_support_without_the_boards_that_are_held_out(use_mirror, rule):
    support, tests = records.support(rule), [f"{rule}/{kind}" for kind in records.KINDS]
    sources = {"published": records.SOURCES, "half": ["generated"]}
    for holdout in records.HOLDOUTS:
        pool = records.pool(rule, holdout)
        apart = np.concatenate([records.items(task, source).boards for task in tests for source in sources[holdout]])
        held_out = set(to_bits(apart).tolist())
        if holdout == "half":
            held_out |= set(support.bits[records.in_half(support.bits)].tolist())
        assert set(pool.bits.tolist()) == set(support.bits.tolist()) - held_out
        expected = dict(zip(support.bits.tolist(), support.probability.tolist(), strict=True))
        left = sum(expected[bits] for bits in pool.bits.tolist())
        assert pool.probability == pytest.approx([expected[bits] / left for bits in pool.bits.tolist()], rel=1e-9)
        assert not held_out & set(to_bits(pool.sample(20_000, seed=0)).tolist())
