"""The common part of shape, color and material: each picture has one thing, and a word for one value of it (§ 3.2)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np

from cogkit.mewl.problems.drafts import Draft, scene_of, shuffled
from cogkit.mewl.problems.episodes import PANELS, Meaning, Trial
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing

SYLLABLES = 2
KNOWN, DUMMIES = 3, 2


def generate(attribute: str, rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: three values of an attribute, seven things, and five words, two of them without a meaning.

    Only the attribute of the task is the same in all pictures of a word. ``verified``: every word names two pictures.
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


def constant(names: Sequence[Hashable], things: Sequence[Thing]) -> list[int]:
    """Return the attributes that are the same in all things with the same name."""
    return [
        k for k in range(len(ATTRIBUTES))
        if len({(word, thing[k]) for word, thing in zip(names, things, strict=True)}) == len(set(names))
    ]  # fmt: skip


def solve(trial: Trial) -> tuple[list[int], tuple[bool, ...]]:
    """Return the attributes that the words may be about, and which options may then name the query.

    All words are about one attribute, and no two words mean the same value.
    """
    query, fits = trial.query.things[0], np.zeros(len(trial.options), bool)
    survivors = []
    for place in range(len(ATTRIBUTES)):
        meaning = meant(trial, place)
        if meaning is None:
            continue
        survivors.append(place)
        fits |= [may_mean(meaning, word, query[place]) for word in trial.options]
    return survivors, tuple(map(bool, fits))


def meant(trial: Trial, place: int, side: int = 0) -> dict[str, str] | None:
    """Return the meanings of the first (or second) words if all are about one attribute; None if that is impossible."""
    lexicon: dict[str, str] = {}
    for panel in trial.panels:
        value = panel.scene.things[0][place]
        if lexicon.setdefault(panel.utterance.split()[side], value) != value:
            return None
    return lexicon if len(set(lexicon.values())) == len(lexicon) else None


def may_mean(lexicon: Mapping[str, Meaning], word: str, meaning: Meaning) -> bool:
    """Return whether a word means this, or may mean it if it was never heard; no two words mean the same."""
    return lexicon[word] == meaning if word in lexicon else meaning not in lexicon.values()


def solve_open(trial: Trial) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return the possible meanings of each word if it may mean any value, and which options may then name the query.

    A word means a value that all its pictures have and no picture of another word has. A word that was never heard fits
    only if no heard word does.
    """
    examples: dict[str, list[Thing]] = {}
    for panel in trial.panels:
        examples.setdefault(panel.utterance, []).append(panel.scene.things[0])
    values = {word: frozenset.intersection(*map(frozenset, things)) for word, things in examples.items()}
    other_values = {
        word: frozenset(
            value for rival, things in examples.items() if rival != word for thing in things for value in thing
        )
        for word in examples
    }
    may = {word: values[word] - other_values[word] for word in examples}
    query = frozenset(trial.query.things[0])
    verdicts = [bool(may[word] & query) if word in may else None for word in trial.options]
    return may, tuple(not any(verdicts) if fits is None else fits for fits in verdicts)


def leaks(trial: Trial) -> dict[str, tuple[bool, ...]]:
    """Return the options that remain without a look at pictures: heard words (in ``number``, ``pragmatic`` all)."""
    return {"elimination": tuple(word in trial.heard for word in trial.options)}


SOLVERS = {"exact": solve, "open": solve_open}


def about(name: str) -> SimpleNamespace:
    """Return what the module of a task has, for words about this attribute."""
    return SimpleNamespace(
        SYLLABLES=SYLLABLES, WORDS=KNOWN + DUMMIES, SOLVERS=SOLVERS, generate=partial(generate, name), solve=solve,
        leaks=leaks,
    )  # fmt: skip
