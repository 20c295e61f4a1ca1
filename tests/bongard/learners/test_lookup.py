"""The shape lookup: with eyes that know every shape it is the oracle of the table. Otherwise it says what is wrong."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from cogkit.bongard import instrument, scoring
from cogkit.bongard.learners import agents, lookup, observers, pretrained
from cogkit.bongard.learners.sight import SEEN
from cogkit.bongard.problems import records, sets
from cogkit.bongard.problems.records import A_SIDE, SIDES
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError

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


@pytest.fixture(scope="module")
def shown():
    """Problems in which every shape occurs that the asked ones have."""
    return [problem for task in ("CM", "NV") for problem in sets.problems(task, 60)]


def test_with_eyes_that_know_all_shapes_it_answers_as_the_oracle_of_the_table(shown):
    learner, shapes = lookup.ShapeLookup(EYES, shown), inventory.available()
    oracle = observers.attribute_oracle(shapes)
    for task in ("CM", "NV"):
        problems = sets.problems(task, 40)
        ours = scoring.judge(learner, problems, task=task, images=knowing(problems))
        theirs = scoring.judge(oracle, problems, task=task, shapes=shapes)
        assert np.allclose(ours.chance, theirs.chance) and ours.supervision == "names and attributes"
        assert ours.right.mean() > 0.5 + 4 * np.sqrt(0.25 / 80)


def test_two_shapes_tell_it_nothing(shown):
    learner, basic = lookup.ShapeLookup(EYES, shown), sets.problems("BA", 4)
    assert (scoring.judge(learner, basic, images=knowing(basic)).chance == 0.5).all()


def test_without_named_shapes_it_refuses():
    with pytest.raises(InputError, match="two shapes or more"):
        lookup.ShapeLookup(EYES, sets.problems("FF", 3))


def test_its_cell_gives_rows(home):
    sight = pretrained.SIGHT.config("quick", problems=4, validated=4, tested=2, steps=2, batch=8, looks=1)
    config = agents.LOOKUP.config("quick", sight=sight, problems=40, tested=3)
    rows = lookup.run(config, "verified", 0)
    assert {row["supervision"] for row in rows} == {"names and attributes"}
    named = {row["task"]: row["n"] for row in rows if row["task"].startswith("telling/")}
    assert named == {"telling/CM/shape": 42, "telling/NV/shape": 42}
    assert {"CM", "NV"} <= {row["task"] for row in rows}
    assert "bongard/shape-lookup-on-eyes" in {cell.id for cell in instrument.cells()}
