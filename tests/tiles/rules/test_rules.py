"""The eight rules against the facts, the published boards, and plain samplers that share no code with them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from oracles import draw
from structure import obeys

from cogkit.tiles.problems import records
from cogkit.tiles.rules import RULES, TABLES, connected, copy, tree
from cogkit.tiles.rules.boards import as_boards, from_bits, to_bits

SMALL = ("pyramid", "tree", "zigzag", "rectangle", "symmetry", "cross")
ONE = np.uint64(1)

# Kumar et al. 2023 have no counts; these are from facts § 1, and, for connected, from this project's enumeration.
SIZES = {
    "pyramid": 196, "tree": 237, "zigzag": 364, "rectangle": 441, "symmetry": 834, "cross": 1670, "copy": 22272,
    "connected": 155_284,
}  # fmt: skip
# Facts § 1.10 and § 1: mean reds of so many draws.
MEANS = {
    "copy": (9.15, 20_000), "symmetry": (6.90, 30_000), "rectangle": (10.68, 20_000), "connected": (15.06, 20_000),
    "tree": (6.62, 30_000), "pyramid": (5.67, 20_000), "cross": (7.36, 20_000), "zigzag": (5.67, 20_000),
}  # fmt: skip
REDS = {
    "copy": (4, 18), "symmetry": (4, 9), "rectangle": (4, 24), "tree": (5, 15), "pyramid": (4, 16),
    "cross": (5, 13), "zigzag": (3, 13),
}  # fmt: skip
METAMERS_THAT_PASS = {
    "copy": 1, "symmetry": 9, "rectangle": 3, "connected": 4, "tree": 7, "pyramid": 4, "cross": 5, "zigzag": 8,
}  # fmt: skip


def word(tiles) -> int:
    return sum(1 << (7 * r + c) for r, c in tiles)


def published(mirror, rule, kind=""):
    path = mirror / "abstract_neural_metamers" / "data" / f"{rule}{kind}_sample.npy"
    return as_boards(np.load(path, allow_pickle=False))


def fits(counts: np.ndarray, probability: np.ndarray) -> bool:
    """Whether Pearson's X² of counts lies within 4 sd of its exact mean; boards expected < 5 times share one bin."""
    n = counts.sum()
    often = n * probability >= 5
    p = np.append(probability[often], probability[~often].sum())
    k = np.append(counts[often], counts[~often].sum())
    p, k = p[p > 0], k[p > 0]
    mean = len(p) - 1
    variance = 2 * mean + ((1 / p).sum() - len(p) ** 2 - 2 * len(p) + 2) / n  # exact, for a multinomial
    return abs(((k - n * p) ** 2 / (n * p)).sum() - mean) <= 4 * variance**0.5


def test_the_measure_of_fit_can_fail():
    rng, p = np.random.default_rng(0), np.full(100, 0.01)
    assert fits(rng.multinomial(10_000, p), p)
    skewed = np.r_[np.full(50, 0.0115), np.full(50, 0.0085)]
    assert not fits(rng.multinomial(10_000, skewed), p)


@pytest.mark.parametrize("rule", RULES)
def test_support_has_the_size_of_the_facts_and_is_a_distribution(rule):
    bits, probability = TABLES[rule]()
    assert len(bits) == len(probability) == SIZES[rule]
    assert bits.dtype == np.uint64 and probability.dtype == np.float64
    assert (np.diff(bits) > 0).all() and (probability > 0).all()
    assert probability.sum() == pytest.approx(1, abs=1e-12)
    reds = from_bits(bits).sum(axis=(1, 2), dtype=int)
    assert 3 <= reds.min() and reds.max() < 40
    if rule in REDS:
        assert (reds.min(), reds.max()) == REDS[rule]


