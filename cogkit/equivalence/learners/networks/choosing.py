"""The base of networks that choose among the three places and have no other answer."""

from __future__ import annotations

from torch import Tensor, nn

from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.problems.records import OPTIONS


class Choosing(nn.Module):
    """A network with ``answers``, the logits of three places; its input never has options.

    Parameters
    ----------
    tokens : int
        Different tokens, the three options last.
    """

    choices = OPTIONS

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.shown_tokens = tokens - OPTIONS

    def loss(self, trials: Tensor) -> Tensor:
        """Return the mean cross-entropy of the right place in nats, from complete trials (n, 5)."""
        return nn.functional.cross_entropy(
            self.answers(trials[:, :SHOWN]).float(), trials[:, SHOWN] - self.shown_tokens
        )
