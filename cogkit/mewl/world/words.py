"""New words: rows of syllables that are not English (Jiang et al. 2023, § 3.1)."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

PARTS = ("train", "val", "test")
# Our own syllables: every onset with every rime, so all syllables differ.
SYLLABLES = tuple(
    map("".join, product(("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z"),
                         ("a", "e", "i", "o", "u", "an", "el", "im", "ob", "up", "ar", "osk")))
)  # fmt: skip
LONGEST = 3  # syllables of a word


@cache
def syllables(part: str | None = None) -> tuple[str, ...]:
    """Return the syllables of a part of the split, or all 180 by default. No two parts share a syllable.

    Examples
    --------
    >>> len(syllables()), [len(syllables(part)) for part in PARTS]
    (180, [108, 36, 36])
    """
    if part is None:
        return SYLLABLES
    order = sorted(SYLLABLES, key=lambda syllable: hashlib.blake2b(syllable.encode()).digest())
    fifth = len(order) // 5
    parts = {"train": order[: 3 * fifth], "val": order[3 * fifth : 4 * fifth], "test": order[4 * fifth :]}
    return tuple(parts[part])


@cache
def english() -> frozenset[str]:
    """Return every row of up to `LONGEST` of our syllables that is an English word; new words avoid these.

    The list is frozen in a file, because a dictionary changes between versions and would change the episodes.

    Examples
    --------
    >>> len(english()), "banana" in english()
    (1878, True)
    """
    lines = Path(__file__).with_name("english.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def draw(n: int, length: int, rng: np.random.Generator, part: str | None = None, real: bool = False) -> list[str]:
    """Return ``n`` different words of ``length`` syllables each.

    Words use only the syllables of a ``part``, one of `PARTS`; by default any. If ``real``, a word may be English, as
    in the published program; if not, it has at most `LONGEST` syllables.

    Examples
    --------
    >>> words = draw(5, 2, np.random.default_rng(0))
    >>> len(set(words)), {len(word) >= 2 for word in words}
    (5, {True})
    """
    choice = syllables(part)
    words: dict[str, None] = {}
    while len(words) < n:
        word = "".join(choice[k] for k in rng.integers(len(choice), size=length))
        if real or word not in english():
            words[word] = None
    return list(words)
