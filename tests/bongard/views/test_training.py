"""`TrainPanel` without a browser: a real network learns on the loop, and what it says of watched problems is shown."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
import torch

from cogkit.bongard.learners import agents, models, training
from cogkit.bongard.problems import freeform
from cogkit.bongard.problems.rendering import rendered
from cogkit.bongard.views import TrainPanel
from cogkit.core.contracts import InputError
from cogkit.learning import Fit, State, run

CONFIG = agents.config("protonet", "quick", steps=6, looks=2, size=32, batch=4)

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def problems():
    return [freeform.problem(k, "as_published") for k in range(8)]


@pytest.fixture(scope="module")
def pictures(problems):
    return rendered(problems, 32, keep=False)


def fit(pictures, **options):
    view = {"view": lambda state: models.Agent(state.modules["network"], CONFIG).chances(pictures[:2])}
    return training.fit(CONFIG, 0, pictures, pictures[:3], **(view | options))


def test_trained_here_is_the_straight_run_and_shows_what_it_says(problems, pictures):
    panel = TrainPanel(lambda: fit(pictures, log_every=1), problems[:2], {"Hu moments": 0.57})
    assert [row["title"] for row in panel.still] == [
        "Free-form: 4 strokes", "Free-form: 5 strokes",
    ]  # fmt: skip
    assert all(address.startswith("data:image/png") for row in panel.still for address in row["pictures"])
    assert [answer["text"] for pair in panel.scene["said"] for answer in pair] == ["–"] * 4
    result = asyncio.run(panel.train())
    straight = run(fit(pictures))
    pairs = zip(*(outcome.state.modules["network"].parameters() for outcome in (result, straight)), strict=True)
    assert all(torch.equal(mine, its) for mine, its in pairs)
    chances = models.Agent(result.state.modules["network"], CONFIG).chances(pictures[:2])
    values = np.array([[answer["chance"] for answer in pair] for pair in panel.scene["said"]])
    np.testing.assert_allclose(values, chances, atol=6e-4)
    share, loss = panel.scene["curves"]
    assert [series["name"] for series in share["series"]] == ["in training", "validation"]
    assert [len(series["points"]) for series in share["series"]] == [6, 2] and len(loss["series"][0]["points"]) == 6
    assert [line["label"] for line in share["lines"]] == ["Hu moments 0.57"]
    assert dict(panel.scene["numbers"])["Loss"] == f"{result.log.loss.iloc[-1]:.3f}"


@pytest.mark.parametrize(
    "chances, texts, words",
    [
        ((0.9, 0.2), ["0.90 ✓", "0.20 ✓"], ["right", "right"]),
        ((0.3, 0.7), ["0.30 ✗", "0.70 ✗"], ["wrong", "wrong"]),
        ((0.5, 0.5), ["0.50 =", "0.50 ="], ["half", "half"]),
    ],
)
def test_right_is_told_by_side(problems, chances, texts, words):
    job = Fit(lambda _, rng: State(rng), lambda state: {"loss": 1.0}, {}, steps=2, seed=0, view=lambda _: [chances])
    panel = TrainPanel(job, problems[:1])
    asyncio.run(panel.train())
    (pair,) = panel.scene["said"]
    assert [answer["text"] for answer in pair] == texts
    for answer, side, word in zip(pair, ("positive", "negative"), words, strict=True):
        assert answer["told"].startswith(side) and answer["told"].endswith(word)


def test_more_problems_than_fit_are_refused(problems):
    with pytest.raises(InputError, match="at most 4"):
        TrainPanel(lambda: None, problems[:5])


def test_the_browser_s_part_is_small():
    assert len(TrainPanel(lambda: None)._esm.encode()) < 15_000
