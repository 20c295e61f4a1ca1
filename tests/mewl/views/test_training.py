"""`TrainPanel` without a browser: a real network learns on the loop, and what it would answer meanwhile is shown."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, training
from cogkit.mewl.problems import making
from cogkit.mewl.views import TrainPanel

CONFIG = agents.config("slot-transformer", "quick", set="number", steps=6, n_evals=2, batch=4)

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def episodes():
    return making.episodes_of("number", "train", 8)


def fit(episodes, **options):
    taught, watched = (training.lessons(part, "true slots") for part in (episodes, episodes[:2]))

    def view(state):
        return training.Agent(state.modules["network"], CONFIG).weigh(watched.observations, watched.token_ids).exp()

    return training.fit(CONFIG, 0, taught, taught, **({"view": view} | options))


def test_trained_here_is_the_straight_run_and_shows_what_it_would_answer(episodes):
    panel = TrainPanel(lambda: fit(episodes, log_every=1), episodes[:2], {"text alone": 0.2}, {"ideal learner": 1.0})
    assert [row["options"] for row in panel.still] == [episode.trial.options for episode in episodes[:2]]
    assert [row["answer"] for row in panel.still] == [episode.answer for episode in episodes[:2]]
    assert [entry["text"] for row in panel.scene["said"] for entry in row] == ["–"] * 10
    result = asyncio.run(panel.train())
    straight = run(fit(episodes))
    pairs = zip(*(course.state.modules["network"].parameters() for course in (result, straight)), strict=True)
    assert all(torch.equal(first, second) for first, second in pairs)
    answers = scoring.judge(training.Agent(result.state.modules["network"], CONFIG), episodes[:2])
    chances = np.array([[entry["chance"] for entry in row] for row in panel.scene["said"]])
    np.testing.assert_allclose(chances, np.exp(answers.scores), atol=6e-4)
    share, loss = panel.scene["curves"]
    assert [len(series["points"]) for series in share["series"]] == [6, 2] and len(loss["series"][0]["points"]) == 6
    assert [line["label"] for line in share["lines"]] == ["text alone 0.2", "ideal observer 1"]
