"""Learners of words across situations: models of people that need no training. One counts, the other guesses.

Both read the panels one after another. In each panel they get every word with all its possible meanings. They already
know the common English words.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations
from math import prod

import numpy as np

from cogkit.core import seeding
from cogkit.mewl.problems.episodes import Question, Trial
from cogkit.mewl.problems.tasks import relation as relations
from cogkit.mewl.problems.tasks.bootstrap import ways
from cogkit.mewl.world.scenes import RELATIONS, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF, EVERY

Reading = list[tuple[str, Hashable]]  # words with their meanings
_VALUES = ("shape", "color", "material", "pragmatic", "composite")


def readings(task: str, scene: Scene, utterance: str) -> list[Reading]:
    """Return every way in which an utterance can describe a scene: a possible meaning for each unknown word.

    Meanings are values of the only thing or of the thing pointed at, things, numbers of things, or true relations.
    Known words restrict them: the nouns of ``relation``, and left, right, front and behind of ``bootstrap``.

    Examples
    --------
    >>> scene = Scene(EVERY[:2], ((0.0, 0.0), (2.0, 2.0)), (0.0, 0.0))
    >>> readings("number", scene, "pado")
    [[('pado', 2)]]
    """
    words = utterance.replace(" and ", " ").split()
    if task == "number":
        return [[(utterance, len(scene.things))]]
    if task == "relation":
        _, word, _ = sentence = relations.read(utterance)
        return [[(word, name)] for name in RELATIONS if name in relations.true(scene, sentence)]
    if task == "bootstrap":
        first, name, second = words
        return [[(first, meaning), (second, landmark)] for meaning, landmark in ways(scene, name, heed=True)]
    candidates = scene.things[scene.target or 0] if task in _VALUES else scene.things
    return [list(zip(words, meanings, strict=True)) for meanings in permutations(candidates, len(words))]


def _meanings(task: str) -> int:
    """Return how many meanings a word of a task may have, if the task is known."""
    spaces = {"number": 6, "relation": len(RELATIONS), "bootstrap": len(EVERY), "object": len(EVERY)}
    return spaces.get(task, len(ATTRIBUTE_OF))


class Associative:
    """The learner that counts: each word divides its attention among its possible meanings, by their strength so far.

    After Fazly, Alishahi & Stevenson (2010), but not their program. It reads the panels once. The strength between a
    word and a meaning grows by the probability of this meaning for the word, relative to the other words in the panel.
    ``smoothing`` is the strength of a word and a meaning that never occurred together; one occurrence adds at most 1.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episodes_of
    >>> from cogkit.mewl.scoring import judge
    >>> bool(judge(Associative(), episodes_of("object", n=20)).score.mean() > 0.5)
    True
    """

    name, kind, inputs = "associative learner", "model", "symbols"

    def __init__(self, smoothing: float = 0.01) -> None:
        self.smoothing = smoothing

    def score(self, question: Question) -> np.ndarray:
        """Return the score of each option, (n, 5)."""
        return np.array([self._weigh(trial) for trial in question.trials()])

    def _weigh(self, trial: Trial) -> list[float]:
        strengths: dict[str, dict[Hashable, float]] = {}
        smooth, n_meanings = self.smoothing, _meanings(trial.task)

        def likely(word: str, meaning: Hashable) -> float:
            strength = strengths.get(word, {})
            return (strength.get(meaning, 0.0) + smooth) / (sum(strength.values()) + smooth * n_meanings)

        for panel in trial.panels:
            may = candidates(readings(trial.task, panel.scene, panel.utterance))
            gains = [
                (word, meaning, likely(word, meaning) / sum(likely(rival, meaning) for rival in may))
                for word, meanings in may.items() for meaning in meanings
            ]  # fmt: skip
            for word, meaning, gain in gains:
                strength = strengths.setdefault(word, {})
                strength[meaning] = strength.get(meaning, 0.0) + gain
        return [
            max((prod(likely(*pair) for pair in way) for way in readings(trial.task, trial.query, option)), default=0.0)
            for option in trial.options
        ]


class ProposeButVerify:
    """The learner that guesses: it remembers one meaning for each word.

    It keeps a guess while it fits, may forget it by chance, and then guesses again. After Trueswell, Medina, Hafri &
    Gleitman (2013), but not their program. A new learner answers each question. ``recall`` is the probability of
    remembering a guess, and ``gain`` its increase each time that the guess was confirmed.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episodes_of
    >>> from cogkit.mewl.scoring import judge
    >>> bool(judge(ProposeButVerify(), episodes_of("number", n=50)).score.mean() > 0.5)
    True
    """

    name, kind, inputs = "propose-but-verify", "model", "symbols"

    def __init__(self, recall: float = 0.6, gain: float = 0.3, seed: int = 0) -> None:
        self.recall, self.gain, self.seed = recall, gain, seed

    def score(self, question: Question) -> np.ndarray:
        """Return which options fit the remembered meanings, (n, 5) of 0 and 1."""
        return np.array([self._weigh(trial) for trial in question.trials()], float)

    def _weigh(self, trial: Trial) -> list[bool]:
        rng = seeding.stream(self.seed, " ".join(("mewl/propose", *trial.options)))
        mind: dict[str, tuple[Hashable, float]] = {}
        for panel in trial.panels:
            may = candidates(readings(trial.task, panel.scene, panel.utterance))
            for word, meanings in may.items():
                guess, memory = self._recalled(mind, word, rng)
                if guess in meanings:
                    mind[word] = guess, min(1.0, memory + self.gain)
                else:
                    mind[word] = seeding.one_of(meanings, rng), self.recall
        now = {word: self._recalled(mind, word, rng)[0] for word in sorted(mind)}
        return [
            any(all(now.get(word) == meaning for word, meaning in way)
                for way in readings(trial.task, trial.query, option))
            for option in trial.options
        ]  # fmt: skip

    @staticmethod
    def _recalled(mind: dict, word: str, rng: np.random.Generator) -> tuple[Hashable | None, float]:
        guess, memory = mind.get(word, (None, 0.0))
        return (guess if rng.random() < memory else None), memory


def candidates(ways: Sequence[Reading]) -> dict[str, list[Hashable]]:
    """Return the possible meanings of each word over all readings, each meaning once.

    Examples
    --------
    >>> candidates([[("a", 1), ("b", 2)], [("a", 2), ("b", 1)]])
    {'a': [1, 2], 'b': [2, 1]}
    """
    pairs = dict.fromkeys(pair for way in ways for pair in way)
    return {word: [meaning for other, meaning in pairs if other == word] for word, _ in pairs}
