"""The LSTM of Kumar et al. (2023) as its program begins it and feeds it; the one of `lstm` learns more easily."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.policies import lstm
from cogkit.tiles.rules.boards import TILES


class Policy(lstm.Policy):
    """The LSTM whose inputs are rescaled by their declared bounds, and whose layers all begin orthogonal.

    Notes
    -----
    Differs from the paper: its program ran on Stable-Baselines 2, whose first weights we have from that library's
    source. The released program saves this network untrained and holds no test of it, so training follows the text.
    """

    title, limit = "LSTM, as its program", 120

    def __init__(self, units: int = 120) -> None:
        super().__init__(units)
        networks.begin((self.scores, 1.0), (self.value, 1.0))
        for name, weights in self.cell.named_parameters():
            (nn.init.zeros_ if name.startswith("bias") else nn.init.orthogonal_)(weights)

    def last_click(self, action: Tensor, reward: Tensor) -> Tensor:
        """Return the last click and its reward as inputs, (n, 50): 1 for its tile, .5 for others, and (r + 1) / 2."""
        tile = (action[:, None] == torch.arange(TILES, device=action.device)).float()
        return (torch.cat([tile, reward[:, None]], dim=1) + 1) / 2
