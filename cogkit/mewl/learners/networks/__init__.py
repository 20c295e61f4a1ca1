"""Parts of the networks that learn words."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import cross_entropy


class Network(nn.Module):
    """A network whose ``forward(obs, token_ids)`` gives a number for each option, (B, 5)."""

    def taught(self, obs: Tensor, token_ids: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and a number for each option, (B, 5)."""
        scores = self(obs, token_ids)
        return cross_entropy(scores, answers), scores
