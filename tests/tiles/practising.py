"""A program that trains a small agent an update for each line it is sent, so that it can be killed at any moment."""

from __future__ import annotations

import sys

import torch

from cogkit.core.presets import changed
from cogkit.learning import Fit, run
from cogkit.tiles.learners import training
from cogkit.tiles.learners.agents import AgentConfig

SMALL = changed(AgentConfig("pyramid/abstract"), steps=60, batch=16, clicks=4, units=12)


def fit(checkpoint=None, **options) -> Fit:
    return training.train(SMALL, 3, evaluate_every=10, checkpoint=checkpoint, **options)


if __name__ == "__main__":
    torch.set_num_threads(1)
    losses = training.losses

    def stepwise_losses(rollout, advantages, config):
        """Learn when a line comes in, and say so before it can have been saved."""
        sys.stdin.readline()
        print("step", flush=True)
        return losses(rollout, advantages, config)

    training.losses = stepwise_losses
    run(fit(sys.argv[1], save_every=int(sys.argv[2])))
