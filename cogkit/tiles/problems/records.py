"""The problems: drawing, listing and checking boards of the eight rules, and the items of 16 conditions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial

import numpy as np

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.data import published
from cogkit.tiles.metamers import sampling
from cogkit.tiles.rules import PAPER_RULES, RULES, TABLES
from cogkit.tiles.rules.boards import TILES, Items, as_boards, from_bits, to_bits
from cogkit.tiles.rules.grown import mirrored
from cogkit.tiles.rules.support import Support

KINDS = ("abstract", "metamer")
CONDITIONS = tuple(f"{rule}/{kind}" for rule in RULES for kind in KINDS)
SOURCES = ("published", "generated")
HOLDOUTS = ("published", "half")
_HALF = seeding.item_key(0, "tiles/half")
FILES = {"abstract": "{}_sample", "metamer": "{}_null_sample"}  # the published names, as in copy_null_sample.npy


@cache
def support(rule: str, **options) -> Support:
    """Return every board of a rule with its exact probability, given that 3 <= reds < 40.

    ``tree_root_children_open=True`` gives the variant of *tree* that seems to have been meant (see `rules.grown.tree`).

    Raises
    ------
    InputError
        An unknown rule.

    Examples
    --------
    >>> [len(support(rule)) for rule in RULES]
    [22272, 834, 441, 155284, 237, 196, 1670, 364]
    """
    return Support(*TABLES[presets.choose(rule, RULES, "rule")](**options))


def sample(rule: str, n: int, seed: int, name: str = "boards", first: int = 0, **options) -> np.ndarray:
    """Return boards ``first`` to ``first + n - 1`` of a rule's series: (n, 7, 7) uint8.

    Board *k* of (rule, seed, name) is the same however many are made with it; ``options`` are as in `support`.

    Examples
    --------
    >>> alone = sample("zigzag", 1, seed=0, first=999)
    >>> bool((sample("zigzag", 1000, seed=0)[999] == alone).all())
    True
    >>> sample("zig-zag", 1, seed=0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a rule (copy, ... or zigzag), got 'zig-zag': did you mean 'zigzag'?
    """
    return support(rule, **options).sample(n, seed, f"{rule}/{name}", first)


def draw_starts(boards, seed: int, name: str = "starts", first: int = 0) -> np.ndarray:
    """Return the tile that is open at the beginning of each board: (n,) int64, each red tile equally likely.

    The boards have the numbers ``first``, ``first + 1``, … of a series. The start of board *k* depends on seed and
    name, on *k* and on the board alone.

    Examples
    --------
    >>> bool((draw_starts(np.eye(7), seed=0) % 8 == 0).all())
    True
    """
    tiles = as_boards(boards).reshape(-1, TILES)
    reds = tiles.cumsum(axis=1, dtype=np.uint8)
    numbers = np.arange(first, first + len(tiles), dtype=np.uint64)
    rank = (seeding.item_uniforms(seed, name, numbers, 1)[:, 0] * reds[:, -1]).astype(np.uint8)
    return (reds > rank[:, None]).argmax(axis=1)


def check(rule: str, boards, strict: bool = True, **options) -> np.ndarray:
    """Return for each board whether it satisfies a rule: (n,) bool.

    Unless ``strict``, any mirror image counts for *symmetry*, however it could have grown. ``options`` are as in
    `support`.

    Examples
    --------
    >>> check("symmetry", np.eye(7)), check("cross", np.eye(7) + np.pad(np.eye(3)[::-1], 2) > 0)
    (array([False]), array([ True]))
    """
    boards = as_boards(boards)
    return support(rule, **options).holds(boards) if strict or rule != "symmetry" else mirrored(boards)


def most_distinct(rule: str) -> int:
    """Return how many different boards of a rule may be drawn at most: half of all.

    Examples
    --------
    >>> most_distinct("pyramid")
    98
    """
    return len(support(rule)) // 2


def draw_distinct(rule: str, n: int, seed: int) -> np.ndarray:
    """Return the first ``n`` different boards of a rule's series: (n, 7, 7) uint8; at most half of all.

    Examples
    --------
    >>> draw_distinct("pyramid", 98, seed=0).shape
    (98, 7, 7)
    """
    most = most_distinct(rule)
    if not 1 <= n <= most:
        raise InputError(f"{n}", f"1 to {most} boards (half of all that {rule} has)")
    size = n
    while True:
        words = to_bits(sample(rule, size, seed))
        distinct, places = np.unique(words, return_index=True)
        if len(distinct) >= n:
            return from_bits(words[np.sort(places)[:n]])
        size *= 2


def _read_published(task: str) -> Items:
    rule, kind = task.split("/")
    presets.choose(rule, PAPER_RULES, "rule with published boards")
    stem = f"abstract_neural_metamers/data/{FILES[kind].format(rule)}"
    boards, starts = (np.load(published.fetch(f"{stem}{part}.npy"), allow_pickle=False) for part in ("", "_starts"))
    return Items(boards, starts, task, "published")


def items(task: str, source: str | None = None, *, n: int = 25, seed: int = 0) -> Items:
    """Return the held-out boards and start tiles of one condition.

    ``published`` are the paper's 25; ``generated`` are ``n`` boards of our own, all different, metamers by the shipped
    networks. By default they are the published ones, and where they cannot be had our own, with one printed line that
    says so. A rule that is not the paper's has our own alone.

    Raises
    ------
    InputError
        An unknown condition or source; published files that cannot be had.

    Examples
    --------
    >>> len(items("copy/abstract", "generated"))
    25

    Notes
    -----
    Differs from the paper: its text says that people saw 24 boards, its files hold 25; some of its boards
    repeat.
    """
    rule, kind = presets.choose(task, CONDITIONS, "condition").split("/")
    if source is None and rule in PAPER_RULES:
        line = "boards of our own stand in for the published ones"
        ours = partial(items, task, "generated", n=n, seed=seed)
        return published.or_else(lambda: _read_published(task), ours, line)
    if source is not None and presets.choose(source, SOURCES, "source of boards") == "published":
        return _read_published(task)
    boards = draw_distinct(rule, n, seed)
    if kind == "metamer":  # no metamer is also an abstract board; each person sees only one of the two kinds
        boards = sampling.sample(rule, n, seed, exclude=to_bits(boards), distinct=True)
    return Items(boards, draw_starts(boards, seed), task, "generated", seed=seed)


def in_half(words: np.ndarray) -> np.ndarray:
    """Return which boards are in the half that a learner with the holdout ``half`` never trains on: (n,) bool.

    A hash of the board's bit word decides, so a board is on one side for every rule, kind, seed and machine.

    Examples
    --------
    >>> int(in_half(support("pyramid").bits).sum())  # of 196
    83
    """
    return (seeding.mix(np.asarray(words, np.uint64) ^ _HALF) >> np.uint64(63)) == 1


def half(task: str, n: int = 25, seed: int = 0) -> Items:
    """Return test boards from the half that is held out: the first ``n`` different ones of a series of the condition.

    Examples
    --------
    >>> in_half(to_bits(half("tree/metamer").boards)).all()
    np.True_
    """
    (rule, kind), size = presets.choose(task, CONDITIONS, "condition").split("/"), 4 * n
    while True:
        drawn = sampling.sample(rule, size, seed, distinct=True) if kind == "metamer" else sample(rule, size, seed)
        words = to_bits(drawn)
        distinct, places = np.unique(words[in_half(words)], return_index=True)
        if len(distinct) >= n:
            boards = from_bits(words[in_half(words)][np.sort(places)[:n]])
            return Items(boards, draw_starts(boards, seed), task, "generated", seed=seed)
        size *= 2


def held_apart(rule: str, holdout: str = "published") -> np.ndarray:
    """Return the test boards that no learner of a rule trains on, of the rule and metamers: (n, 7, 7) uint8.

    They are the published ones and ours; with the holdout ``half`` ours alone, beside that half.

    Raises
    ------
    Unavailable
        The published boards cannot be had.

    Examples
    --------
    >>> held_apart("tree").shape, held_apart("tree", "half").shape
    ((100, 7, 7), (50, 7, 7))
    """
    kinds = KINDS if sampling.path_of(rule).exists() else KINDS[:1]  # without a network, a rule has no metamers yet
    everything = presets.choose(holdout, HOLDOUTS, "holdout") == "published" and rule in PAPER_RULES
    sources = SOURCES if everything else SOURCES[1:]
    return np.concatenate([items(f"{rule}/{kind}", source).boards for kind in kinds for source in sources])


def pool(rule: str, holdout: str = "published") -> Support:
    """Return the boards of a rule that a learner may train on, all that are not held out.

    ``published`` holds out `held_apart`. ``half`` also holds out the half of all boards that `in_half` names, and needs
    no published file.

    Examples
    --------
    >>> len(pool("pyramid")), len(pool("pyramid", "half"))
    (146, 100)
    """
    return remainder(support(rule).without(held_apart(rule, holdout)), holdout)


def remainder(boards: Support, holdout: str) -> Support:
    """Return what the holdout leaves of some boards: those that are not `in_half`, or all of them."""
    return boards if holdout == "published" else boards.without(from_bits(boards.bits[in_half(boards.bits)]))


def reachable(rules: Iterable[str] = PAPER_RULES) -> str:
    """Return the holdout for learners that train here: ``published``, or ``half`` with one printed line.

    Examples
    --------
    >>> reachable()
    'published'
    """

    def holdout() -> str:
        for rule in rules:
            held_apart(rule)
        return "published"

    line = "no published test boards, so training uses a fixed half of all boards, and tests the other half"
    return published.or_else(holdout, lambda: "half", line)
