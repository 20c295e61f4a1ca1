"""What networks have in common that choose among the three places and can say nothing else."""

from __future__ import annotations

from torch import Tensor, nn

from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.problems.records import OPTIONS


class Choosing(nn.Module):
    """A network with ``answers``, the logits of three places; options are never shown to it.

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
        """Return the mean cross-entropy in nats of the right place; trials (n, 5) are whole."""
        return nn.functional.cross_entropy(
            self.answers(trials[:, :SHOWN]).float(), trials[:, SHOWN] - self.shown_tokens
        )
