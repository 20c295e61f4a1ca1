"""Learners of words across situations, who count or who guess: models of people that need no training.

Both hear a word together with all that it could mean there, panel after panel, and know the words that everybody knows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations
from math import prod

import numpy as np

from cogkit.core import seeding
from cogkit.mewl.problems.drafts import one_of
from cogkit.mewl.problems.episodes import Asked, Question
from cogkit.mewl.problems.tasks import relation as relations
from cogkit.mewl.problems.tasks.bootstrap import ways
from cogkit.mewl.world.scenes import RELATIONS, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF, EVERY

Reading = list[tuple[str, Hashable]]  # words, and what each then means
_VALUES = ("shape", "color", "material", "pragmatic", "composite")


def readings(task: str, scene: Scene, said: str) -> list[Reading]:
    """Return every way in which what is said can be about a scene: what each unknown word would mean.

    Values of the thing that is there, or pointed at; things; how many there are; relations that are so. Known words are
    heeded: nouns of ``relation``, and left, right, front and behind of ``bootstrap``.

    Examples
    --------
    >>> scene = Scene(EVERY[:2], ((0.0, 0.0), (2.0, 2.0)), (0.0, 0.0))
    >>> readings("number", scene, "pado")
    [[('pado', 2)]]
    """
    words = said.replace(" and ", " ").split()
    if task == "number":
        return [[(said, len(scene.things))]]
    if task == "relation":
        _, word, _ = sentence = relations.read(said)
        return [[(word, name)] for name in RELATIONS if name in relations.true(scene, sentence)]
    if task == "bootstrap":
        which, name, of = words
        return [[(which, one), (of, other)] for one, other in ways(scene, name, heed=True)]
    there = scene.things[scene.target or 0] if task in _VALUES else scene.things
    return [list(zip(words, meant, strict=True)) for meant in permutations(there, len(words))]


def _meanings(task: str) -> int:
    """Return how many meanings a word of a task may have, for who knows which task it is."""
    spaces = {"number": 6, "relation": len(RELATIONS), "bootstrap": len(EVERY), "object": len(EVERY)}
    return spaces.get(task, len(ATTRIBUTE_OF))


class Associative:
    """Who counts: each word shares its attention among what it may mean, as far as it is used to it.

    Fazly, Alishahi & Stevenson (2010), whose program this is not: one pass over the panels; what a word and a meaning
    have in common grows by how likely the word means it, relative to the other words there.

    Parameters
    ----------
    smoothing : float
        Of what was never seen together, beside one for what was once.

    Examples
    --------
    >>> from cogkit.mewl.scoring import episodes_of, judge
    >>> bool(judge(Associative(), episodes_of("object", n=20)).score.mean() > 0.5)
    True
    """

    name, kind, inputs = "associative learner", "model", "symbols"

    def __init__(self, smoothing: float = 0.01) -> None:
        self.smoothing = smoothing

    def score(self, question: Question) -> np.ndarray:
        """Return what it gives to each option, (n, 5)."""
        return np.array([self._weigh(asked) for asked in question.asked()])

    def _weigh(self, asked: Asked) -> list[float]:
        shared: dict[str, dict[Hashable, float]] = {}
        smooth, most = self.smoothing, _meanings(asked.task)

        def likely(word: str, meaning: Hashable) -> float:
            known = shared.get(word, {})
            return (known.get(meaning, 0.0) + smooth) / (sum(known.values()) + smooth * most)

        for panel in asked.panels:
            may = _candidates(readings(asked.task, panel.scene, panel.utterance))
            grown = [
                (word, meaning, likely(word, meaning) / sum(likely(other, meaning) for other in may))
                for word, meanings in may.items() for meaning in meanings
            ]  # fmt: skip
            for word, meaning, by in grown:
                own = shared.setdefault(word, {})
                own[meaning] = own.get(meaning, 0.0) + by
        return [
            max((prod(likely(*each) for each in way) for way in readings(asked.task, asked.query, option)), default=0.0)
            for option in asked.options
        ]


class ProposeButVerify:
    """Who guesses: each word has one meaning in mind, kept while it fits, forgotten by chance, and else guessed anew.

    Trueswell, Medina, Hafri & Gleitman (2013), whose program this is not. Every question is answered by a learner of
    its own.

    Parameters
    ----------
    recall, gain : float
        How likely a guess is remembered, and what is added for each time that it was borne out.
    seed : int

    Examples
    --------
    >>> from cogkit.mewl.scoring import episodes_of, judge
    >>> bool(judge(ProposeButVerify(), episodes_of("number", n=50)).score.mean() > 0.5)
    True
    """

    name, kind, inputs = "propose-but-verify", "model", "symbols"

    def __init__(self, recall: float = 0.6, gain: float = 0.3, seed: int = 0) -> None:
        self.recall, self.gain, self.seed = recall, gain, seed

    def score(self, question: Question) -> np.ndarray:
        """Return which options fit what it has in mind, (n, 5) of 0 and 1."""
        return np.array([self._weigh(asked) for asked in question.asked()], float)

    def _weigh(self, asked: Asked) -> list[bool]:
        rng = seeding.stream(self.seed, " ".join(("mewl/propose", *asked.options)))
        mind: dict[str, tuple[Hashable, float]] = {}
        for panel in asked.panels:
            may = _candidates(readings(asked.task, panel.scene, panel.utterance))
            for word, meanings in may.items():
                guess, memory = self._recalled(mind, word, rng)
                if guess in meanings:
                    mind[word] = guess, min(1.0, memory + self.gain)
                else:
                    mind[word] = one_of(meanings, rng), self.recall
        now = {word: self._recalled(mind, word, rng)[0] for word in sorted(mind)}
        return [
            any(all(now.get(word) == meaning for word, meaning in way)
                for way in readings(asked.task, asked.query, option))
            for option in asked.options
        ]  # fmt: skip

    @staticmethod
    def _recalled(mind: dict, word: str, rng: np.random.Generator) -> tuple[Hashable | None, float]:
        guess, memory = mind.get(word, (None, 0.0))
        return (guess if rng.random() < memory else None), memory


def _candidates(ways: Sequence[Reading]) -> dict[str, list[Hashable]]:
    """Return what each word may mean by any reading, each meaning once."""
    found: dict[str, dict[Hashable, None]] = {}
    for way in ways:
        for word, meaning in way:
            found.setdefault(word, {})[meaning] = None
    return {word: list(meanings) for word, meanings in found.items()}
