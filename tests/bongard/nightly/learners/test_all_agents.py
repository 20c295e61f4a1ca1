"""Every agent on pictures and on windows: it resumes bit for bit, fits ten problems, and its cell has its rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from learners.bars import SIZE, TINY, fit, same, small, taken_up
from learners.eyes import EYES

from cogkit.bongard.learners import agents, reasoners, training
from cogkit.bongard.learners.windows import shapes_of
from cogkit.bongard.problems import sets
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread", "home")


@pytest.mark.parametrize("agent", agents.NAMES)
def test_a_run_taken_up_again_is_the_same_bit_for_bit(agent, tmp_path):
    straight, again = taken_up(partial(fit, small(agent), 2), tmp_path / "run", 3)
    assert all(same(straight, again, module) for module in ("network", "best")) and again.log.equals(straight.log)


@pytest.mark.parametrize("agent", [name for name in agents.NAMES if name not in agents.PRETRAINED])
def test_every_kind_fits_ten_problems(agent):
    """With the optimiser of `lab`. CNN-Baseline gets more width and time: its first layer sees fourteen windows.

    Set Transformer gets more time too: after 60 steps it has not always the same answers without dropout.
    """
    lab = agents.config(agent, "lab")
    own = {name: getattr(lab.recipe, name) for name in ("optimiser", "learning_rate", "weight_decay")}
    own |= agents.of_head(lab)
    own |= {"reduction": 4, "steps": 200} if agent == "cnn" else {"steps": {"set-transformer": 100}.get(agent, 60)}
    shapes = shapes_of(sets.problems("train", 10, source="catalogue"), SIZE)
    result = run(training.fit(small(agent, view="shapes", batch=10, flip="none", **own), 0, shapes, log_every=5))
    assert result.log.accuracy.tail(4).mean() >= 0.9
    assert training.accuracy(training.to_agent(result), shapes) >= 0.9


def test_a_cell_tells_of_its_own_set_of_problems():
    for name, tests in (("free-form", {f"{sets.ABLATION}/FF"}), ("sectors", set(sets.TESTS))):
        batch = TINY | {"problems": 8, "tested": 8}  # the fewest that are asked about as published
        rows = training.REGISTRY.run(agents.config("protonet", "quick", set=name, **batch), "as_published", seed=0)
        own = sets.ABLATION if name == "free-form" else sets.SECTORS
        assert {row["task"] for row in rows if row["metric"] == "accuracy"} >= {f"{own}/train", *tests}
        assert {row["task"] for row in rows if "step" in row["metric"]} == {f"{own}/val"}
        assert name == "sectors" or all(row["task"].startswith(own) for row in rows)


@pytest.mark.timeout(900)
def test_learners_of_new_shapes_are_told_how_far_they_are_above_memory():
    batch = TINY | {"problems": 8, "tested": 8}
    eyes = replace(EYES, set=sets.NEW)
    for registry, config in (
        (training.REGISTRY, agents.config("snail", "quick", set=sets.NEW, **batch)),
        (training.REGISTRY, agents.config("wren", "quick", set=sets.NEW, **batch)),
        (reasoners.REGISTRY, agents.SEEING["wren-on-eyes"].config(
            "quick", set=sets.NEW, sight=eyes, problems=8, validated=4, tested=8, batch=4, steps=2)),
    ):  # fmt: skip
        rows = registry.run(config, "verified", seed=0)
        answers = [(row["task"], row["metric"]) for row in rows if "step" not in row["metric"]]
        tests = [(task, metric) for task in sets.NEW_TESTS for metric in ("accuracy", "above memory")]
        assert answers == [(f"{sets.NEW}/train", "accuracy"), *tests]
        assert {row["n"] for row in rows if row["metric"] == "above memory"} == {8}
        assert {row["task"] for row in rows if "step" in row["metric"]} <= {f"{sets.NEW}/val"}
