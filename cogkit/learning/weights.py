"""Trained networks in a file: weights in half precision, the training log and the manifest of the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn

from cogkit.core.contracts import InputError, Manifest
from cogkit.data import weights

_LOG = "log/"


@dataclass(frozen=True, eq=False)
class Kept:
    """The content of a network's file.

    Attributes
    ----------
    path : Path
    wanted : str
        What the file should hold, in the words of an error.
    layers : dict of str to ndarray
        Weights by their names in the network.
    log : DataFrame
        The training log, one row per entry; column ``step``, then the metrics by name.
    manifest : Manifest
        The run that made it.
    """

    path: Path
    wanted: str
    layers: Mapping[str, np.ndarray]
    log: pd.DataFrame
    manifest: Manifest

    def fill(self, network: nn.Module) -> nn.Module:
        """Load these weights into a network and return it; raise `InputError` if names or shapes differ."""
        shapes = {name: tuple(value.shape) for name, value in network.state_dict().items()}
        weights.fit(self.path, self.layers, shapes, self.wanted)
        network.load_state_dict(
            {name: torch.from_numpy(values.astype(np.float32)) for name, values in self.layers.items()}
        )
        return network


def not_shipped(path: Path, got: str = "", first: str = "") -> InputError:
    """Return the error for an agent without a file. It names the shipped agents whose files begin with ``first``.

    Examples
    --------
    >>> print(not_shipped(Path("nowhere/lstm-copy.safetensors")))
    wanted an agent that is shipped (none so far), got lstm-copy: train your own
    """
    names = ", ".join(sorted(file.stem for file in path.parent.glob(f"{first}*.safetensors"))) or "none so far"
    return InputError(got or path.stem, f"an agent that is shipped ({names})", "train your own")


def rounded(network: nn.Module) -> dict[str, torch.Tensor]:
    """Return the weights of a network as they are after writing and reading."""
    return {name: value.half().float() for name, value in network.state_dict().items()}


def write(path, network: nn.Module, log: pd.DataFrame, manifest: Manifest) -> Path:
    """Write half-precision weights, training log (without NaN) and manifest of a network, and return the file."""
    arrays = {name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    arrays |= {f"{_LOG}{name}": log[name].to_numpy(np.float32) for name in log}
    return weights.write(path, arrays, manifest)


def read(path, wanted: str) -> Kept:
    """Return the content of a network's file.

    Raises
    ------
    InputError
        The file is missing, truncated, from another program, or holds values that are not finite.
    """
    arrays, manifest = weights.read(path, wanted)
    layers = {name: array for name, array in arrays.items() if not name.startswith(_LOG)}
    log = {name.removeprefix(_LOG): array for name, array in arrays.items() if name.startswith(_LOG)}
    order = sorted(log, key=lambda name: (name != "step", name))
    return Kept(Path(path), wanted, layers, pd.DataFrame(log, columns=order), manifest)
