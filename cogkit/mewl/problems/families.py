"""Families of episodes: they hold a value, or a pair of values, that training never holds and the test asks about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from cogkit.mewl.problems.drafts import Draft
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.problems.tasks import number, relation
from cogkit.mewl.world.things import ATTRIBUTE_OF, Thing

Check = Callable[[Episode], bool]


class Family(NamedTuple):
    """Episodes of a task that hold something which training never holds.

    Attributes
    ----------
    name, task, rung, bound, note
        As those of the `Split`: ``name`` says what is held out, and ``task`` is one of the nine.
    clean : callable
        Whether an episode holds none of it, in no panel, query or option: training and validation are such episodes.
    tests : callable
        Whether the right answer depends on it: the test is such episodes.
    generate : callable, optional
        What drafts the episodes of training, for a task whose own episodes are never clean.
    """

    name: str
    task: str
    rung: str
    bound: float
    note: str
    clean: Check
    tests: Check
    generate: Callable[..., Draft] | None = None


def _of_things(out: Callable[[Thing], bool]) -> tuple[Check, Check]:
    """Return both checks of a family of things that no picture of training holds."""

    def clean(episode: Episode) -> bool:
        return not any(out(thing) for scene in episode.trial.scenes for thing in scene.things)

    return clean, lambda episode: any(map(out, episode.trial.query.things))


def _of_names(out: Callable[[list[str]], bool]) -> tuple[Check, Check]:
    """Return both checks of a family of names: what its words are about is the same in the whole episode."""

    def tests(episode: Episode) -> bool:
        return out([ATTRIBUTE_OF[episode.lexicon[word]] for word in episode.trial.options[0].split()])

    return lambda episode: not tests(episode), tests


def _behind(episode: Episode) -> bool:
    return episode.lexicon[relation.read(episode.trial.options[episode.answer])[1]] == "behind"


_MOST = 4  # things in a picture, where five and six are held out
_HUES = ("brown", "purple")
_BETWEEN = (
    "By hue, brown lies between red and yellow, and purple between blue and red, which are trained on. In slots each "
    "color is a number of its own, and theirs are always 0 in training."
)
_FAMILIES = (
    Family(
        "two unseen", "color", "interpolation", 0.25, f"No thing of training is brown or purple. {_BETWEEN}",
        *_of_things(lambda thing: thing.color in _HUES),
    ),
    Family(
        "two colors unseen", "object", "interpolation", 0.05,
        f"No thing of training is brown or purple, and every query of the test has such a thing. {_BETWEEN}",
        *_of_things(lambda thing: thing.color in _HUES),
    ),
    Family(
        "5-6", "number", "extrapolation", 0.15,
        "Pictures of training hold one to four things: one and two have two panels each, and two words are never heard."
        " In the test each number has one panel, as published, and the query holds five or six things, beyond those.",
        lambda episode: max(len(scene.things) for scene in episode.trial.scenes) <= _MOST,
        lambda episode: len(episode.trial.query.things) > _MOST,
        partial(number.generate, most=_MOST),
    ),
    Family(
        "red never metal", "material", "composition", 0.5,
        "Training has red things and metal things, but no red metal; every query of the test is red metal.",
        *_of_things(lambda thing: (thing.color, thing.material) == ("red", "metal")),
    ),
    Family(
        "shape and material", "composite", "composition", 0.1,
        "Names of training are of a color with a shape or a material, and those of the test of a shape and a material.",
        *_of_names(lambda attributes: "color" not in attributes),
    ),
    Family(
        "color first", "composite", "composition", 0.05,
        "The first word of a name means a color in no episode of training, and in every episode of the test.",
        *_of_names(lambda attributes: attributes[0] == "color"),
    ),
    Family(
        "behind", "relation", "composition", 0.2,
        "Words of training mean left, right and front; behind is the other end of front, as right is that of left. The "
        "right answer of the test says what is behind. Captions always say it in English.",
        lambda episode: "behind" not in episode.lexicon.values(), _behind,
    ),
)  # fmt: skip
FAMILIES = {f"{family.task}/{family.name.replace(' ', '-')}": family for family in _FAMILIES}
"""The families by the task of their result rows, such as ``color/two-unseen``."""