def test_a_support_is_made_once_and_cannot_be_written_to():
    bits, probability = TABLES["pyramid"]()
    assert TABLES["pyramid"]()[0] is bits
    with pytest.raises(ValueError, match="read-only"):
        bits[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        probability[0] = 0


def test_what_the_22272_boards_of_copy_are():
    """96 ordered pairs of centres × 511 stamps = 49,056 draws; without single-tile stamps and merged, 22,272 boards."""
    centres = [(r, c) for r in range(1, 6) for c in range(1, 6)]
    pairs = [(a, b) for a in centres for b in centres if max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 4]
    assert len(pairs) == 96
    draws = [
        word((r + k // 3 - 1, c + k % 3 - 1) for r, c in pair for k in range(9) if stamp >> k & 1)
        for pair in pairs
        for stamp in range(1, 512)
    ]
    assert len(draws) == 49_056
    pool = [bits for bits in draws if bits.bit_count() >= 3]
    assert len(pool) == 48_192 and set(pool) == set(copy()[0].tolist())


@pytest.mark.parametrize("rule", RULES)
def test_mean_number_of_reds_is_that_of_the_facts(rule):
    bits, probability = TABLES[rule]()
    reds = from_bits(bits).sum(axis=(1, 2), dtype=float)
    mean = probability @ reds
    printed, n = MEANS[rule]
    sd = np.sqrt(probability @ (reds - mean) ** 2)
    assert abs(mean - printed) <= 4 * sd / np.sqrt(n) + 0.005  # printed to two decimals


@pytest.mark.parametrize("rule", RULES)
def test_table_is_the_distribution_of_the_plain_sampler(rule):
    n, rng = 20_000, Random(11)
    bits, probability = TABLES[rule]()
    sample = np.array([word(draw(rule, rng)) for _ in range(n)], np.uint64)
    place = np.searchsorted(bits, sample)
    assert (bits[np.minimum(place, len(bits) - 1)] == sample).all()
    assert fits(np.bincount(place, minlength=len(bits)), probability)


def test_intended_tree_is_the_distribution_of_the_plain_sampler():
    n, rng = 20_000, Random(12)
    bits, probability = tree(tree_root_children_open=True)
    assert len(bits) == 147
    sample = np.array([word(draw("tree", rng, root_children_open=True)) for _ in range(n)], np.uint64)
    assert np.isin(sample, bits).all()
    assert fits(np.bincount(np.searchsorted(bits, sample), minlength=147), probability)


@pytest.mark.parametrize("rule", RULES)
def test_sampler_draws_the_boards_of_the_table_as_often_as_it_says(rule):
    n = 400_000
    bits, probability = TABLES[rule]()
    sample = to_bits(records.sample(rule, n, seed=3))
    assert np.isin(sample, bits).all()
    assert fits(np.bincount(np.searchsorted(bits, sample), minlength=len(bits)), probability)


@pytest.mark.parametrize("rule", RULES)
def test_every_board_of_a_support_passes_its_checker(rule):
    boards = from_bits(TABLES[rule]()[0])
    assert obeys(rule, boards).all() and records.check(rule, boards).all()


@pytest.mark.parametrize("rule", RULES)
def test_checker_accepts_a_changed_board_only_if_the_rule_has_it(rule):
    """Every flip of one tile of every board, and of two tiles of some; of the two large rules, of a sample."""
    bits = TABLES[rule]()[0]
    rng = np.random.default_rng(5)
    sample = bits if rule in SMALL else rng.choice(bits, 2000, replace=False)
    tile = ONE << np.arange(49, dtype=np.uint64)
    changed = [sample[:, None] ^ tile, rng.choice(sample, 60)[:, None, None] ^ tile[:, None] ^ tile]
    changed = np.unique(np.concatenate([part.ravel() for part in changed]))
    changed = changed[changed > 0]
    accepted = obeys(rule, from_bits(changed))
    assert accepted.any() and not accepted.all()
    assert (accepted == np.isin(changed, bits)).all()
    assert (accepted == records.check(rule, from_bits(changed))).all()


@pytest.mark.parametrize("rule", RULES)
def test_checker_accepts_another_rules_board_only_if_the_rule_has_it(rule):
    bits = TABLES[rule]()[0]
    sample = np.concatenate([TABLES[other]()[0][::7] for other in RULES if other != rule])
    assert (obeys(rule, from_bits(sample)) == np.isin(sample, bits)).all()
    assert (records.check(rule, from_bits(sample)) == np.isin(sample, bits)).all()


def test_intended_tree_checker_is_its_support_among_all_changed_trees():
    bits = tree(tree_root_children_open=True)[0]
    tile = ONE << np.arange(49, dtype=np.uint64)
    candidates = np.unique(np.concatenate([tree()[0], (tree()[0][:, None] ^ tile).ravel()]))
    for judge in (obeys, records.check):
        accepted = judge("tree", from_bits(candidates), tree_root_children_open=True)
        assert (accepted == np.isin(candidates, bits)).all() and accepted.sum() == 147


def test_loose_symmetry_is_a_mirror_image_about_an_inner_row_or_column():
    rng = np.random.default_rng(2)
    boards = rng.integers(0, 2, (3000, 7, 7), dtype=np.uint8)
    boards[:, 5:] = 0
    boards[:1500, 3:5] = boards[:1500, 1::-1]  # mirror images about row 2
    boards[500:1000, 3] = 0  # and half of them spoilt
    boards = boards[boards.any(axis=(1, 2))]

    def mirrored(board):
        reds = set(zip(*np.nonzero(board), strict=True))
        turned = {(c, r) for r, c in reds}
        return 3 <= len(reds) < 40 and any(
            tiles == {(2 * axis - r, c) for r, c in tiles} for tiles in (reds, turned) for axis in range(1, 6)
        )

    expected = np.array([mirrored(board) for board in boards])
    assert 900 < expected.sum() < 1100
    assert (records.check("symmetry", boards, strict=False) == expected).all()


@pytest.mark.parametrize("rule", RULES)
def test_all_published_abstract_boards_pass_and_lie_in_the_support(mirror, rule):
    boards = published(mirror, rule)
    assert len(boards) == 25
    assert obeys(rule, boards).all()
    assert np.isin(to_bits(boards), TABLES[rule]()[0]).all()


@pytest.mark.parametrize("rule", RULES)
def test_as_many_published_metamers_pass_as_in_the_facts(mirror, rule):
    boards = published(mirror, rule, "_null")
    passing = obeys(rule, boards)
    assert len(boards) == 25 and passing.sum() == METAMERS_THAT_PASS[rule]
    assert (np.isin(to_bits(boards), TABLES[rule]()[0]) == passing).all()


def test_ten_published_metamers_of_symmetry_pass_loosely(mirror):
    assert records.check("symmetry", published(mirror, "symmetry", "_null"), strict=False).sum() == 10


def test_intended_tree_lacks_seven_of_the_published_boards(mirror):
    assert records.check("tree", published(mirror, "tree"), tree_root_children_open=True).sum() == 18


def test_rings_of_connected_lean_to_the_lower_right():
    bits, probability = connected()
    rate = probability @ from_bits(bits).reshape(-1, 49).astype(float)
    upper_left, lower_right = rate.reshape(7, 7)[:3, :3].sum(), rate.reshape(7, 7)[4:, 4:].sum()
    assert lower_right > 1.5 * upper_left


def test_crosses_are_1225_upright_and_445_diagonal():
    boards = from_bits(TABLES["cross"]()[0])
    upright = (boards[:, :, :-1] & boards[:, :, 1:]).any(axis=(1, 2))  # a diagonal one has no two reds side by side
    assert (upright.sum(), (~upright).sum()) == (1225, 445)
