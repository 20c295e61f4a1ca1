"""Words for one to six things (§ 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import numpy as np

from cogkit.mewl.problems.drafts import Draft, different_things, scene_of, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Trial
from cogkit.mewl.problems.tasks import attribute

SYLLABLES, WORDS = 2, PANELS


def generate(rng: np.random.Generator, words: Sequence[str], profile: str, most: int = PANELS) -> Draft:
    """Return a draft: each count has one panel, and one of them is also the query.

    With fewer counts than panels, the first counts have another panel, and the other words are never heard.
    """
    lexicon = dict(zip(words, range(1, most + 1), strict=False))
    panels = [
        (scene_of(different_things(count, rng), rng, profile), word)
        for word, count in shuffled(list(islice(cycle(lexicon.items()), PANELS)), rng)
    ]
    answer = words[int(rng.integers(most))]
    distractors = shuffled([word for word in words if word != answer], rng)[: OPTIONS - 1]
    query = scene_of(different_things(lexicon[answer], rng), rng, profile)
    return Draft(panels, query, [answer, *distractors], answer, lexicon)


def solve(trial: Trial) -> tuple[dict[str, int], tuple[bool, ...]]:
    """Return the number that each word means, and which options name the query."""
    lexicon = {panel.utterance: len(panel.scene.things) for panel in trial.panels}
    count = len(trial.query.things)
    return lexicon, tuple(attribute.may_mean(lexicon, word, count) for word in trial.options)


leaks = attribute.leaks
SOLVERS = {"exact": solve}
