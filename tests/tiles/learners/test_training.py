"""Training of the conditional networks: its losses by hand, the original's way to stop, exact resuming, assessment."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open
from scipy.stats import binom

from cogkit.app import experiments
from cogkit.core.instruments import Cell
from cogkit.core.presets import changed
from cogkit.data import results
from cogkit.learning import run
from cogkit.tiles import instrument
from cogkit.tiles.learners import conditional
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.sampling import Conditional, ConditionalConfig
from cogkit.tiles.problems import records

TREE = changed(ConditionalConfig("tree"), steps=60, batch=100)


pytestmark = pytest.mark.usefixtures("one_thread")


def test_loss_and_errors_decrease():
    log = run(conditional.train(changed(ConditionalConfig("tree"), steps=300), seed=0)).log
    first, last = log.iloc[:20], log.iloc[-20:]
    assert last.loss.mean() < 0.6 * first.loss.mean()
    # Always saying blue is right on .865 of tree's tiles (facts § 2.1); 20 batches of 400: SE .0038.
    assert last.accuracy.mean() > 0.865 + 4 * 0.0038


def logits(network: Conditional, inputs: np.ndarray) -> np.ndarray:
    layer = inputs.astype(float)
    for weight, bias in zip(network.weights[:2], network.biases[:2], strict=True):
        layer = np.maximum(layer @ weight.T + bias, 0)
    return layer @ network.weights[2].T + network.biases[2]


@pytest.mark.parametrize("loss", ["masked", "all"])
def test_the_losses_are_the_formulas(loss):
    config, seed = replace(TREE, loss=loss), 4
    fit = conditional.train(config, seed, log_every=1)
    network = copy.deepcopy(sampling.Conditional.of(fit.result.state.modules["network"]))
    tiles = copy.deepcopy(fit.result.state.rng).integers(0, 49, config.recipe.batch)
    next(iter(fit))
    boards = records.support("tree").sample(config.recipe.batch, seed, "conditional", 0).reshape(-1, 49).astype(float)
    inputs = boards.copy()
    for board, tile in zip(inputs, tiles, strict=True):
        board[tile] = -1
    chance = 1 / (1 + np.exp(-logits(network, inputs)))
    entropy = -(boards * np.log(chance) + (1 - boards) * np.log(1 - chance))
    places = np.arange(config.recipe.batch)
    expected = entropy[places, tiles].mean() if loss == "masked" else entropy.sum(axis=1).mean()
    row = fit.result.log.iloc[0]
    assert row.loss == pytest.approx(expected, rel=1e-5)
    assert row.accuracy == ((chance > 0.5) == boards)[places, tiles].mean()


def plain_stop(accuracies: list[float], enough: float) -> int:
    """§ 2 of the facts: fill a buffer of five, test it on the next update, else clear it; the updates then done."""
    buffer: list[float] = []
    for update, accuracy in enumerate(accuracies, 1):
        if len(buffer) == 5:
            if sum(buffer) / 5 >= enough:
                return update
            buffer = []
        else:
            buffer.append(accuracy)
    return len(accuracies)


def test_it_stops_as_the_original_did_and_resumed_it_is_the_straight_run(tmp_path):
    config = changed(ConditionalConfig("pyramid"), steps=260, batch=100, enough=2.0)  # an accuracy never reached
    log = run(conditional.train(config, seed=2)).log
    assert len(log) == 260
    accuracies, stops = log.accuracy.tolist(), set()
    for enough in (0.0, 0.8811, 0.9111, 0.9211, 0.9311):
        for steps in (4, 260):  # broken off amid five accuracies
            path = tmp_path / f"{enough}.safetensors"
            fit = conditional.train(replace(config, enough=enough), seed=2, checkpoint=path)
            fit.steps = steps
            result = run(fit)
        assert result.steps == plain_stop(accuracies, enough), enough
        assert result.log.equals(log[: result.steps])
        stops.add(result.steps)
    assert 6 in stops and len(stops) >= 4  # else the threshold would not have mattered


def test_resumed_it_is_the_straight_run_bit_for_bit(tmp_path):
    cut, straight = 23, run(conditional.train(TREE, seed=5))
    path = tmp_path / "fit.safetensors"
    first = conditional.train(TREE, seed=5, checkpoint=path)
    first.steps = cut
    run(first)
    resumed = conditional.train(TREE, seed=5, checkpoint=path)
    assert resumed.result.steps == cut
    result = run(resumed)
    assert result.steps == straight.steps == 60 and result.state.scalars == straight.state.scalars
    assert result.log.equals(straight.log)
    ours, theirs = (r.state.modules["network"].state_dict() for r in (result, straight))
    assert all(ours[name].numpy().tobytes() == theirs[name].numpy().tobytes() for name in theirs)
    assert result.state.rng.bit_generator.state == straight.state.rng.bit_generator.state


def constant(chance_of_red: float) -> Conditional:
    zero, none = np.zeros((49, 49), np.float32), np.zeros(49, np.float32)
    bias = np.full(49, np.log(chance_of_red / (1 - chance_of_red)), np.float32)
    return Conditional((zero, zero, zero), (none, none, bias))


def test_assessed_by_hand():
    rows = {(row["who"], row["metric"]): row for row in conditional.assess(constant(0.2), "copy", seed=1)}
    accuracy, floor = (rows[who, "accuracy"] for who in ("conditional network", "always blue"))
    assert (accuracy["kind"], floor["kind"], floor["n"]) == ("model", "floor", 10_000)
    assert accuracy["value"] == floor["value"] == pytest.approx(0.813, abs=4 * (0.813 * 0.187 / 1e4) ** 0.5 + 0.0005)
    # 49 coins of .2: P(3 <= reds < 40) from the binomial distribution.
    share = binom.cdf(39, 49, 0.2) - binom.cdf(2, 49, 0.2)
    acceptance = rows["conditional network", "kept"]
    assert acceptance["n"] == 1000 and abs(acceptance["value"] - share) <= 4 * (share * (1 - share) / 1000) ** 0.5
    assert rows["conditional network", "rule pass"]["value"] == 0  # no such board is a copy
    assert rows["conditional network", "distinct"]["value"] == 1
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows.values())
    assert {row["task"] for row in rows.values()} == {"copy/metamer"}


def test_shipped_is_trained_now_and_kept_with_its_manifest(tmp_path):
    config = changed(ConditionalConfig("cross"), steps=12)
    cell = Cell("tiles/conditional/cross", instrument.conditional, {"paper": config}, weights=True)
    path, _ = experiments.ship(cell, [3], "as_published", "paper", tmp_path)
    assert path.name == "conditional-cross.safetensors"
    network = sampling.read(path)
    straight = sampling.Conditional.of(run(conditional.train(config, seed=3)).state.modules["network"])
    for first, second in zip(network.weights + network.biases, straight.weights + straight.biases, strict=True):
        assert first.tobytes() == second.tobytes()
    with safe_open(path, framework="numpy") as file:
        header = json.loads(file.metadata()["manifest"])
    assert (header["cell"], header["seed"], header["config"]["updates"]) == ("tiles/conditional/cross", 3, 12)
    stored = results.load(tmp_path)
    fresh = conditional.run(config, "as_published", seed=3)
    assert stored.value.tolist() == pytest.approx([row["value"] for row in fresh], rel=1e-9)  # stored to ten digits
    assert stored.metric.tolist() == ["accuracy", "accuracy", "kept", "rule pass", "distinct"]
