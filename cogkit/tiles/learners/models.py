"""The LSTM meta-learner of Kumar et al. (2023, "Meta-reinforcement learning agent"), and the file it is kept in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.core.contracts import Manifest
from cogkit.learning import one_thread, weights
from cogkit.tiles.learners import agents
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.game import View

_FILTERS, _SEEN = 16, 49
_INSIDE = (SIZE - 2) ** 2


def _windows() -> Tensor:
    """Return the tiles under each of the 25 places of a 3×3 filter: (25, 9) indices."""
    tiles = torch.arange(TILES).reshape(SIZE, SIZE)
    return tiles.unfold(0, 3, 1).unfold(1, 3, 1).reshape(_INSIDE, 9)


class LSTMPolicy(nn.Module):
    """Board → 16 filters of 3×3 → 49 units; with the last action and reward → LSTM → a score a tile, and a value.

    Parameters
    ----------
    units : int
        Of the LSTM; 120 in the paper.

    Notes
    -----
    Differs from the paper: the last action and reward are 0 or 1, and tenths of points; the original rescales them to
    0.5 or 1, and (r + 1) / 2. The filters are applied as a matrix product over windows, which is the same sum.
    """

    def __init__(self, units: int = 120) -> None:
        super().__init__()
        self.units = units
        self.filters = nn.Linear(9, _FILTERS)
        self.dense = nn.Linear(_FILTERS * _INSIDE, _SEEN)
        self.cell = nn.LSTMCell(_SEEN + TILES + 1, units)
        self.scores = nn.Linear(units, TILES)
        self.value = nn.Linear(units, 1)
        self.register_buffer("windows", _windows(), persistent=False)
        for layer, gain in ((self.filters, 2**0.5), (self.dense, 2**0.5), (self.scores, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.value.bias, -1.0)  # about what a beginner earns: from 0 the value loss would saturate

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: tuple[Tensor, Tensor]):
        """Return scores (n, 49), values (n,) and the new memory.

        Parameters
        ----------
        board : (n, 49) int8
            -1 covered, 0 blue, 1 red.
        action, reward : (n,)
            Of the last click; action -1 for none.
        memory : two (n, units) tensors
        """
        shown = (board.float() + 1) / 2
        seen = self.filters(shown[:, self.windows]).flatten(1).relu()
        seen = self.dense(seen).relu()
        last = nn.functional.one_hot(action + 1, TILES + 1)[:, 1:].float()
        memory = self.cell(torch.cat([seen, last, reward[:, None] / 10], dim=1), memory)
        return self.scores(memory[0]), self.value(memory[0]).squeeze(1), memory

    def blank(self, n: int) -> tuple[Tensor, Tensor]:
        """Return the memory of n boards on which nothing has happened yet."""
        return torch.zeros(n, self.units), torch.zeros(n, self.units)


def tensors(view: View) -> tuple[Tensor, Tensor, Tensor]:
    """Return board, last action and last reward of a view as tensors of their own."""
    return tuple(torch.tensor(part) for part in (view.board, view.last_action, view.last_reward))


class Agent:
    """A trained network as a player; its memory is blank at the start of every board.

    Parameters
    ----------
    policy : LSTMPolicy
        The network; it is not copied.
    name : str
        The name in result rows.

    Attributes
    ----------
    log : DataFrame or None
        The training log, one row an entry, where the agent came with one.
    manifest : Manifest or None
        The run that made it.

    Examples
    --------
    >>> from cogkit.tiles import scoring
    >>> from cogkit.tiles.problems import records
    >>> items = records.items("tree/abstract", "generated")
    >>> scoring.judge(Agent(LSTMPolicy()), items).finished.all()
    np.True_
    """

    kind, inputs, choose = "model", ("board", "last_action", "last_reward"), "sample"

    def __init__(self, policy: LSTMPolicy, name: str = "LSTM") -> None:
        self.policy, self.name = policy, name
        self.log: pd.DataFrame | None = None
        self.manifest: Manifest | None = None

    @torch.no_grad()
    def act(self, view: View, state):
        """Return a score for every tile, and the memory after this click."""
        memory = self.policy.blank(len(view.board)) if state is None else state
        with one_thread():
            scores, _, memory = self.policy(*tensors(view), memory)
        return scores.numpy(), memory


def save(agent: Agent, path, log: pd.DataFrame, manifest: Manifest) -> Path:
    """Return the file that now holds an agent: half-precision weights, training log (no NaN) and manifest."""
    return weights.write(path, agent.policy, log, manifest)


def read(path) -> Agent:
    """Return the agent that a file holds.

    Raises
    ------
    InputError
        The file is missing, truncated, of another program, or of another network or board size.
    """
    file = weights.read(path, f"an LSTM agent for boards of {SIZE}×{SIZE} tiles")
    hidden = file.layers.get("cell.weight_hh")
    agent = Agent(file.fill(LSTMPolicy(units=hidden.shape[1] if hidden is not None and hidden.ndim == 2 else 1)))
    agent.log, agent.manifest = file.log, file.manifest
    return agent


@cache
def load(task: str, seed: int = 0, profile: str = "verified") -> Agent:
    """Return the agent that the package ships for a task, such as ``copy/abstract``.

    Raises
    ------
    InputError
        No agent of this task, seed and profile is shipped.

    Examples
    --------
    >>> load("rectangle/abstract").manifest.cell
    'tiles/lstm/rectangle/abstract'
    """
    path = agents.shipped_file(task, seed, profile)
    if not path.exists():
        raise weights.not_shipped(path, pattern="lstm-*")
    return read(path)
