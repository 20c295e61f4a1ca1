"""A feed-forward net, used by the authors before transformers (Carrillo & Betancort 2023, MTI 7(3): 39)."""

from __future__ import annotations

from torch import Tensor, nn

from cogkit.equivalence.learners.agents import FeedForwardConfig
from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.learners.networks.choosing import Choosing
from cogkit.equivalence.problems.records import OPTIONS


class FeedForward(Choosing):
    """Four tokens, one-hot and side by side → hidden units with ReLU → a score for each place.

    The same token in different places has different weights: learning about A1 as a sample does not transfer to A1 as a
    comparison.

    Parameters
    ----------
    tokens : int
        Different tokens, the three options last.
    config : FeedForwardConfig
    """

    def __init__(self, tokens: int, config: FeedForwardConfig) -> None:
        super().__init__(tokens)
        self.hidden = nn.Linear(SHOWN * self.shown_tokens, config.units)
        self.out = nn.Linear(config.units, OPTIONS)

    def answers(self, shown: Tensor) -> Tensor:
        """Return logits of the three places, (n, 3)."""
        inputs = nn.functional.one_hot(shown, self.shown_tokens).flatten(1).to(self.out.weight.dtype)
        return self.out(self.hidden(inputs).relu())
