"""What shape, color and material have in common: one thing a picture, and a word for one value of it (§ 3.2)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product

import numpy as np

from cogkit.mewl.problems.drafts import Draft, scene_of, shuffled
from cogkit.mewl.problems.episodes import PANELS, Asked, Meaning
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing

SYLLABLES = 2
KNOWN, DUMMIES = 3, 2


def generate(attribute: str, rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return an episode's making: three values of an attribute, seven things, five words of which two mean nothing.

    The attribute asked about is the only one that is the same in all pictures of a word. ``verified``: every word
    names two pictures.
    """
    place = ATTRIBUTES.index(attribute)
    chosen = shuffled(VALUES[attribute], rng)[:KNOWN]
    pool = [
        Thing(*values) for values in product(*(chosen if name == attribute else VALUES[name] for name in ATTRIBUTES))
    ]
    while True:
        drawn = [pool[k] for k in rng.choice(len(pool), PANELS + 1, replace=False)]
        values = [each[place] for each in drawn[:PANELS]]
        if profile == "verified" and sorted(map(values.count, chosen)) != [2, 2, 2]:
            continue
        if len(set(values)) == KNOWN and constant(values, drawn[:PANELS]) == [place]:
            break
    lexicon = dict(zip(words[:KNOWN], chosen, strict=True))
    named = {value: word for word, value in lexicon.items()}
    panels = [(scene_of([each], rng, profile), named[each[place]]) for each in drawn[:PANELS]]
    query = drawn[PANELS]
    return Draft(panels, scene_of([query], rng, profile), list(words), named[query[place]], lexicon)


def constant(said: Sequence[Hashable], things: Sequence[Thing]) -> list[int]:
    """Return the attributes that are the same in all things of which the same is said."""
    return [
        k for k in range(len(ATTRIBUTES))
        if len({(word, each[k]) for word, each in zip(said, things, strict=True)}) == len(set(said))
    ]  # fmt: skip


def solve(asked: Asked) -> tuple[list[int], tuple[bool, ...]]:
    """Return the attributes that the words may be about, and which options then may name the query.

    All words are about one attribute, and no two about one value of it.
    """
    query, fits = asked.query.things[0], np.zeros(len(asked.options), bool)
    survivors = []
    for place in range(len(ATTRIBUTES)):
        meaning = meant(asked, place)
        if meaning is None:
            continue
        survivors.append(place)
        fits |= [may_mean(meaning, word, query[place]) for word in asked.options]
    return survivors, tuple(map(bool, fits))


def meant(asked: Asked, place: int, side: int = 0) -> dict[str, str] | None:
    """Return what each first (or second) word means if all are about one attribute, or None if they cannot be."""
    found: dict[str, str] = {}
    for panel in asked.panels:
        value = panel.scene.things[0][place]
        if found.setdefault(panel.utterance.split()[side], value) != value:
            return None
    return found if len(set(found.values())) == len(found) else None


def may_mean(lexicon: Mapping[str, Meaning], word: str, meaning: Meaning) -> bool:
    """Return whether a word means this, or, never heard, may: no two words mean the same."""
    return lexicon[word] == meaning if word in lexicon else meaning not in lexicon.values()


def solve_open(asked: Asked) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return what each word may mean if it may be any value, and which options then may name the query.

    A word means a value that all its pictures have and no picture of another word. A word never heard fits only where
    none that was heard does.
    """
    shown: dict[str, list[Thing]] = {}
    for panel in asked.panels:
        shown.setdefault(panel.utterance, []).append(panel.scene.things[0])
    values = {word: frozenset.intersection(*map(frozenset, things)) for word, things in shown.items()}
    others = {
        word: frozenset(value for other, things in shown.items() if other != word for each in things for value in each)
        for word in shown
    }
    may = {word: values[word] - others[word] for word in shown}
    query = frozenset(asked.query.things[0])
    heard = [bool(may[word] & query) if word in may else None for word in asked.options]
    return may, tuple(not any(heard) if fits is None else fits for fits in heard)


def leaks(asked: Asked) -> dict[str, tuple[bool, ...]]:
    """Return what who looks at no picture is left with: words that were heard, of ``number`` and ``pragmatic`` all."""
    return {"elimination": tuple(word in asked.heard for word in asked.options)}


SOLVERS = {"exact": solve, "open": solve_open}
