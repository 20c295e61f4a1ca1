"""All reasoners fit ten problems, and cells of eyes and of those who look with them have their rows."""

from __future__ import annotations

import numpy as np
import pytest
from learners.eyes import EYES, FASTER, agent_of, planted

from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.learners import agents, perception
from cogkit.bongard.learners.networks.window_network import PARTS
from cogkit.bongard.learners.windows import shapes_of
from cogkit.bongard.problems import sets
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("name", agents.REASONERS)
def test_a_reasoner_fits_ten_problems(name):
    attributes = PARTS["code"] + PARTS["sums"]  # a concept search has words for attributes, but not for the lack of one
    codes = planted(10, 0, attributes, (1,)) if name.startswith("concept") else planted(10, 0)
    agent = agent_of(name, codes, batch=10, steps=60 if name.startswith("snail") else 200, learning_rate=3e-3)
    chances = agent.chances(codes)
    assert ((chances > 0.5) == [True, False]).mean() >= 0.95, chances


def test_the_door_trains_reasoners_too(home):
    fit = INSTRUMENT.train("anil-on-eyes", **FASTER, problems=4, validated=2, batch=4, steps=2)
    assert run(fit).log.step.max() == 2


def test_a_run_of_eyes_has_rows_for_strokes_and_every_attribute(home):
    rows = perception.REGISTRY.run(EYES, "verified", 0)
    tasks = {row["task"]: row["n"] for row in rows}
    assert {"telling/strokes", "telling/has_curve", "telling/train/strokes"} <= set(tasks)
    assert not any(sets.NOVEL in task for task in tasks)
    assert {row["supervision"] for row in rows} == {"attributes"} and {row["kind"] for row in rows} == {"model"}
    assert tasks["telling/strokes"] >= EYES.tested * 14 * 4 > tasks["telling/convex"]


def test_processes_cut_many_problems_as_one_does(tmp_path, monkeypatch):
    problems = sets.problems("train", 40, source="catalogue")
    crops = []
    for jobs in (1, 2):
        monkeypatch.setenv("COGKIT_HOME", str(tmp_path / str(jobs)))
        crops.append(shapes_of(problems, 32, jobs)[:])
    assert np.array_equal(*crops)
