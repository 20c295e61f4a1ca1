"""Names of two words, each for a value of its own attribute; their order tells which attribute (§ 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

from cogkit.core.seeding import one_of
from cogkit.mewl.problems.drafts import Draft, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Trial
from cogkit.mewl.problems.tasks import attribute
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing

SYLLABLES, WORDS = 3, 6
_NAMED = 3  # attributes that may be named: not size
_VALUES = 3  # of each
_ALL = tuple(product(range(_VALUES), range(_VALUES)))


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: two attributes, three values of each, a word for each value.

    As published: each of the nine combinations becomes a thing, and in the first six only the two attributes are
    constant under their words. Then a shuffle follows, so the six panels need not be those six. Options are the three
    combinations without a panel, and two with one. ``verified``: four combinations have panels, two of them twice, so
    that every word is heard. The options are the other five.
    """
    places = shuffled(range(_NAMED), rng)[:2]
    values = [shuffled(VALUES[ATTRIBUTES[place]], rng)[:_VALUES] for place in places]
    word_lists = [words[:_VALUES], words[_VALUES:WORDS]]
    make = _verified if profile == "verified" else _published
    context, query, options = make(places, values, rng)
    lexicon = {word: value for side in range(2) for word, value in zip(word_lists[side], values[side], strict=True)}

    def name_of(combination: tuple[int, int]) -> str:
        return f"{word_lists[0][combination[0]]} {word_lists[1][combination[1]]}"

    panels = [(scene_of([thing], rng, profile), name_of(combination)) for combination, thing in context]
    combination, thing = query
    return Draft(panels, scene_of([thing], rng, profile), list(map(name_of, options)), name_of(combination), lexicon)


def _thing(combination: tuple[int, int], places: Sequence[int], values, rng: np.random.Generator) -> Thing:
    """Return a thing of a combination, with random values of its other attributes."""
    fixed = {place: values[side][combination[side]] for side, place in enumerate(places)}
    return Thing(*(fixed.get(k) or one_of(VALUES[name], rng) for k, name in enumerate(ATTRIBUTES)))


def _published(places, values, rng: np.random.Generator):
    while True:
        things = {combination: _thing(combination, places, values, rng) for combination in _ALL}
        if _is_unambiguous(list(things.items())[:PANELS], places):
            break
    order = shuffled(_ALL, rng)
    context, query, unseen = order[:PANELS], order[PANELS], order[PANELS:]
    options = [*unseen, *shuffled(context, rng)[: OPTIONS - len(unseen)]]
    return [(combination, things[combination]) for combination in context], (query, things[query]), options


def _verified(places, values, rng: np.random.Generator):
    while True:
        order = shuffled(_ALL, rng)
        combinations, unseen = order[:4], order[4:]
        if not all({combination[side] for combination in combinations} == set(range(_VALUES)) for side in range(2)):
            continue
        context = shuffled([*combinations, *shuffled(combinations, rng)[:2]], rng)
        panels = [(combination, _thing(combination, places, values, rng)) for combination in context]
        query = (unseen[0], _thing(unseen[0], places, values, rng))
        if len(set(panels)) == len(panels) and _is_unambiguous(panels, places):
            return panels, query, unseen


def _is_unambiguous(made: Sequence[tuple[tuple[int, int], Thing]], places: Sequence[int]) -> bool:
    """Return whether, for both words of the names, only their own attribute is constant under every word."""
    combinations, things = zip(*made, strict=True)
    return all(
        attribute.constant([combination[side] for combination in combinations], things) == [place]
        for side, place in enumerate(places)
    )


def solve(trial: Trial) -> tuple[list[tuple[int, int]], tuple[bool, ...]]:
    """Return the attributes that the first and second word may be about, and which options may name the query."""
    survivors, fits = [], np.zeros(len(trial.options), bool)
    for places in permutations(range(len(ATTRIBUTES)), 2):
        lexicons = [attribute.meant(trial, place, side) for side, place in enumerate(places)]
        if None in lexicons:
            continue
        survivors.append(places)
        fits |= [
            all(
                attribute.may_mean(lexicons[side], word, trial.query.things[0][places[side]])
                for side, word in enumerate(option.split())
            )
            for option in trial.options
        ]
    return survivors, tuple(map(bool, fits))


def leaks(trial: Trial) -> dict[str, tuple[bool, ...]]:
    """Return the options that remain without a look at pictures: names that no panel has."""
    names = set(trial.utterances)
    return {"unsaid": tuple(option not in names for option in trial.options)}


SOLVERS = {"exact": solve}
