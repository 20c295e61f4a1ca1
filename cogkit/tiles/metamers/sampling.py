"""Task metamers: boards that share a rule's statistics and not the rule (Kumar et al. 2023, "Task metamers").

A small network learns each tile given all the others; Gibbs sweeps with it then draw boards. The networks that the
package ships were trained by `learners.conditional`, one of each rule.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from cogkit.core import identity, presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.records import Manifest
from cogkit.data import weights
from cogkit.data.home import home
from cogkit.learning.recipe import Recipe, recipe_field
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import SIZE, TILES, from_bits, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, MOST

MASKED = -1.0
SWEEPS = 20
SHIPPED = Path(__file__).parents[1] / "shipped"
_LAYERS = 3


@dataclass(frozen=True)
class ConditionalConfig:
    """How the network that predicts a masked tile from the others is trained.

    Attributes
    ----------
    rule : str
        The rule whose boards it sees, fresh ones at every update.
    recipe : Recipe
        At most so many steps, since the paper's 4,000 "epochs" are single updates; each sees a batch of boards, with
        one masked tile each.
    loss : str
        ``masked``: cross-entropy on the masked tile, as the original program; ``all``: on every tile, as the text.
    enough : float
        Training ends when the mean accuracy of five updates in a row reaches this.
    """

    rule: str
    recipe: Recipe = recipe_field(Recipe(4000, 400, "adam", 1e-3, 0.0), "batch", "learning_rate", steps="updates")
    loss: str = "masked"
    enough: float = 0.99


@dataclass(eq=False)
class Conditional:
    """The chance of each tile being red given the others: 49 → 49 → 49 → 49, ReLU inside and a sigmoid at the end.

    Attributes
    ----------
    weights : three (49, 49) float32 arrays
        As torch keeps them, (out, in).
    name : str
        What figures call it.
    """

    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]
    name: str = "network"

    @classmethod
    def of(cls, network) -> Conditional:
        """Return copies of the layers of a torch network, an ``nn.Sequential``, as plain arrays."""
        linear = [layer for layer in network if hasattr(layer, "weight")]  # its activations have none
        arrays = [[getattr(layer, part).detach().numpy().copy() for layer in linear] for part in ("weight", "bias")]
        return cls(tuple(arrays[0]), tuple(arrays[1]))

    def hidden(self, boards: np.ndarray) -> np.ndarray:
        """Return the last hidden layer (n, 49) for boards (n, 49) float32 in which a masked tile is -1."""
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            boards = np.maximum(boards @ weight.T + bias, 0)
        return boards

    def chance(self, boards: np.ndarray, tile: int) -> np.ndarray:
        """Return each board's chance (n,) that one tile is red; the tile must be masked."""
        logit = self.hidden(boards) @ self.weights[-1][tile] + self.biases[-1][tile]
        return 0.5 * (1 + np.tanh(logit / 2))  # the logistic function, without overflow


def path_of(rule: str) -> Path:
    """Return the file of the shipped network of a rule, whether it is there or not."""
    return SHIPPED / f"conditional-{presets.choose(rule, RULES, 'rule')}.safetensors"


@cache
def load(rule: str) -> Conditional:
    """Return the shipped network of a rule.

    Raises
    ------
    InputError
        An unknown rule, one without a network, or a file that is truncated or no such network.

    Examples
    --------
    >>> load("tree").weights[0].shape
    (49, 49)
    """
    if not path_of(rule).exists():
        how = f"train one: cogkit ship tiles/conditional/{rule}"
        raise InputError(f"none for {rule}", "a rule whose metamers a trained network draws", how)
    return read(path_of(rule))


def checkpoint(config: ConditionalConfig, seed: int) -> Path:
    """Return the reader's own file for a training run; each config and seed has one."""
    name = f"conditional-{config.rule}"
    return home() / "agents" / f"{name}-{identity.config_hash(config)}-s{seed}.safetensors"


