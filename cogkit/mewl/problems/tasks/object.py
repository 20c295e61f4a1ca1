"""A word for each of six things; pictures have three, and only things that occur together identify them (§ 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

import numpy as np

from cogkit.mewl.problems.drafts import Draft, different_things, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Trial

SYLLABLES, WORDS = 3, 6
_TRIPLES = tuple(combinations(range(WORDS), 3))
_AND = " and "


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: six things, and seven triples of them.

    ``verified``: every word is heard; only one option fits the query; and words and things each come in a random order.
    As published, both come in the order of the lexicon.
    """
    verified, things = profile == "verified", different_things(WORDS, rng)
    while True:
        triples = shuffled(_TRIPLES, rng)
        context, query, options = triples[:PANELS], triples[PANELS], triples[PANELS : PANELS + OPTIONS]
        if not verified or (
            len(set().union(*context)) == WORDS
            and sum(_as_often([(set(triple), set(triple)) for triple in context], query, options)) == 1
        ):
            break

    def name_of(triple: Sequence[int]) -> str:
        return _AND.join(words[k] for k in (shuffled(triple, rng) if verified else triple))

    def picture_of(triple: Sequence[int]):
        return scene_of([things[k] for k in (shuffled(triple, rng) if verified else triple)], rng, profile)

    names = {triple: name_of(triple) for triple in options}
    panels = [(picture_of(triple), name_of(triple)) for triple in context]
    return Draft(panels, picture_of(query), list(names.values()), names[query], dict(zip(words, things, strict=True)))


def _as_often(
    panels: Sequence[tuple[set, set]], query: Sequence[Hashable], options: Sequence[Sequence[Hashable]]
) -> list[bool]:
    """Return which options have words that occur in exactly the same panels as the things of the query.

    A panel is a set of things and a set of words.
    """

    def company(each: Hashable, side: int) -> tuple[bool, ...]:
        return tuple(each in panel[side] for panel in panels)

    target = Counter(company(thing, 0) for thing in query)
    return [Counter(company(word, 1) for word in option) == target for option in options]


def solve(trial: Trial) -> tuple[int, tuple[bool, ...]]:
    """Return the number of words that differ from all others in their panels, and which options may name the query.

    A word may mean a thing that is in exactly the panels of the word. An option fits if each of its words can get a
    thing of the query.
    """
    panels = [(set(panel.scene.things), set(panel.utterance.split(_AND))) for panel in trial.panels]
    groups = Counter(
        tuple(word in words for _, words in panels) for word in set().union(*(words for _, words in panels))
    )
    alone = sum(count == 1 for count in groups.values())
    return alone, tuple(_as_often(panels, trial.query.things, [option.split(_AND) for option in trial.options]))


def leaks(trial: Trial) -> dict[str, tuple[bool, ...]]:
    """Return the options that remain without a look at pictures: triples that are no panel's name, which is all."""
    names = [set(name.split(_AND)) for name in trial.utterances]
    return {"unsaid": tuple(set(option.split(_AND)) not in names for option in trial.options)}


SOLVERS = {"exact": solve}
