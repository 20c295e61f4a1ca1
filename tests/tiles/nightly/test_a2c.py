"""The quick preset of the paper's agent is worth watching: it leaves the nearest neighbour behind."""

from __future__ import annotations

import pytest

from cogkit.learning import run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, floors, training

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.timeout(600)  # half a minute of training, on a machine of its own
def test_quick_is_worth_watching_it_ends_better_than_the_nearest_neighbour(use_mirror):
    config = agents.config("lstm", "quick", task="rectangle/abstract")
    log = run(training.train(config, 0)).log.dropna()
    floor = scoring.judge(floors.NearestNeighbour(), agents.pools(config, 0).validation, passes=50).blue.mean()
    assert log.validation.iloc[0] > 1.5 * floor and log.validation.tail(3).max() < 0.9 * floor
