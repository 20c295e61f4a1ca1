"""A small learner for the tests of `Fit`, and a program that trains it a step for each line it is sent.

It has everything that can break an exact resume: dropout, two optimisers, numpy draws, tied weights, a
recurrent array, a numpy array shared with the learner, and a scalar.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from cogkit.learning import Fit, State, run


@dataclass(frozen=True)
class Config:
    width: int = 8
    rate: float = 0.01


@dataclass
class Learner(State):
    config: Config = Config()


def setup(config: Config, rng) -> Learner:
    first, last = nn.Linear(config.width, config.width), nn.Linear(config.width, config.width)
    last.weight = first.weight
    net = nn.Sequential(first, nn.Tanh(), nn.Dropout(0.3), nn.BatchNorm1d(config.width), last)
    head = nn.Linear(config.width, 1)
    optimisers = {
        "net": torch.optim.Adam(net.parameters(), lr=config.rate, amsgrad=True),
        "head": torch.optim.SGD(head.parameters(), lr=config.rate, momentum=0.9),
    }
    arrays = {"carried": torch.zeros(16, config.width), "counts": np.zeros(4, dtype=np.uint64)}
    return Learner(rng, {"net": net, "head": head}, optimisers, arrays, {"mean": 0.0}, config=config)


def step(state: Learner) -> dict:
    inputs = torch.as_tensor(state.rng.normal(size=(16, state.config.width)), dtype=torch.float32)
    hidden = state.modules["net"](inputs + 0.5 * state.arrays["carried"] + 0.1 * torch.randn(16, 1))
    loss = (state.modules["head"](hidden) - inputs.sum(1, keepdim=True)).square().mean()
    for optimiser in state.optimisers.values():
        optimiser.zero_grad()
    loss.backward()
    for optimiser in state.optimisers.values():
        optimiser.step()
    state.arrays["carried"].copy_(hidden.detach())
    state.arrays["counts"][state.rng.integers(4)] += np.uint64(1)
    state.scalars["mean"] += 0.1 * (loss.item() - state.scalars["mean"])
    return {"loss": loss.item()}


def evaluate(state: Learner) -> dict:
    return {"drawn": float(state.rng.normal() + torch.rand(1).item())}


def fit(steps: int, checkpoint=None, seed: int = 0, **options) -> Fit:
    return Fit(
        setup, step, Config(), steps=steps, seed=seed, evaluate=evaluate, evaluate_every=10,
        checkpoint=checkpoint, **options,
    )  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    path, total, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    def report_step(state: Learner) -> dict:
        """Take a step when a line comes in, and say so before it can have been saved."""
        sys.stdin.readline()
        metrics = step(state)
        print("step", flush=True)
        return metrics

    run_of = Fit(
        setup, report_step, Config(), steps=total, seed=0, evaluate=evaluate, evaluate_every=10, checkpoint=path,
        save_every=every,
    )  # fmt: skip
    run(run_of)
    print(f"ended {run_of.result.steps} {run_of.result.stopped}", flush=True)
