"""The problems: drawing, listing and checking boards of the eight rules, and the items of 16 conditions."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Split:
    """A rule's boards for training, and those held out of it by content."""

    pool: Support
    held_out: Items


def split(rule: str, holdout: str = "published", seed: int = 0) -> Split:
    """Return a rule's training pool and its held-out items.

    ``published`` holds out the 25 boards that `items` gives. ``half`` holds out a random half of all boards, so that a
    learner that memorises is detected; the small rules have few boards to learn from otherwise.

    Examples
    --------
    >>> halves = split("pyramid", "half")
    >>> len(halves.pool), len(halves.held_out)
    (98, 98)
    """
    every_board, task = support(rule), f"{rule}/abstract"
    if presets.choose(holdout, HOLDOUTS, "holdout") == "published":
        held_out = items(task, seed=seed)
    else:
        order = seeding.stream(seed, f"holdout/{rule}").permutation(len(every_board))
        boards = from_bits(np.sort(every_board.bits[order[: len(every_board) // 2]]))
        held_out = Items(boards, draw_starts(boards, seed), task, "generated")
    return Split(every_board.without(held_out.boards), held_out)


def held_apart(rule: str) -> np.ndarray:
    """Return every board that is held out of a rule, of its own and metamers, published and ours: (n, 7, 7) uint8.

    Examples
    --------
    >>> held_apart("tree").shape
    (100, 7, 7)
    """
    kinds = KINDS if sampling.path_of(rule).exists() else KINDS[:1]  # without a network, a rule has no metamers yet
    tests = [items(f"{rule}/{kind}", source) for kind in kinds for source in (None, "generated")]
    return np.concatenate([items.boards for items in tests])
