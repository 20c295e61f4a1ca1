"""Trained networks in a file: weights in half precision, the training log and the manifest of the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn

from cogkit.core.records import Manifest
from cogkit.data import readers, weights

_LOG = "log/"


def rounded(network: nn.Module) -> dict[str, torch.Tensor]:
    """Return the weights of a network as they are after writing and reading."""
    return {name: value.half().float() for name, value in network.state_dict().items()}


def write(path, network: nn.Module, log: pd.DataFrame, manifest: Manifest) -> Path:
    """Write half-precision weights, training log (without NaN) and manifest of a network, and return the file."""
    arrays = {name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    arrays |= {f"{_LOG}{name}": log[name].to_numpy(np.float32) for name in log}
    return weights.write(path, arrays, manifest)


def read(path, wanted: str, restored: Callable, build: Callable[[Any], nn.Module], agent_of: Callable) -> Any:
    """Return the agent in a file, with its weights, its training log and the manifest of its run.

    ``wanted`` says in an error what the file should hold; ``restored(settings)`` gives the config of a manifest,
    ``build(config)`` a fresh network, and ``agent_of(network, config)`` its `lifecycle.Agent`.

    Raises
    ------
    InputError
        The file is missing, truncated, from another program, or from another network, or holds values that are not
        finite.
    """
    arrays, manifest = weights.read(path, wanted)
    layers = {name: array for name, array in arrays.items() if not name.startswith(_LOG)}
    log = {name.removeprefix(_LOG): array for name, array in arrays.items() if name.startswith(_LOG)}
    with readers.faults(f"{path} with a config of no network", wanted, "", AssertionError):  # some layers assert
        config = restored(manifest.config)
        weights.refuse_deep(manifest.config, len(layers))
        with torch.device("meta"):  # a config can ask for a network of any size: here that takes no memory
            shapes = {name: tuple(value.shape) for name, value in build(config).state_dict().items()}
    weights.fit(path, layers, shapes, wanted)
    agent = agent_of(build(config), config)
    agent.network.load_state_dict({name: torch.from_numpy(array.astype(np.float32)) for name, array in layers.items()})
    agent.network.eval()
    order = sorted(log, key=lambda name: (name != "step", name))
    agent.log, agent.manifest = pd.DataFrame(log, columns=order), manifest
    agent.seed = manifest.seed
    return agent
