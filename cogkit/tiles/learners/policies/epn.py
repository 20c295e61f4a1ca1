"""The episodic planning network of Kumar et al. (2023), after Ritter et al.: an LSTM with a memory of its clicks."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.learners.policies import lstm
from cogkit.tiles.rules.boards import TILES

_SLOTS, _WIDTH, _HEADS = 10, 32, 4


def _positions() -> Tensor:
    """Return the fixed sinusoids that tell the slots apart, (slots, width)."""
    rate = torch.exp(torch.arange(0, _WIDTH, 2) * (-math.log(10_000.0) / _WIDTH))
    return networks.waves(_SLOTS, rate)


class Policy(lstm.Policy):
    """The LSTM, and attention over its last ten clicks: the board before, the tile, and the board after each.

    Every slot of the memory is seen beside the board as it is now. The strongest answer of any slot in each of 32
    channels is a further input of the LSTM.

    Notes
    -----
    Differs from the paper: one LSTM serves choices and values, and its heads have no layers of their own. The newest
    click is in memory at once, where the original is a click late. Slots hold the tile that opened, so a click on an
    open tile leaves a slot without one. Slots, width and heads are fixed (the original searches 5 to 40, 16 to 64, and
    1 to 8).
    """

    title, limit = "EPN", 60
    positions: Tensor

    def __init__(self, units: int = 120) -> None:
        super().__init__(units, more=_WIDTH)
        self.slot = nn.Linear(3 * TILES, _WIDTH)
        self.now = nn.Linear(TILES, _WIDTH)
        self.norm = nn.LayerNorm([_SLOTS, _WIDTH])
        self.heads = nn.Linear(_WIDTH, 3 * _WIDTH)
        self.joined = nn.Linear(_WIDTH, _WIDTH)
        self.first, self.second = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.register_buffer("positions", _positions(), persistent=False)

    def recall(self, board: Tensor, memory: Memory) -> tuple[list[Tensor], Memory]:
        """Return what the memory says of this board, (n, 32), and the memory with the last click in it."""
        before, slots, filled = memory
        n, now = len(board), board.float()
        begun = before.any(dim=1)  # blank at the first look at a board; the last click told may be one of another board
        click = torch.cat([before, (now - before).sign().abs(), now], dim=1)[:, None]
        slots = torch.where(begun[:, None, None], torch.cat([slots[:, 1:], click], dim=1), slots)
        filled = torch.where(begun[:, None], torch.cat([filled[:, 1:], filled.new_ones(n, 1)], dim=1), filled)
        seen = self.slot(slots.flatten(0, 1)).view(n, _SLOTS, _WIDTH)
        seen = seen + self.now(now)[:, None] + self.positions
        parts = self.heads(self.norm(seen).flatten(0, 1)).view(n, _SLOTS, 3, _HEADS, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        # the mask lowers scores and does not forbid: with an empty memory, all slots are seen alike
        hidden = (filled[:, None, None] - 1) * 1e9
        answer = networks.attention(query, key, value, hidden)
        answer = self.joined(answer.transpose(1, 2).reshape(n * _SLOTS, _WIDTH))
        answer = nn.functional.elu(answer + seen.flatten(0, 1))
        answer = nn.functional.elu(self.first(answer))
        answer = nn.functional.elu(self.second(answer))
        return [answer.view(n, _SLOTS, _WIDTH).amax(dim=1)], (now, slots, filled)

    def blank(self, n: int) -> Memory:
        return *super().blank(n), torch.zeros(n, TILES), torch.zeros(n, _SLOTS, 3 * TILES), torch.zeros(n, _SLOTS)
