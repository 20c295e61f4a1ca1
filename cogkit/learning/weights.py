"""Trained networks in a file: weights in half precision, the training log and the manifest of the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from cogkit.core.errors import InputError
from cogkit.core.records import Manifest
from cogkit.data import weights

_LOG = "log/"
_SPARE = 8  # networks make some tensors more than they keep
_MAKERS = {torch.empty, torch.zeros, torch.ones, torch.full, torch.rand, torch.randn, torch.eye, torch.arange}
_MAKERS |= {torch.Tensor.clone}


def rounded(network: nn.Module) -> dict[str, torch.Tensor]:
    """Return the weights of a network as they are after writing and reading."""
    return {name: value.half().float() for name, value in network.state_dict().items()}


def write(path, network: nn.Module, log: pd.DataFrame, manifest: Manifest) -> Path:
    """Write half-precision weights, training log (without NaN) and manifest of a network, and return the file."""
    arrays = {name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    arrays |= {f"{_LOG}{name}": log[name].to_numpy(np.float32) for name in log}
    return weights.write(path, arrays, manifest)


def read(path, wanted: str, fresh: Callable[[Manifest], Any]) -> Any:
    """Return the agent in a file, with its weights, its training log and the manifest of its run.

    ``wanted`` says in an error what the file should hold; ``fresh(manifest)`` gives an untrained `lifecycle.Agent`.

    Raises
    ------
    InputError
        The file is missing, truncated, from another program, or from another network, or holds values that are not
        finite.
    """
    arrays, manifest = weights.read(path, wanted)
    layers = {name: array for name, array in arrays.items() if not name.startswith(_LOG)}
    log = {name.removeprefix(_LOG): array for name, array in arrays.items() if name.startswith(_LOG)}
    size, n = sum(array.size for array in layers.values()), len(layers)
    got = f"{path} with {n} arrays of {size:,} numbers"
    try:
        with Bounded(size, n, got, wanted):
            agent = fresh(manifest)  # whose config could ask for a network of any size
    except InputError:
        raise
    except Exception as error:  # torch raises any exception where a config asks for what cannot be
        raise InputError(f"{path} with a config of no network ({error})", wanted) from None
    weights.fit(path, layers, {name: tuple(value.shape) for name, value in agent.network.state_dict().items()}, wanted)
    agent.network.load_state_dict({name: torch.from_numpy(array.astype(np.float32)) for name, array in layers.items()})
    agent.network.eval()
    order = sorted(log, key=lambda name: (name != "step", name))
    agent.log, agent.manifest = pd.DataFrame(log, columns=order), manifest
    agent.seed = manifest.seed
    return agent


class Bounded(TorchFunctionMode):
    """Within it, a network may make no more tensors, or numbers in them, than its weights and some to spare.

    A config can ask for a network of any size: one that does not fit its weights is refused before it takes memory.
    ``numbers`` and ``tensors`` are what the weights hold; ``got`` and ``wanted`` are the words of the `InputError`.

    Examples
    --------
    >>> with Bounded(100, 2, "100 numbers", "a network"):
    ...     torch.zeros(10**12)
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a network, got 100 numbers: it is of another network
    """

    def __init__(self, numbers: int, tensors: int, got: str, wanted: str) -> None:
        super().__init__()
        self.numbers, self.tensors = _SPARE * numbers, _SPARE * tensors
        self.error_args = got, wanted, "it is of another network"

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in _MAKERS:
            first = args[0] if args and isinstance(args[0], tuple | list | torch.Tensor) else args
            sizes = first.shape if isinstance(first, torch.Tensor) else first
            self.numbers -= math.prod(size for size in sizes if isinstance(size, int))
            self.tensors -= 1
            if self.numbers < 0 or self.tensors < 0:
                raise InputError(*self.error_args)
        return func(*args, **(kwargs or {}))
