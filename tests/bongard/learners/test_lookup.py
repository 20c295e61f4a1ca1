"""The shape lookup: with eyes that know every shape it is the oracle of the table. Otherwise it says what is wrong."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from cogkit.bongard import scoring
from cogkit.bongard.learners import lookup, observers
from cogkit.bongard.learners.perception import SEEN
from cogkit.bongard.problems import records, sets
from cogkit.bongard.problems.records import A_SIDE, SIDES, Items
from cogkit.bongard.shapes import inventory

pytestmark = pytest.mark.usefixtures("one_thread")


def code_of(name: str, noise: np.random.Generator) -> np.ndarray:
    """What eyes see that tell all shapes apart: a point of its own for each name, and some noise."""
    own = np.random.default_rng([*name.encode()])
    return np.append(own.normal(size=SEEN - 1) + 0.1 * noise.normal(size=SEEN - 1), 1)


def knowing(problems) -> np.ndarray:
    noise = np.random.default_rng(0)
    looks = [sum(code_of(shape.name, noise) for shape in picture) for picture in records.pictures(problems)]
    return np.array(looks, np.float32).reshape(len(problems), len(SIDES), A_SIDE, SEEN)


EYES = SimpleNamespace(seen=knowing, looked_at=lambda pictures: pictures)


def test_with_eyes_that_know_all_shapes_it_answers_as_the_oracle_of_the_table():
    tasks, basic = {task: sets.problems(task, 12) for task in ("CM", "NV")}, sets.problems("BA", 4)
    shapes = inventory.available()
    learner, oracle = lookup.ShapeLookup(EYES, [*tasks["CM"], *tasks["NV"]]), observers.attribute_oracle(shapes)
    for task, problems in tasks.items():
        ours = scoring.judge(learner, Items(tuple(problems), "bongard", task), images=knowing(problems))
        theirs = scoring.judge(oracle, Items(tuple(problems), "bongard", task), shapes=shapes)
        assert np.allclose(ours.chance, theirs.chance) and ours.supervision == "names and attributes"
        assert ours.right.mean() > 0.5 + 4 * np.sqrt(0.25 / 24)
    assert (scoring.judge(learner, basic, images=knowing(basic)).chance == 0.5).all()  # two shapes tell it nothing
