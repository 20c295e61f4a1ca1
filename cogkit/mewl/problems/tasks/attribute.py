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
    meanings = shuffled(VALUES[attribute], rng)[:KNOWN]
    pool = [
        Thing(*values) for values in product(*(meanings if name == attribute else VALUES[name] for name in ATTRIBUTES))
    ]
    while True:
        things = [pool[k] for k in rng.choice(len(pool), PANELS + 1, replace=False)]
        values = [thing[place] for thing in things[:PANELS]]
        if profile == "verified" and sorted(map(values.count, meanings)) != [2, 2, 2]:
            continue
        if len(set(values)) == KNOWN and constant(values, things[:PANELS]) == [place]:
            break
    lexicon = dict(zip(words[:KNOWN], meanings, strict=True))
    word_of = {value: word for word, value in lexicon.items()}
    panels = [(scene_of([thing], rng, profile), word_of[thing[place]]) for thing in things[:PANELS]]
    query = things[PANELS]
    return Draft(panels, scene_of([query], rng, profile), list(words), word_of[query[place]], lexicon)


def constant(said: Sequence[Hashable], things: Sequence[Thing]) -> list[int]:
    """Return the attributes that are the same in all things of which the same is said."""
    return [
        k for k in range(len(ATTRIBUTES))
        if len({(word, thing[k]) for word, thing in zip(said, things, strict=True)}) == len(set(said))
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
    lexicon: dict[str, str] = {}
    for panel in asked.panels:
        value = panel.scene.things[0][place]
        if lexicon.setdefault(panel.utterance.split()[side], value) != value:
            return None
    return lexicon if len(set(lexicon.values())) == len(lexicon) else None


def may_mean(lexicon: Mapping[str, Meaning], word: str, meaning: Meaning) -> bool:
    """Return whether a word means this, or, never heard, may: no two words mean the same."""
    return lexicon[word] == meaning if word in lexicon else meaning not in lexicon.values()


def solve_open(asked: Asked) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return what each word may mean if it may be any value, and which options then may name the query.

    A word means a value that all its pictures have and no picture of another word. A word never heard fits only where
    none that was heard does.
    """
    examples: dict[str, list[Thing]] = {}
    for panel in asked.panels:
        examples.setdefault(panel.utterance, []).append(panel.scene.things[0])
    values = {word: frozenset.intersection(*map(frozenset, things)) for word, things in examples.items()}
    other_values = {
        word: frozenset(
            value for rival, things in examples.items() if rival != word for thing in things for value in thing
        )
        for word in examples
    }
    may = {word: values[word] - other_values[word] for word in examples}
    query = frozenset(asked.query.things[0])
    verdicts = [bool(may[word] & query) if word in may else None for word in asked.options]
    return may, tuple(not any(verdicts) if fits is None else fits for fits in verdicts)


def leaks(asked: Asked) -> dict[str, tuple[bool, ...]]:
    """Return what who looks at no picture is left with: words that were heard, of ``number`` and ``pragmatic`` all."""
    return {"elimination": tuple(word in asked.heard for word in asked.options)}


SOLVERS = {"exact": solve, "open": solve_open}
