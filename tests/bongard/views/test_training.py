"""`TrainPanel` without a browser: a real network learns on the loop, and what it says of watched problems is shown."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from cogkit.bongard.learners import agents, models, training
from cogkit.bongard.problems import freeform
from cogkit.bongard.problems.rendering import pictures_of
from cogkit.bongard.views import TrainPanel

pytestmark = pytest.mark.usefixtures("one_thread")


def test_what_is_trained_here_says_what_is_shown():
    problems = [freeform.problem(k, "as_published") for k in range(8)]
    config = agents.config("protonet", "quick", steps=6, n_evals=2, size=32, batch=4)
    pictures = pictures_of(problems, 32)

    def fit():
        def view(state):
            return models.Agent(state.modules["network"], config).chances(pictures[:2])

        return training.fit(config, 0, pictures, pictures[:3], view=view, log_every=1)

    panel = TrainPanel(fit, problems[:2], {"Hu moments": 0.57})
    assert [row["title"] for row in panel.still] == ["Free-form: 4 strokes", "Free-form: 5 strokes"]
    assert [answer["text"] for pair in panel.scene["said"] for answer in pair] == ["–"] * 4
    result = asyncio.run(panel.train())
    chances = models.Agent(result.state.modules["network"], config).chances(pictures[:2])
    values = np.array([[answer["chance"] for answer in pair] for pair in panel.scene["said"]])
    np.testing.assert_allclose(values, chances, atol=6e-4)
    share, loss = panel.scene["curves"]
    assert [len(series["points"]) for series in share["series"]] == [6, 2] and len(loss["series"][0]["points"]) == 6
    assert [line["label"] for line in share["lines"]] == ["Hu moments 0.57"]
    assert dict(panel.scene["numbers"])["Loss"] == f"{result.log.loss.iloc[-1]:.3f}"
