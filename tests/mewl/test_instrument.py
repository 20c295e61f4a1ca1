"""The instrument as the house sees it: every cell runs and gives rows, and no test has what was taught."""

from __future__ import annotations

from cogkit.app import experiments
from cogkit.core.items import keys, overlap
from cogkit.core.records import INPUTS, KINDS
from cogkit.data import results
from cogkit.mewl.instrument import INSTRUMENT
from cogkit.mewl.learners import agents, exposures, floors, perception
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.families import FAMILIES


def test_there_is_a_cell_for_each_reference_and_each_agent_on_each_set():
    ids = {cell.id for cell in experiments.cells("mewl/*")}
    others = {"sight", "reading", "monet", "errors"}
    others |= set(floors.REFERENCES) | {f"{agent}/{tasks}" for agent in agents.NAMES for tasks in ("together", *TASKS)}
    own = [agent for agent, kind in agents.KINDS.items() if not kind.eyes]  # shared eyes have met all families
    others |= {f"{who}/{family}" for who in own for family in FAMILIES}
    others |= {f"memory/{task}" for task in (*TASKS, *FAMILIES)}
    others |= {f"minilm-{what}/{task}" for what in ("word-learner", "pairs") for task in TASKS}
    assert ids == {f"mewl/{name}" for name in others}
    for cell in experiments.cells("mewl/*"):
        assert set(cell.configs) == {"quick", "lab", "paper"}


def test_every_reference_runs_at_quick_and_is_shipped_on_every_test_episode():
    shipped = results.shipped("mewl")
    for name in floors.REFERENCES:
        (cell,) = experiments.cells(f"mewl/{name}")
        manifest, rows = experiments.run_cell(cell, "verified", "quick", 0)
        assert dict(manifest.config) == {"class": "ReferenceConfig", "version": 1, "reference": name, "episodes": 40}
        tasks = set(getattr(floors.reference(name), "tasks", TASKS))
        assert {row["task"] for row in rows if row["metric"] == "accuracy" and "/" not in row["task"]} == tasks
        for row in rows:
            assert row["kind"] in KINDS and row["inputs"] in INPUTS and row["n"] == 40 and row["low"] <= row["value"]
        part = shipped[(shipped.cell == cell.id) & (shipped.metric == "accuracy") & shipped.task.isin(TASKS)]
        assert set(part.task) == tasks and set(part.n) == {600}


def test_no_test_episode_is_one_of_training():
    config = agents.config("slot-word-learner", "quick", set="composite", episodes=30, validated=5, tested=20)
    for exposure in INSTRUMENT.exposures(config, "verified", 0):
        assert overlap(exposure.train, exposure.test) == []
        assert overlap(exposure.test, exposure.test) == [*keys(exposure.test)]


def test_a_reader_is_tested_on_captions_that_it_has_not_read():
    config = agents.READING.config("quick", episodes=20, validated=5, tested=3)
    read, test = (
        [text for texts in observations.question(episodes, "captions").observations for text in texts]
        for episodes in (
            [e for part, n in (("train", 20), ("val", 5)) for e in making.episodes_of_all(agents.READ_FIRST, part, n)],
            making.episodes_of_all(TASKS, "test", 3),
        )
    )
    new = [text not in read for text in test]
    assert exposures.unread(config, "verified").tolist() == new and 0 < sum(new) < len(test)
    leaks = {e.what: len(overlap(e.train, e.test)) for e in INSTRUMENT.exposures(config, "verified", 0)}
    assert leaks == {"scenes": 0, "captions": 0}
    rows = perception.assess(perception.Eyes(perception.build(config).eval(), config), "verified", 0)
    assert {row["n"] for row in rows if row["task"] == "telling/picture"} == {sum(new)}