def read(path) -> Conditional:
    """Return the network that a safetensors file holds, checked; `InputError` names the file if it holds none."""
    shapes = {f"weight.{k}": (TILES, TILES) for k in range(_LAYERS)} | {f"bias.{k}": (TILES,) for k in range(_LAYERS)}
    wanted = f"a conditional network for boards of {SIZE}×{SIZE} tiles"
    arrays, _ = weights.read(path, wanted)
    weights.fit(path, arrays, shapes, wanted)
    parts = [tuple(arrays[f"{part}.{k}"].astype(np.float32) for k in range(_LAYERS)) for part in ("weight", "bias")]
    return Conditional(parts[0], parts[1])


def save(network: Conditional, path, manifest: Manifest) -> Path:
    """Write a network to a safetensors file, with its manifest as JSON in the metadata, and return the file."""
    arrays = {f"weight.{k}": weight for k, weight in enumerate(network.weights)}
    arrays |= {f"bias.{k}": bias for k, bias in enumerate(network.biases)}
    return weights.write(path, arrays, manifest)


@dataclass(frozen=True)
class Chain:
    """One Gibbs chain, recorded tile by tile: visit k turns state k into state k + 1.

    Attributes
    ----------
    start : (49,) uint8
        The fair coins that it starts with.
    tiles : (sweeps, 49) int64
        The tiles in the order of their visits, each once a sweep.
    chances : (sweeps, 49) float32
        The chance of red at each visit, given the other 48 tiles.
    uniforms : (sweeps, 49) float32
        The random number of each visit: the tile becomes red where it is below the chance.
    """

    start: np.ndarray
    tiles: np.ndarray
    chances: np.ndarray
    uniforms: np.ndarray

    @property
    def states(self) -> np.ndarray:
        """The board before the first visit and after each, (sweeps · 49 + 1, 49) uint8."""
        states = np.empty((self.tiles.size + 1, TILES), np.uint8)
        states[0] = self.start
        visits = zip(self.tiles.ravel(), (self.uniforms < self.chances).ravel(), strict=True)
        for k, (tile, red) in enumerate(visits, 1):
            states[k] = states[k - 1]
            states[k, tile] = red
        return states


