"""What memory of the training episodes and the text alone get on each task, under the bound that its split states."""

from __future__ import annotations

import pytest

from cogkit.mewl.instrument import INSTRUMENT


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", INSTRUMENT.splits())
def test_the_best_floor_is_under_its_bound(name):
    row = INSTRUMENT.memory(name)
    assert 0 <= row["floor"] <= row["bound"] and row["copies"] == 0 and row["family ideal"] > 0.95
    assert (row["train"], row["val"], row["test"]) == (3000, 600, 600)


def test_a_task_is_a_split_whose_episodes_are_drawn_alike():
    parts = INSTRUMENT.split("number, new episodes")
    assert {part.split for part in (parts.train, parts.val, parts.test)} == {parts.name} and parts.rung == "iid"
