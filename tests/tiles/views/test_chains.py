"""`ChainPanel` without a browser: a network learns, its chains are drawn as it is, and the run is kept."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles.learners import conditional
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.sampling import ConditionalConfig
from cogkit.tiles.views import ChainPanel

pytestmark = pytest.mark.usefixtures("one_thread", "home")
CONFIG = changed(ConditionalConfig("tree"), steps=40, batch=50)


def same(one: sampling.Conditional, other: sampling.Conditional) -> bool:
    pairs = zip(one.weights + one.biases, other.weights + other.biases, strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def test_what_is_trained_is_the_straight_run_and_lasts(capsys):
    panel = ChainPanel(CONFIG, seed=0)
    mine = asyncio.run(panel.network(hands_free=True))
    straight = run(conditional.train(CONFIG, seed=0))
    network = conditional.to_network(straight.state)
    assert same(mine, network) and mine.name == "your network" and panel.kind == "yours"
    assert "after 40 of 40 steps" in capsys.readouterr().out
    again = ChainPanel(CONFIG, seed=0)  # the next Run All
    assert again.trained and same(asyncio.run(again.network()), network)
    assert not ChainPanel(CONFIG, seed=1).trained
    assert not ChainPanel(changed(ConditionalConfig("tree"), steps=40, batch=50, loss="all"), seed=0).trained


def test_going_on_does_not_change_a_network_that_was_handed_out():
    fit = conditional.train(CONFIG, seed=0)
    fit.steps = 5
    mine = conditional.to_network(run(fit).state)
    before = [weight.copy() for weight in mine.weights + mine.biases]
    fit.steps = 40
    now = conditional.to_network(run(fit).state)
    assert all(map(np.array_equal, mine.weights + mine.biases, before)) and not same(mine, now)
