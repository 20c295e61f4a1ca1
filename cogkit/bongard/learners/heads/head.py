"""The base class of all heads."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Head(nn.Module):
    """From features to logits: ``forward(support (B, 2, 6, F), query (B, Q, F)) -> (B, Q, 2)``, positive side first.

    ``channels`` are those that the backbone takes; 1 if it sees single pictures.
    """

    channels = 1

    def see(self, backbone: nn.Module, support: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """Return the arguments of ``forward``: here the features of each picture, computed in one batch.

        Pictures are (B, 2, 6, 1, S, S) and (B, Q, 1, S, S).
        """
        layout, queries = support.shape[:3], query.shape[:2]
        features = backbone(torch.cat([support.flatten(0, 2), query.flatten(0, 1)]))
        n = layout.numel()
        return features[:n].unflatten(0, layout), features[n:].unflatten(0, queries)

    def nearness(self, features: Tensor, means: Tensor) -> Tensor:
        """Return the similarity of features (..., F) to mean features (..., F), as logits: ten times the cosine."""
        return 10 * nn.functional.cosine_similarity(features, means, dim=-1)


def standardised(support: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
    """Return features minus the mean of the support, divided by the spread over the support.

    A feature that all twelve pictures share says nothing about the concept. The feature that varies most among them
    need not say most about it (Raghuraman, Harley & Guibas 2023, arXiv 2309.03468).

    Examples
    --------
    >>> support, query = standardised(torch.rand(5, 2, 6, 3), torch.rand(5, 1, 3))
    >>> bool((support.mean(dim=(1, 2)).abs() < 1e-5).all())
    True
    """
    mean = support.mean(dim=(1, 2), keepdim=True)
    spread = (support.var(dim=(1, 2), unbiased=False, keepdim=True) + 1e-5).sqrt()
    return (support - mean) / spread, (query - mean[:, 0]) / spread[:, 0]
