"""Words for six of the sixteen values; a hand points at a thing, and the word is true of that thing only (§ 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from cogkit.core.seeding import one_of
from cogkit.mewl.problems.drafts import Draft, shuffled
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Trial
from cogkit.mewl.problems.tasks import attribute
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF, ATTRIBUTES, EVERY, VALUES, Thing

SYLLABLES, WORDS = 2, PANELS
_EVERY_VALUE = tuple(ATTRIBUTE_OF)
_ASIDE = math.radians(10)  # the least angle between the direction of the hand and any other thing
_SMALLEST = 1e-12


def generate(rng: np.random.Generator, words: Sequence[str], profile: str) -> Draft:
    """Return a draft: three things in each picture, and only the one that the hand points at has the named value.

    ``verified``: the hand points well clear of the other two.
    """
    lexicon = dict(zip(words, shuffled(_EVERY_VALUE, rng)[:WORDS], strict=True))
    panels = [(_scene(value, rng, profile), word) for word, value in shuffled(list(lexicon.items()), rng)]
    answer = words[int(rng.integers(WORDS))]
    distractors = shuffled([word for word in words if word != answer], rng)[: OPTIONS - 1]
    return Draft(panels, _scene(lexicon[answer], rng, profile), [answer, *distractors], answer, lexicon)


def _scene(value: str, rng: np.random.Generator, profile: str) -> Scene:
    things, target = _things(value, rng)

    def fit(scene: Scene) -> bool:
        return (profile != "verified" or _well_aimed(scene)) and geometry.clear(scene)

    return placing.place(things, rng, profile, fit, target)


def _things(value: str, rng: np.random.Generator) -> tuple[list[Thing], int]:
    """Return three things, and the place of the only one that has a value."""
    attribute = ATTRIBUTE_OF[value]
    while True:
        base = one_of(EVERY, rng)
        target = base._replace(**{attribute: value})
        other_attribute = one_of([name for name in ATTRIBUTES if name != attribute], rng)
        third = base._replace(**{other_attribute: one_of(VALUES[other_attribute], rng)})
        if len({base, target, third}) == 3:
            things = shuffled([base, target, third], rng)
            return things, things.index(target)


def _well_aimed(scene: Scene) -> bool:
    x, y = scene.hand
    for k, (a, b) in enumerate(scene.places):
        turn = math.atan2(b - y, a - x) - scene.heading
        if k != scene.target and abs(math.remainder(turn, 2 * math.pi)) < _ASIDE:
            return False
    return True


def excluding(scene: Scene, least: int) -> frozenset[str]:
    """Return the values of the target that at least ``least`` of the other two things lack: 0, 1 or 2."""
    return frozenset(value for value in scene.pointed if sum(value not in thing for thing in scene.things) >= least)


def solve(trial: Trial, least: int | None = None) -> tuple[dict[str, frozenset[str]], tuple[bool, ...]]:
    """Return the possible meanings of each word, and which options fit the query.

    A word rules out at least ``least`` of the other things, by default all of them.
    """
    least = len(trial.query.things) - 1 if least is None else least
    may = {panel.utterance: excluding(panel.scene, least) for panel in trial.panels}
    query = excluding(trial.query, least)
    return may, tuple(
        bool(may[word] & query) if word in may else bool(query - set().union(*may.values())) for word in trial.options
    )


def rational(trial: Trial, alpha: float = 1.0) -> np.ndarray:
    """Return the probability of each option if speakers are rational (rational speech acts): (5,), sum 1.

    A literal listener picks any thing that has the named value. A speaker names each value of the target in proportion
    to the chance that this listener picks the target, to the power ``alpha``.
    """
    speakers = {panel.utterance: speaker(panel.scene.things, panel.scene.pointed, alpha) for panel in trial.panels}
    query = speaker(trial.query.things, trial.query.pointed, alpha)
    scores = np.array(
        [sum(p * query.get(value, 0.0) for value, p in speakers.get(word, {}).items()) for word in trial.options]
    )
    return (scores + _SMALLEST) / (scores + _SMALLEST).sum()


def speaker(things: Sequence[Thing], target: Thing, alpha: float) -> dict[str, float]:
    """Return the probability that a rational speaker names each value of the target, as in `rational`."""
    shares = {value: sum(value in thing for thing in things) ** -alpha for value in target}
    return {value: share / sum(shares.values()) for value, share in shares.items()}


leaks = attribute.leaks
SOLVERS = {"exact": solve, "informative": partial(solve, least=1), "literal": partial(solve, least=0)}
