"""Agents that learn side by side in one stack, against the same agents, each of whom learns alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.core.errors import InputError
from cogkit.extras.cluster import stacked
from cogkit.learning import Result, run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, training

TASKS, SEEDS, BOARDS = ("tree/abstract", "rectangle/abstract"), (3, 5), 8
WIDTHS = {"corelnet-colour": 12, "lstm": 10, "lstm-program": 10, "transformer": 8}


def small(name: str, **changes) -> agents.AgentConfig:
    policy = name.removeprefix("supervised-").removesuffix("-2m")
    settings = {"steps": 4, "batch": BOARDS, "clicks": 5, "units": WIDTHS[policy], "learning_rate": 0.01}
    return agents.config(name, "lab", **settings | changes)


class SameDraws:
    """Random numbers for the choices of tiles: every agent, alone or in a stack, gets the same ones."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def random(self, n: int) -> np.ndarray:
        return np.tile(self._rng.random(BOARDS), n // BOARDS)


def trained(fit) -> Result:
    """Return the result of a run that chooses by `SameDraws`."""
    fit.result.state.rng = SameDraws()
    return run(fit)


@pytest.mark.parametrize("name", ["corelnet-colour", "transformer", "supervised-lstm-2m", "lstm-program"])
def test_an_agent_of_a_stack_learns_as_it_would_alone(name):
    config = stacked.StackConfig(small(name), TASKS, SEEDS)
    together = stacked.results(trained(stacked.train(config, log_every=1)))
    assert len(together) == 4
    for (task, seed), ours in zip([(task, seed) for task in TASKS for seed in SEEDS], together, strict=True):
        alone = trained(training.train(small(name, task=task), seed, log_every=1))
        assert (ours.config, ours.seed, ours.steps) == (alone.config, alone.seed, 4)
        names = alone.log.columns.drop("saturation", errors="ignore")
        assert set(ours.log) == set(names)
        np.testing.assert_allclose(ours.log[names], alone.log[names], rtol=1e-3, atol=1e-4)
        for key, weight in alone.state.modules["policy"].state_dict().items():
            # Adam moved it by up to .01 + .0075 + .005 + .0025
            assert (weight - ours.state.modules["policy"].state_dict()[key]).abs().mean() < 0.01 * 0.025


def test_each_agent_keeps_the_weights_that_did_best_on_its_own_boards(monkeypatch):
    calls, judge = [], scoring.judge

    def listen(player, items, **options):
        answers = judge(player, items, **options)
        weights = [part.detach().clone() for part in player.network.parameters()]
        calls.append((answers.charged.reshape(2, -1).mean(axis=1).tolist(), weights, items))
        return answers

    config = stacked.StackConfig(small("corelnet-colour", steps=6), TASKS)
    with monkeypatch.context() as patch:
        patch.setattr(stacked.scoring, "judge", listen)
        results = stacked.results(run(stacked.train(config, evaluate_every=2, log_every=2)))
    assert len(calls) == 3
    for k, (task, result) in enumerate(zip(TASKS, results, strict=True)):
        scores = [means[k] for means, _, _ in calls]
        best = [part[k] for part in calls[int(np.argmin(scores))][1]]
        parameters = result.state.modules["best"].parameters()
        assert all(torch.equal(*pair) for pair in zip(parameters, best, strict=True))
        agent = training.to_agent(result)
        assert agent.config.task == task and result.log.validation.dropna().tolist() == scores
        own = agents.pools(agent.config, 0).validation.boards
        boards = calls[0][2].boards.reshape(2, -1, 7, 7)[k]
        assert {board.tobytes() for board in boards} == {board.tobytes() for board in own} and len(boards) >= 400
        metrics = {row["metric"] for row in training.assess(agent, "verified", 0)}
        assert {"blue", "skill"} <= metrics and len(training.curve(agent)) == len(agent.log)


def test_a_stack_goes_on_from_its_checkpoint_bit_for_bit(tmp_path):
    config, options = stacked.StackConfig(small("lstm-2m"), TASKS), {"evaluate_every": 2, "log_every": 1}
    whole = run(stacked.train(config, **options))
    fit = stacked.train(config, checkpoint=tmp_path / "stack", **options)
    for progress in fit:
        if progress.step >= 1:
            break
    assert 1 <= fit.result.steps < 4
    again = run(stacked.train(config, checkpoint=tmp_path / "stack", **options))
    assert again.log.equals(whole.log) and again.steps == 4
    for name in ("policy", "best"):
        ours, theirs = (result.state.modules[name].state_dict() for result in (again, whole))
        assert all(torch.equal(ours[key], theirs[key]) for key in theirs)


def test_a_stack_of_nobody_or_of_the_same_twice_and_the_checkpoint_of_another_are_refused(tmp_path):
    for tasks, seeds, words in (
        ((), (0,), r"tasks \(\)"),
        (("tree/abstract",), (1, 1), r"seeds \(1, 1\)"),
        (("tre/abstract",), (0,), "did you mean 'tree/abstract'"),
    ):
        with pytest.raises(InputError, match=words):
            stacked.StackConfig(small("lstm"), tasks, seeds)
    config = stacked.StackConfig(small("corelnet-colour", steps=1), TASKS)
    run(stacked.train(config, checkpoint=tmp_path / "stack"))
    with pytest.raises(InputError, match="seeds"):
        stacked.train(stacked.StackConfig(config.agent, TASKS, (1,)), checkpoint=tmp_path / "stack")
