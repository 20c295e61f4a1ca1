"""Words as numbers: an English word has a fixed number, a new word gets the next number when it first occurs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogkit.mewl.problems.episodes import Question
from cogkit.mewl.world.scenes import RELATIONS
from cogkit.mewl.world.things import ATTRIBUTE_OF

PAD = 0
_TOLD = ("a", "and", "arrow", "finger", "in", "is", "of", "on", "pointing", "the", "to")
KNOWN = {word: number for number, word in enumerate((*ATTRIBUTE_OF, *RELATIONS, *_TOLD), PAD + 1)}
NEW = len(KNOWN) + 1  # number of the first new word
LONGEST = 8  # words of an utterance
MOST_NEW = 8  # most new words in an episode; tasks have at most six
VOCABULARY = NEW + MOST_NEW


def utterances(question: Question) -> np.ndarray:
    """Return utterances and options as numbers: (n, 11, words) int64, first six utterances, then five options.

    Rows are filled up with `PAD`.

    Examples
    --------
    >>> question = Question(("shape",), [()], (("pado", "red pado", "tif"),), (("tif", "mu"),))
    >>> (utterances(question) - NEW).max(axis=2).tolist()
    [[0, 0, 1, 1, 2]]
    """
    return _padded([_numbers((*names, *options), {})
                    for names, options in zip(question.utterances, question.options, strict=True)])  # fmt: skip


def new_words(names: Sequence[str]) -> dict[str, int]:
    """Return the new words of an episode, each with its place among them: 0 for the one that occurs first.

    ``names`` are its utterances, then its options.

    Examples
    --------
    >>> new_words(("pado", "red tif", "pado"))
    {'pado': 0, 'tif': 1}
    """
    new: dict[str, int] = {}
    _numbers(names, new)
    return {word: number - NEW for word, number in new.items()}


def captions(question: Question) -> np.ndarray:
    """Return captions as numbers, filled up with `PAD`: (n, 7, words) int64."""
    return _padded([_numbers(texts, {}) for texts in question.observations])


def _numbers(sentences: Sequence[str], new: dict[str, int]) -> list[list[int]]:
    """Return the numbers of words; a new word gets the next free number, which is noted in ``new``."""
    numbers = []
    for sentence in sentences:
        words = sentence.lower().replace(".", "").split()
        numbers.append([KNOWN.get(word) or new.setdefault(word, NEW + len(new)) for word in words])
    return numbers


def _padded(rows: Sequence[Sequence[Sequence[int]]]) -> np.ndarray:
    longest = max((len(words) for row in rows for words in row), default=1)
    table = np.full((len(rows), len(rows[0]) if rows else 0, longest), PAD, np.int64)
    for k, row in enumerate(rows):
        for j, words in enumerate(row):
            table[k, j, : len(words)] = words
    return table
