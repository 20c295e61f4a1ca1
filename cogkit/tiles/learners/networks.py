"""What the networks of all agents share: how a policy looks from outside, and how it begins."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from cogkit.tiles.rules.boards import TILES

Memory = tuple[Tensor, ...]
_START = -1.0  # scaled points that an untrained agent has still to expect


class Policy(nn.Module):
    """A network that plays; a file of `cogkit.tiles.learners.policies` holds one, of this name.

    Attributes
    ----------
    title : str
        What tables and figures call it.
    masked : bool
        Whether the original was trained and tested with open tiles masked; ``as_published`` keeps that.
    limit : int
        Clicks a board in the published test.
    """

    title: ClassVar[str]
    masked: ClassVar[bool] = False
    limit: ClassVar[int] = 60

    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Memory]:
        """Return scores (n, 49), values (n,) and the new memory.

        A network that thinks in steps returns the scores after each of them in a row, (n, steps · 49). The last ones
        choose. Boards teach them all.

        Parameters
        ----------
        board : (n, 49) int8
            -1 covered, 0 blue, 1 red.
        action, reward : (n,)
            Of the last click; action -1 for none.
        memory : tuple of tensors
            What it has kept of n boards, as `blank` or the call before returned it.
        """
        raise NotImplementedError

    def blank(self, n: int) -> Memory:
        """Return the memory of n boards on which nothing has happened yet: zeros, or nothing without a memory."""
        return ()


def begin(*layers: tuple[nn.Linear | nn.Conv2d, float]) -> None:
    """Give layers orthogonal weights, each with its gain, and biases of 0."""
    for layer, gain in layers:
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)


def begin_heads(scores: nn.Linear | nn.Conv2d, value: nn.Linear) -> None:
    """Let the last layers choose evenly, and expect the points of such an agent.

    If values began at 0, the value loss would saturate a recurrent network.
    """
    begin((scores, 0.01), (value, 1.0))
    nn.init.constant_(value.bias, _START)


def states(board: Tensor) -> Tensor:
    """Return the state of each tile, (n, 49, 3) float32: covered, blue or red."""
    return (board[:, :, None] == torch.arange(-1, 2, dtype=board.dtype, device=board.device)).float()


def last_click(action: Tensor, reward: Tensor) -> Tensor:
    """Return the last click and its reward as inputs, (n, 50): the tile clicked, and tenths of points."""
    tile = (action[:, None] == torch.arange(TILES, device=action.device)).float()
    return torch.cat([tile, reward[:, None] / 10], dim=1)


def waves(n: int, rate: Tensor) -> Tensor:
    """Return sines and cosines of 0 to n - 1 in turn, (n, 2 · rates), at each rate in radians a step.

    Examples
    --------
    >>> waves(2, torch.tensor([0.0])).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    angle = torch.arange(n)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)


def attention(query: Tensor, key: Tensor, value: Tensor, lower: Tensor | float = 0.0) -> Tensor:
    """Return what each query finds, (n, heads, queries, width), among the keys; ``lower`` is added to their scores.

    torch's own attention takes half as long again for few tokens with the gradient.

    Examples
    --------
    >>> attention(torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 2, 2), torch.tensor([[[[0.0, 4.0], [2.0, 0.0]]]])).tolist()
    [[[[1.0, 2.0]]]]
    """
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(2, 3)
    return (scores + lower).softmax(dim=3) @ value
