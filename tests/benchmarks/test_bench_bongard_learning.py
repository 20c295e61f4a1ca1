"""The speed of a training step and of answering at the lab's size, beside the same network of torch's plain layers.

Not part of the test run. Times are processor time of one process and one thread, the best of rounds that alternate::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_bongard_learning.py

The rival is what a reader would build first from the paper: `nn.Conv2d`, `nn.BatchNorm2d`, LeakyReLU and then the
maximum, in the memory format that suits it best of both. It is trained with whole batches, and one episode at a time,
as the published program does (eight GPUs, an episode each); it answers with whole batches, each question with its own
support, and one question at a time. Weights, pictures and optimiser are the same, and so is the loss, which is checked.
``COGKIT_BENCH_STEPS`` is how many steps are timed (6); 1 makes a dry run.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from cogkit.bongard.learners import agents, models
from cogkit.bongard.learners.networks.backbone import pixels
from cogkit.bongard.problems.records import Question
from cogkit.learning import supervised

_STEPS, _ROUNDS = int(os.environ.get("COGKIT_BENCH_STEPS", "6")), 3
_FORMATS = {"channels first": torch.contiguous_format, "channels last": torch.channels_last}
pytestmark = pytest.mark.usefixtures("one_thread")


class Plain(nn.Module):
    """ResNet-15 of plain layers, with the weights of one of ours."""

    def __init__(self, ours: nn.Module, form: torch.memory_format) -> None:
        super().__init__()
        self.form = form
        self.blocks = nn.ModuleList()
        for block in ours.blocks:
            parts = [*block.layers[::2], block.shortcut]
            self.blocks.append(nn.ModuleList(nn.Sequential(self._conv(part[0]), self._norm(part[1])) for part in parts))
        self.out = copy.deepcopy(ours.out)
        self.to(memory_format=form)

    @staticmethod
    def _conv(part: nn.Conv2d) -> nn.Conv2d:
        return copy.deepcopy(part).to(memory_format=torch.contiguous_format)

    @staticmethod
    def _norm(part: nn.BatchNorm2d) -> nn.BatchNorm2d:
        norm = nn.BatchNorm2d(part.num_features)
        norm.load_state_dict(part.state_dict(), strict=False)
        return norm

    def forward(self, x: Tensor) -> Tensor:
        x, leaky = x.contiguous(memory_format=self.form), lambda y: nn.functional.leaky_relu(y, 0.1)
        for first, second, third, shortcut in self.blocks:
            x = nn.functional.max_pool2d(leaky(third(leaky(second(leaky(first(x))))) + shortcut(x)), 2)
        return self.out(x.mean(dim=(2, 3)))


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def alternate(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the seconds of each call's best round, the rounds of all taken in turn."""
    spent = {name: [] for name in calls}
    for call in calls.values():
        call()  # the first allocates
    for _ in range(_ROUNDS):
        for name, call in calls.items():
            spent[name].append(seconds(call))
    return {name: min(times) for name, times in spent.items()}


def show(request, head: str, best: dict[str, float], a: float, unit: str) -> None:
    ours = best["ours"]
    lines = [
        f"| {name} | {spent / a * 1000:.3g} | {'' if name == 'ours' else f'{spent / ours:.1f} ×'} |"
        for name, spent in best.items()
    ]
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n\n| {head} | {unit} | ours is |\n|---|---|---|\n" + "\n".join(lines))


def made(agent: str) -> tuple[models.Network, agents.AgentConfig]:
    torch.manual_seed(0)
    config = agents.config(agent, "lab", queries="one", contrastive=0.0)
    return models.build(config), config


def random_pictures(n: int, size: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (n, 2, 7, size, size), np.uint8)


def loss_of(network: nn.Module, pictures: Tensor) -> Tensor:
    logits = network(pictures[:, :, :6], pictures[:, :, 6])
    return nn.functional.cross_entropy(logits.flatten(0, 1), torch.arange(2).repeat(len(pictures)))


def steps(network: nn.Module, config: agents.AgentConfig, pictures: Tensor, apart: bool) -> Callable[[], None]:
    """Return a call that trains for some steps, the episodes of a batch all at once or one by one."""
    optimiser = supervised.optimiser(config.recipe, network)

    def call() -> None:
        network.train()
        for _ in range(_STEPS):
            optimiser.zero_grad()
            for part in pictures.split(1) if apart else [pictures]:
                (loss_of(network, part) * len(part) / len(pictures)).backward()
            optimiser.step()

    return call


@pytest.mark.parametrize("agent", ["protonet", "metaoptnet"])
def test_training(request, agent):
    network, config = made(agent)
    pictures = pixels(random_pictures(config.recipe.batch, config.size))
    rivals = {
        name: models.Network(Plain(network.backbone, form), copy.deepcopy(network.head))
        for name, form in _FORMATS.items()
    }
    expected = loss_of(network.train(), pictures).item()
    for rival in rivals.values():
        assert loss_of(rival.train(), pictures).item() == pytest.approx(expected, rel=1e-3)
    calls = {"ours": steps(network, config, pictures, apart=False)}
    for name, rival in rivals.items():
        calls[f"plain layers, {name}"] = steps(rival, config, pictures, apart=False)
        calls[f"plain layers, {name}, one episode at a time"] = steps(
            copy.deepcopy(rival), config, pictures, apart=True
        )
    best = alternate(calls)
    show(request, f"{agent}, a step of {config.recipe.batch} problems at {config.size} px", best, _STEPS, "CPU ms")
    assert best["ours"] < min(spent for name, spent in best.items() if name != "ours")


def test_answering(request):
    network, config = made("protonet")
    network.eval()
    pictures = random_pictures(32, config.size)
    question = Question(pictures[:, :, :6].repeat(2, axis=0), pictures[:, :, 6].reshape(-1, config.size, config.size))
    agent = models.Agent(network, config)
    rivals = {name: models.Network(Plain(network.backbone, form), network.head) for name, form in _FORMATS.items()}

    def ask(rival: nn.Module, size: int) -> np.ndarray:
        with torch.no_grad():
            parts = [
                rival(pixels(question.support[at : at + size]), pixels(question.query[at : at + size])[:, None])
                for at in range(0, len(question), size)
            ]
        return torch.cat(parts)[:, 0].softmax(dim=1)[:, 0].numpy()

    calls = {"ours": lambda: agent.predict(question)}
    for name, rival in rivals.items():
        rival.eval()
        assert np.abs(ask(rival, 64) - agent.predict(question)).max() < 1e-3
        calls[f"plain layers, {name}"] = lambda rival=rival: ask(rival, 64)
        calls[f"plain layers, {name}, one question at a time"] = lambda rival=rival: ask(rival, 1)
    best = alternate(calls)
    show(request, f"{len(question)} questions at {config.size} px", best, len(question), "CPU ms a question")
    assert best["ours"] < min(spent for name, spent in best.items() if name != "ours")