def _start(chains: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fair coins that chains begin with, (49, chains) float32, one chain a column."""
    return np.ascontiguousarray(rng.integers(0, 2, (chains, TILES)).T, np.float32)


def _draw(chains: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the random numbers of one sweep: the order of the tiles (49,), and uniforms (49, chains) float32."""
    return rng.permutation(TILES), rng.random((TILES, chains), np.float32)


def _run(network: Conditional, chains: int, rng: np.random.Generator, sweeps: int) -> Iterator[np.ndarray]:
    """Yield the chains (chains, 7, 7) uint8 at the start and after each sweep."""
    (first, second, last), (b1, b2, b3) = network.weights, [bias[:, None] for bias in network.biases]
    blas = ThreadpoolController()
    boards, hidden, deeper = _start(chains, rng), *np.empty((2, TILES, chains), np.float32)
    yield boards.T.astype(np.uint8).reshape(-1, SIZE, SIZE)
    for _ in range(sweeps):
        order, uniforms = _draw(chains, rng)
        with np.errstate(divide="ignore"):  # a uniform of 0 lies below every chance, as its logit below every other
            thresholds = np.log(uniforms / (1 - uniforms))
        with blas.limit(limits=1):  # for matrices this small, threads would only wait for each other
            for tile, threshold in zip(order, thresholds, strict=True):
                boards[tile] = MASKED
                for weight, bias, inputs, out in ((first, b1, boards, hidden), (second, b2, hidden, deeper)):
                    np.maximum(np.add(np.matmul(weight, inputs, out=out), bias, out=out), 0, out=out)
                boards[tile] = last[tile] @ deeper + b3[tile] > threshold
        yield boards.T.astype(np.uint8).reshape(-1, SIZE, SIZE)


def gibbs(network: Conditional, chains: int, rng: np.random.Generator, sweeps: int = SWEEPS) -> np.ndarray:
    """Return the last state of Gibbs chains, (chains, 7, 7) uint8, whatever its number of reds.

    Each chain starts from fair coins; a sweep visits every tile once, in a new random order that the chains share, and
    redraws it from its chance given the others.

    Examples
    --------
    >>> gibbs(load("tree"), 3, np.random.default_rng(0)).shape
    (3, 7, 7)
    """
    return deque(_run(network, chains, rng, sweeps), maxlen=1).pop()


def sweeps(network: Conditional, chains: int, rng: np.random.Generator, sweeps: int = SWEEPS) -> np.ndarray:
    """Return Gibbs chains at the start and after each sweep, (sweeps + 1, chains, 7, 7) uint8.

    The chains are those of `gibbs`, which gives the last state alone.

    Examples
    --------
    >>> sweeps(load("tree"), 3, np.random.default_rng(0), sweeps=2).shape
    (3, 3, 7, 7)
    """
    return np.stack(list(_run(network, chains, rng, sweeps)))


def trace(network: Conditional, rng: np.random.Generator, sweeps: int = SWEEPS) -> Chain:
    """Return the record of one Gibbs chain, the one that ``gibbs(network, 1, rng, sweeps)`` runs.

    Examples
    --------
    >>> chain = trace(load("tree"), np.random.default_rng(0), sweeps=2)
    >>> chain.tiles.shape, chain.states.shape
    ((2, 49), (99, 49))
    """
    board = _start(1, rng).T
    start = board[0].astype(np.uint8)
    tiles = np.empty((sweeps, TILES), np.int64)
    chances, uniforms = np.empty((sweeps, TILES), np.float32), np.empty((sweeps, TILES), np.float32)
    for row in range(sweeps):
        tiles[row], numbers = _draw(1, rng)
        uniforms[row] = numbers[:, 0]
        for visit, tile in enumerate(tiles[row]):
            board[0, tile] = MASKED
            chances[row, visit] = network.chance(board, tile)[0]
            board[0, tile] = uniforms[row, visit] < chances[row, visit]
    return Chain(start, tiles, chances, uniforms)


def conditionals(network: Conditional, boards: np.ndarray) -> np.ndarray:
    """Return the chance of each tile being red given all the others, (n, 49) float32, for boards (n, 49) of 0 and 1.

    Examples
    --------
    >>> conditionals(load("tree"), np.zeros((2, 49))).shape
    (2, 49)
    """
    boards = np.asarray(boards)
    chances = np.empty(boards.shape, np.float32)
    for tile in range(TILES):
        inputs = boards.astype(np.float32)
        inputs[:, tile] = MASKED
        chances[:, tile] = network.chance(inputs, tile)
    return chances


def sample(rule: str, n: int, seed: int = 0, exclude=(), distinct: bool = False, network=None) -> np.ndarray:
    """Return n metamer boards of a rule, (n, 7, 7) uint8, each with 3 to 39 reds.

    Parameters
    ----------
    n, seed : int
        How many, and the seed of the chains.
    exclude : (k,) uint64
        Bit words of boards that must not be among them, held-out ones for instance.

    Raises
    ------
    InputError
        Fewer than one chain in 200 gives a board, as 10,000 have shown: the chains collapse, or all that they find are
        excluded or taken.

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
    excluded = np.asarray(exclude, np.uint64).tobytes()
    return from_bits(_words(rule, n, seed, excluded, distinct, network or load(rule)))


@lru_cache(64)
def _words(rule: str, n: int, seed: int, excluded: bytes, distinct: bool, network: Conditional) -> np.ndarray:
    """Return the boards of `sample` as bit words; they are remembered, because a gallery and its tests share them."""
    rng, exclude = seeding.stream(seed, f"metamers/{rule}"), np.frombuffer(excluded, np.uint64)
    bits, n_chains = np.empty(0, np.uint64), 0
    while len(bits) < n:
        boards = gibbs(network, max(64, min(4096, 2 * (n - len(bits)))), rng)
        n_chains += len(boards)
        reds = boards.sum(axis=(1, 2))
        words = to_bits(boards[(reds >= FEWEST) & (reds <= MOST)])
        bits = np.concatenate([bits, words[~np.isin(words, exclude)]])
        if distinct:
            _, places = np.unique(bits, return_index=True)
            bits = bits[np.sort(places)]
        if n_chains >= 10_000 and len(bits) < min(n, n_chains / 200):
            got = f"{len(bits)} of them from {n_chains:,} chains"
            raise InputError(got, f"{n} metamer boards of {rule}", "ask for fewer, or exclude fewer")
    return bits[:n]
