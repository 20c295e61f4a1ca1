"""The quick preset of the paper's agent is worth watching, and networks that take longer learn ten boards, too."""

from __future__ import annotations

import pytest

from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, floors, models, training

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.timeout(600)  # half a minute of training, on a machine of its own
def test_quick_is_worth_watching_it_ends_better_than_the_nearest_neighbour(use_mirror):
    config = agents.config("lstm", "quick", task="rectangle/abstract")
    log = run(training.train(config, 0)).log.dropna()
    floor = scoring.judge(floors.NearestNeighbour(), agents.pools(config, 0).validation, passes=50).blue.mean()
    assert log.validation.iloc[0] > 1.5 * floor and log.validation.tail(3).max() < 0.9 * floor


@pytest.mark.parametrize(("name", "units", "steps"), [("epn", 32, 80), ("transformer", 16, 60), ("corelnet", 64, 100)])
def test_other_networks_learn_ten_boards(name, units, steps, ten):
    settings = {"units": units, "steps": steps, "batch": 48, "clicks": 6, "learning_rate": 0.01}
    config = changed(agents.AgentConfig("rectangle/abstract", agent=name), **settings)
    policy = run(training.train(config, 0, evaluate_every=1000)).state.modules["policy"]
    players = models.Agent(policy, config), floors.Random()
    blue, chance = (scoring.judge(player, ten, passes=20).blue.mean() for player in players)
    assert blue < 0.75 * chance
