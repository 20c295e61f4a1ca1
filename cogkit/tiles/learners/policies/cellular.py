"""A neural cellular automaton of ours: one small rule for every tile, applied again and again."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES

_STEPS = 12  # enough to cross the board: a step carries what is known by one tile


class Policy(networks.Policy):
    """Board → the same cell on every tile, twelve times → a score per tile after each step, and a value.

    A cell sees its state and those of its eight neighbours, and what is open there. It knows neither where it is nor
    how large the board is, but for the zeros beyond the edge. ``units`` is the number of values in a state. It has no
    memory from click to click. All steps are supervised if boards teach it (Mordvintsev, Randazzo, Niklasson & Levin
    2020 have such cells).
    """

    title, masked = "cellular automaton", True

    def __init__(self, units: int = 16) -> None:
        super().__init__(units)
        self.look = nn.Conv2d(units + 3, 2 * units, 3, padding=1)
        self.change = nn.Conv2d(2 * units, units, 1)
        self.scores, self.value = nn.Conv2d(units, 1, 1), nn.Linear(units, 1)
        networks.begin((self.look, 2**0.5), (self.change, 0.1))
        networks.begin_heads(self.scores, self.value)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores after each step (n, steps · 49), values (n,) and no memory."""
        board_state = networks.states(board).view(-1, SIZE, SIZE, 3).permute(0, 3, 1, 2)
        cells, scores = torch.zeros(len(board), self.units, SIZE, SIZE, device=board.device), []
        for _ in range(_STEPS):
            cells = cells + self.change(self.look(torch.cat([cells, board_state], dim=1)).relu())
            scores.append(self.scores(cells.relu()).view(-1, TILES))
        values = self.value(cells.relu().mean(dim=(2, 3)))
        return torch.cat(scores, dim=1), values.squeeze(1), ()
