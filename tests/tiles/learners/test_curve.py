"""The curve of a training log as result rows: few, from first to last, and each as the log has it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.core.presets import changed
from cogkit.tiles.learners import agents, models, training


def agent_of(log: pd.DataFrame) -> models.Agent:
    config = agents.AgentConfig("tree/metamer", agent="convolutional", units=2)
    agent = models.Agent(models.build(config), config)
    agent.log = log
    return agent


@pytest.mark.parametrize("looks", [0, 1, 13, 160])
def test_a_curve_is_a_few_points_of_its_log(looks):
    clicks = 1536.0 * 100 * np.arange(1, looks + 1)
    log = pd.DataFrame({"clicks": clicks, "blue": 99.0, "validation": 30 / np.arange(1, looks + 1)})
    rows = training.curve(agent_of(log))
    drawn = {float(row["metric"].removeprefix("blue, click ")): row["value"] for row in rows}
    assert len(drawn) == len(rows) <= 12 and len(rows) >= min(looks, 9)
    assert drawn == {at: log.validation[log.clicks == at].item() for at in drawn}
    assert list(drawn) == sorted(drawn) and {clicks[0], clicks[-1]} <= set(drawn) if looks else not drawn
    if looks > 12:  # at even ratios, but for the whole numbers: no gap holds over twice the clicks before it
        assert (np.diff(np.log(list(drawn))) <= np.log(2) + 1e-9).all()
    for row in rows:
        assert row["task"] == "tree/metamer" and row["who"] == "convolutional" and row["n"] == 400
        assert row["low"] is row["high"] is None and row["source"] == "generated" and row["kind"] == "model"


def test_a_cell_of_an_agent_gives_its_curve_beside_its_scores(use_mirror):
    config = changed(agents.AgentConfig("tree/abstract"), steps=101, batch=8, clicks=4, agent="corelnet", units=8)
    metrics = [row["metric"] for row in training.REGISTRY.run(config, "verified", seed=1)]
    assert metrics == ["blue", "z", "finished", "skill", "blue, click 3200"]  # validated every 100 updates
