"""Task metamers: boards that share a rule's statistics and not the rule (Kumar et al. 2023, "Task metamers").

A small network learns each tile given all the others; Gibbs sweeps with it then draw boards. The networks that the
package ships were trained by `training.ship_conditional`, one of each rule.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from cogkit import presets, seeding
from cogkit.contracts import InputError, Manifest
from cogkit.data.files import write_whole
from cogkit.tiles.boards import SIZE, TILES, from_bits, to_bits
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.enumeration import FEWEST, MOST

MASKED = -1.0
SWEEPS = 20
SHIPPED = Path(__file__).parent / "shipped"
_LAYERS = 3


@dataclass(frozen=True)
class ConditionalConfig:
    """How the network that predicts a masked tile from the others is trained.

    Attributes
    ----------
    rule : str
        The rule whose boards it sees, fresh ones at every update.
    updates : int
        At most this many; the paper's 4,000 "epochs" are single updates.
    batch : int
        Boards an update, one masked tile each.
    learning_rate : float
        Of Adam.
    loss : str
        ``masked``: cross-entropy on the masked tile, as the original program; ``all``: on every tile, as the text.
    enough : float
        Training ends when the mean accuracy of five updates in a row reaches this.
    """

    rule: str
    updates: int = 4000
    batch: int = 400
    learning_rate: float = 1e-3
    loss: str = "masked"
    enough: float = 0.99


@dataclass(frozen=True)
class Conditional:
    """The chance of each tile being red given the others: 49 → 49 → 49 → 49, ReLU inside and a sigmoid at the end.

    Attributes
    ----------
    weights : three (49, 49) float32 arrays
        As torch keeps them, (out, in).
    biases : three (49,) float32 arrays
    """

    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]

    def hidden(self, boards: np.ndarray) -> np.ndarray:
        """Return the last hidden layer (n, 49) for boards (n, 49) float32 in which a masked tile is -1."""
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            boards = np.maximum(boards @ weight.T + bias, 0)
        return boards

    def chance(self, boards: np.ndarray, tile: int) -> np.ndarray:
        """Return each board's chance (n,) that one tile is red; the tile must be masked."""
        logit = self.hidden(boards) @ self.weights[-1][tile] + self.biases[-1][tile]
        return 0.5 * (1 + np.tanh(logit / 2))  # the logistic function, without overflow


@cache
def load(rule: str) -> Conditional:
    """Return the shipped network of a rule.

    Raises
    ------
    InputError
        An unknown rule, or a file that is missing, truncated or no such network.

    Examples
    --------
    >>> load("tree").weights[0].shape
    (49, 49)
    """
    return read(SHIPPED / f"conditional-{presets.choose(rule, RULES, 'rule')}.safetensors")


def read(path) -> Conditional:
    """Return the network that a safetensors file holds, checked; `InputError` names the file if it holds none."""
    from safetensors.numpy import load_file  # here: a compiled library that only networks need

    wanted = {f"weight.{k}": (TILES, TILES) for k in range(_LAYERS)} | {f"bias.{k}": (TILES,) for k in range(_LAYERS)}
    try:
        tensors = load_file(path)
    except Exception as error:  # safetensors raises several kinds of its own
        raise InputError(
            f"{path} ({error})", "a safetensors file of a conditional network", "reinstall cogkit"
        ) from None
    found = {name: tensor.shape for name, tensor in tensors.items()}
    if found != wanted:
        raise InputError(f"{path} with {found}", "three layers of 49 units for boards of 7×7 tiles")
    if not all(tensor.dtype == np.float32 and np.isfinite(tensor).all() for tensor in tensors.values()):
        raise InputError(f"{path} with weights that are not finite 32-bit numbers", "a trained network")
    weights, biases = (tuple(tensors[f"{part}.{k}"] for k in range(_LAYERS)) for part in ("weight", "bias"))
    return Conditional(weights, biases)


def save(network: Conditional, path, manifest: Manifest) -> Path:
    """Return the safetensors file that now holds a network, with its manifest as JSON among the metadata."""
    from safetensors.numpy import save as to_bytes  # as in `read`

    tensors = {f"weight.{k}": weight for k, weight in enumerate(network.weights)}
    tensors |= {f"bias.{k}": bias for k, bias in enumerate(network.biases)}
    return write_whole(path, to_bytes(tensors, {"manifest": json.dumps(dataclasses.asdict(manifest))}))


def gibbs(network: Conditional, chains: int, rng: np.random.Generator, sweeps: int = SWEEPS) -> np.ndarray:
    """Return the last state of Gibbs chains, (chains, 7, 7) uint8, whatever its number of reds.

    Each chain starts from fair coins; a sweep visits every tile once, in a new random order that the chains share, and
    redraws it from its chance given the others.
    """
    boards = rng.integers(0, 2, (chains, TILES)).astype(np.float32)
    for _ in range(sweeps):
        for tile in rng.permutation(TILES):
            boards[:, tile] = MASKED
            boards[:, tile] = rng.random(chains, np.float32) < network.chance(boards, tile)
    return boards.astype(np.uint8).reshape(-1, SIZE, SIZE)


def sample(rule: str, n: int, seed: int = 0, exclude=(), distinct: bool = False, network=None) -> np.ndarray:
    """Return n metamer boards of a rule, (n, 7, 7) uint8, each with 3 to 39 reds.

    Parameters
    ----------
    rule : str
        The rule whose network is used.
    n, seed : int
        How many, and the seed of the chains.
    exclude : (k,) uint64
        Bit words of boards that must not be among them, held-out ones for instance.
    distinct : bool
        No board twice.
    network : Conditional, optional
        Another network than the shipped one.

    Raises
    ------
    InputError
        Fewer than one chain in 200 gives a board: the chains collapse, or there are no more boards to find.

    Examples
    --------
    >>> sample("copy", 5).shape
    (5, 7, 7)

    Notes
    -----
    Kept boards need not satisfy the rule, and some do. Differs from the paper: its text trains the networks on the loss
    over all tiles; the program, and the shipped networks, on the masked tile. The text does not mention that boards
    outside 3 to 39 reds are thrown away; for *pyramid* that is most of them.
    """
    network = network or load(rule)
    rng = seeding.stream(seed, f"metamers/{rule}")
    kept, tried = np.empty(0, np.uint64), 0
    while len(kept) < n:
        boards = gibbs(network, max(64, min(4096, 2 * (n - len(kept)))), rng)
        tried += len(boards)
        reds = boards.sum(axis=(1, 2))
        words = to_bits(boards[(reds >= FEWEST) & (reds <= MOST)])
        kept = np.concatenate([kept, words[~np.isin(words, exclude)]])
        if distinct:
            _, first = np.unique(kept, return_index=True)
            kept = kept[np.sort(first)]
        if tried > 200 * n + 10_000 and len(kept) < tried / 200:
            got = f"{len(kept)} boards from {tried} chains"
            raise InputError(got, f"{n} metamer boards of {rule}", "ask for fewer")
    return from_bits(kept[:n])
