"""Words that nobody knows: syllables in a row, none of them English (Jiang et al. 2023, § 3.1)."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product

import numpy as np

from cogkit.core.contracts import InputError

PARTS = ("train", "val", "test")
# Our own: every onset with every rime, so that no two syllables are alike.
SYLLABLES = tuple(
    map("".join, product(("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z"),
                         ("a", "e", "i", "o", "u", "an", "el", "im", "ob", "up", "ar", "osk")))
)  # fmt: skip
_TRIES = 1000


@cache
def syllables(part: str | None = None) -> tuple[str, ...]:
    """Return the syllables of a part of the split, which share none with one another; by default all 180.

    Examples
    --------
    >>> len(syllables()), [len(syllables(part)) for part in PARTS]
    (180, [108, 36, 36])
    """
    if part is None:
        return SYLLABLES
    order = sorted(SYLLABLES, key=lambda each: hashlib.blake2b(each.encode()).digest())
    fifth = len(order) // 5
    found = {"train": order[: 3 * fifth], "val": order[3 * fifth : 4 * fifth], "test": order[4 * fifth :]}
    if part not in found:
        raise InputError(repr(part), f"one of {', '.join(PARTS)}")
    return tuple(found[part])


@cache
def english() -> frozenset[str]:
    """Return the words of an English dictionary, which no word of ours may be."""
    from spellchecker import SpellChecker  # its dictionary takes a third of a second to read

    return frozenset(SpellChecker(language="en").word_frequency.words())


def draw(n: int, length: int, rng: np.random.Generator, part: str | None = None, real: bool = False) -> list[str]:
    """Return different words.

    Parameters
    ----------
    n, length : int
        How many, and of how many syllables.
    rng : numpy.random.Generator
    part : str, optional
        One of `PARTS`: only its syllables; by default any.
    real : bool
        Whether a word may be English, as the published program lets it.

    Examples
    --------
    >>> words = draw(5, 2, np.random.default_rng(0))
    >>> len(set(words)), {len(word) >= 2 for word in words}
    (5, {True})
    """
    choice, found = syllables(part), dict.fromkeys(())
    for _ in range(_TRIES):
        word = "".join(choice[k] for k in rng.integers(len(choice), size=length))
        if real or word not in english():
            found[word] = None
        if len(found) == n:
            return list(found)
    raise InputError(f"{n} words of {length} syllables", "fewer, or longer ones")
