"""The exercises of the MEWL notebooks; those about learners are in `learner_exercises`.

New episodes, which the reader has not seen, test each answer. There is no stored key.
"""

from __future__ import annotations

import math

import numpy as np

from cogkit.mewl import learner_exercises, scoring
from cogkit.mewl.learners.floors import Reference
from cogkit.mewl.problems import making
from cogkit.mewl.problems.drafts import different_things
from cogkit.mewl.problems.episodes import OPTIONS
from cogkit.mewl.world.things import Thing
from cogkit.stats import wilson
from cogkit.study.exercises import Exercises, numbers, unseen

EXERCISES = Exercises(__file__)

_SEED = 20_307  # seed of episodes that no notebook shows
_ASKED = 200
_BETTER = 0.45  # accuracy on bootstrap that the order of words alone exceeds


def _episodes(task: str, profile: str = "verified", n: int = _ASKED) -> list:
    return [making.episode(task, k, profile, _SEED, "val") for k in range(n)]


@EXERCISES("07-blind", "choose(utterances, options)")
def _blind(answer) -> bool | str:
    def weigh(trial) -> np.ndarray:
        return np.eye(OPTIONS)[int(answer(list(trial.utterances), list(trial.options)))]

    reader = Reference("yours", "model", weigh)
    share = scoring.judge(reader, _episodes("bootstrap", "as_published")).score.mean()
    low, _ = wilson(share * _ASKED, _ASKED)
    return bool(low > _BETTER) or unseen(share, _ASKED, "episodes")


@EXERCISES("07-name", "name(panels, query, options)")
def _named(answer) -> bool | str:
    def weigh(trial) -> np.ndarray:
        panels = [(panel.scene.things[0], panel.utterance) for panel in trial.panels]
        return np.eye(OPTIONS)[int(answer(panels, trial.query.things[0], list(trial.options)))]

    for task in ("shape", "color", "material"):
        share = scoring.judge(Reference("yours", "model", weigh), _episodes(task, n=60)).score.mean()
        if (verdict := unseen(share, 60, f"episodes of {task}")) is not True:
            return verdict
    return True


@EXERCISES("07-speaker", "speaker(things, target, alpha)")
def _speaker(answer) -> bool | str:
    rng = np.random.default_rng(_SEED)
    for _ in range(30):
        things, target, alpha = different_things(3, rng), int(rng.integers(3)), float(rng.choice([0.5, 1.0, 2.0, 4.0]))
        reply = answer(things, target, alpha)
        expected = _spoken(things, target, alpha)
        if set(reply) != set(expected):
            return f"for a {things[target]} one can say {', '.join(expected)}, and it says {', '.join(map(str, reply))}"
        if not all(math.isclose(reply[value], share, abs_tol=1e-6) for value, share in expected.items()):
            rest = ", ".join(str(thing) for k, thing in enumerate(things) if k != target)
            words = ", ".join(f"{value} {share:.2f}" for value, share in reply.items())
            return f"for a {things[target]} beside {rest}, with α = {alpha:g}, it says {words}"
    return True


def _spoken(things: list[Thing], target: int, alpha: float) -> dict[str, float]:
    """Return what a rational speaker says: values in proportion to the chance that a literal listener picks the target.

    ``alpha`` is the power of that chance.
    """
    listener = {value: 1 / sum(value in thing for thing in things) for value in things[target]}
    total = sum(share**alpha for share in listener.values())
    return {value: share**alpha / total for value, share in listener.items()}


@EXERCISES("07-above")
def _above(answer) -> bool | str:
    """Check two numbers above text alone: Aloe on shape and Flamingo on bootstrap, from the printed table."""
    expected = {"Aloe, shape": (0.342 - 1 / 3) / (2 / 3), "Flamingo, bootstrap": (0.573 - 0.589) / (1 - 0.589)}
    return numbers(answer, expected, 0.005)


EXERCISES |= learner_exercises.EXERCISES
