"""Agents that learn side by side in one stack, against the same agents, each of whom learns alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from cogkit.core.contracts import InputError
from cogkit.learning import Result, run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, policies, stacked, training

TASKS, SEEDS, BOARDS = ("tree/abstract", "rectangle/abstract"), (3, 5), 8
WIDTHS = {"convolutional": 6, "corelnet": 12, "corelnet-colour": 12, "epn": 10, "lstm": 10, "transformer": 8}


def small(name: str, **changes) -> agents.AgentConfig:
    policy = name.removeprefix("supervised-").removesuffix("-2m")
    settings = {"updates": 4, "boards": BOARDS, "clicks": 5, "units": WIDTHS[policy], "learning_rate": 0.01}
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


@pytest.mark.parametrize("name", [*policies.names(), "supervised-lstm-2m", "supervised-corelnet"])
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


def test_a_stack_answers_as_its_policies_do_in_their_rows():
    torch.manual_seed(1)
    made = [policies.of("epn")(9) for _ in range(3)]
    for weight in (weight for policy in made for weight in policy.parameters()):
        weight.data += 0.2 * torch.randn_like(weight)
    stack, boards = stacked.Stack(made), torch.randint(-1, 2, (6, 49), dtype=torch.int8)
    clicks, rewards = torch.randint(0, 49, (6,)), torch.randn(6)
    memory, memories = stack.blank(6), [policy.blank(2) for policy in made]
    for _ in range(2):  # the second look has a memory of the first
        scores, values, memory = stack(boards, clicks, rewards, memory)
        for k, policy in enumerate(made):
            rows = slice(2 * k, 2 * k + 2)
            told, worth, memories[k] = policy(boards[rows], clicks[rows], rewards[rows], memories[k])
            torch.testing.assert_close(scores[rows], told, rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(values[rows], worth, rtol=1e-4, atol=1e-5)
            for part, one in zip(memory, memories[k], strict=True):
                torch.testing.assert_close(part[rows], one, rtol=1e-4, atol=1e-5)
    for k, policy in enumerate(made):
        assert all(torch.equal(stack.weights_of(k)[name], weight) for name, weight in policy.named_parameters())


def test_each_agent_has_its_own_limit_of_gradients():
    torch.manual_seed(2)
    alone = [[nn.Parameter(torch.zeros(shape)) for shape in ((2, 3), (4,))] for _ in range(3)]
    for size, weights in zip((0.01, 1.0, 30.0), alone, strict=True):
        for weight in weights:
            weight.grad = size * torch.randn_like(weight)
    together = [nn.Parameter(torch.stack(parts).detach()) for parts in zip(*alone, strict=True)]
    for weight, *parts in zip(together, *alone, strict=True):
        weight.grad = torch.stack([part.grad for part in parts])
    stacked.clip(together, 0.5)
    for k, weights in enumerate(alone):
        nn.utils.clip_grad_norm_(weights, 0.5)
        for weight, whole in zip(weights, together, strict=True):
            torch.testing.assert_close(whole.grad[k], weight.grad)


def test_each_agent_keeps_the_weights_that_did_best_on_its_own_boards(monkeypatch):
    told, judge = [], scoring.judge

    def listen(player, items, **options):
        answers = judge(player, items, **options)
        weights = [part.detach().clone() for part in player.network.parameters()]
        told.append((answers.charged.reshape(2, -1).mean(axis=1).tolist(), weights, items))
        return answers

    config = stacked.StackConfig(small("corelnet-colour", updates=6), TASKS)
    with monkeypatch.context() as patch:
        patch.setattr(stacked.scoring, "judge", listen)
        results = stacked.results(run(stacked.train(config, evaluate_every=2, log_every=2)))
    assert len(told) == 3
    for k, (task, result) in enumerate(zip(TASKS, results, strict=True)):
        scores = [means[k] for means, _, _ in told]
        best = [part[k] for part in told[int(np.argmin(scores))][1]]
        kept = result.state.modules["best"].parameters()
        assert all(torch.equal(*pair) for pair in zip(kept, best, strict=True))
        agent = training.to_agent(result)
        assert agent.config.task == task and result.log.validation.dropna().tolist() == scores
        own = agents.pools(agent.config, 0).validation.boards
        boards = told[0][2].boards.reshape(2, -1, 7, 7)[k]
        assert {board.tobytes() for board in boards} == {board.tobytes() for board in own} and len(boards) >= 400
        metrics = {row["metric"] for row in training.assess(agent, "verified", 0)}
        assert {"blue", "skill"} <= metrics and len(training.curve(agent)) == len(agent.log)


def test_a_stack_goes_on_from_its_checkpoint_bit_for_bit(tmp_path):
    config, options = stacked.StackConfig(small("epn"), TASKS, SEEDS), {"evaluate_every": 2, "log_every": 1}
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


@pytest.mark.parametrize(
    ("tasks", "seeds", "said"),
    [
        ((), (0,), "tasks ()"),
        (("tree/abstract",), (), "seeds ()"),
        (("tree/abstract",), (1, 1), "seeds (1, 1)"),
        (("tree/abstract", "tree/abstract"), (0,), "none of them twice"),
        (("tre/abstract",), (0,), "did you mean 'tree/abstract'"),
    ],
)
def test_a_stack_of_nobody_or_of_the_same_twice_is_refused(tasks, seeds, said):
    with pytest.raises(InputError) as caught:
        stacked.StackConfig(small("lstm"), tasks, seeds)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_a_checkpoint_of_other_agents_is_refused(tmp_path):
    config = stacked.StackConfig(small("corelnet", updates=1), TASKS)
    run(stacked.train(config, checkpoint=tmp_path / "stack"))
    with pytest.raises(InputError, match="seeds"):
        stacked.train(stacked.StackConfig(config.agent, TASKS, (1,)), checkpoint=tmp_path / "stack")
