"""A search through concepts: which ones fit the twelve pictures, and how surely, decides about the query.

Not from the paper. It is a version space whose members are weighed. Each concept tells of a picture how surely it is a
positive. Concepts that are right about the support gain weight, and the weighted concepts answer for the query.
"""

from __future__ import annotations

from itertools import combinations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head, standardised
from cogkit.bongard.learners.lessons import TAUGHT
from cogkit.bongard.learners.networks.backbone import FEATURES
from cogkit.bongard.learners.networks.window_network import PARTS, PLACES

ATTRIBUTES = tuple((name,) for name in TAUGHT) + tuple(combinations(TAUGHT, 2))
FIGURE = "the same figure"
CONCEPTS = (*ATTRIBUTES, (FIGURE,))
_HIDDEN = 256
_CERTAIN = -1e-6  # log of the largest probability


class Likeness(nn.Module):
    """The concept "the same figure as the other positives", whose strokes or shapes are whatever these show.

    A picture points nearer to the mean of one side or of the other. Directions are in a learnt space, made of what is
    seen relative to the support.
    """

    def __init__(self) -> None:
        super().__init__()
        seen = sum(PARTS.values())
        self.space = nn.Sequential(nn.Linear(seen, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, FEATURES))
        self.temperature = nn.Parameter(torch.tensor(5.0))

    def forward(self, support: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """Return log odds that pictures are positives: of the support (B, 2, 6), and of queries (B, Q).

        Each picture of the support is compared with the others.
        """
        support, query = (self.space(part) for part in standardised(support, query))
        means, n = support.mean(dim=2), support.shape[2]
        cosines = self._near(query[:, :, None], means[:, None])  # (B, Q, 2)
        within = self._near(support, (n * means[:, :, None] - support) / (n - 1))
        across = self._near(support, means.flip(1)[:, :, None])
        signs = torch.tensor([1.0, -1.0], device=query.device, dtype=query.dtype)
        return self.temperature * (within - across) * signs[:, None], self.temperature * (cosines @ signs)

    @staticmethod
    def _near(pictures: Tensor, means: Tensor) -> Tensor:
        return nn.functional.cosine_similarity(pictures, means, dim=-1)


class ConceptSearch(Head):
    """Bayes over `CONCEPTS`: 25 attributes, their 300 pairs, and "the same figure".

    The numbers about a picture are those of `PARTS`. Under an attribute, the log odds that a picture is a positive are
    those that it has the attribute, as the eyes tell it, scaled and shifted for each attribute. Under a pair they are
    those that it has both. The evidence for a concept is how surely it tells the sides of the support. Its prior falls
    with every word of its description. Learnt are the scales, the shifts, how much evidence counts, what a word costs,
    and when two figures are the same. In training, a share ``withheld`` of all attributes, other ones for each problem,
    is no concept, so that likeness is learnt for what has no name, too.
    """

    places: Tensor  # (2, 325): the attributes of each attribute concept, one of them twice if it has but one

    def __init__(self, withheld: float = 0.2) -> None:
        super().__init__()
        self.withheld = withheld
        places = [[TAUGHT.index(concept[end]) for concept in ATTRIBUTES] for end in (0, -1)]
        self.register_buffer("places", torch.tensor(places), persistent=False)
        self.scale, self.shift = nn.Parameter(torch.zeros(len(TAUGHT))), nn.Parameter(torch.zeros(len(TAUGHT)))
        self.word = nn.Parameter(torch.tensor(0.7))  # nats of prior
        self.figure = nn.Parameter(torch.tensor(0.0))
        self.trust = nn.Parameter(torch.zeros(2))
        self.likeness = Likeness()

    def weigh(self, support: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log posterior (B, C) of `CONCEPTS`, and under each the log odds of queries, (B, Q, C)."""
        alike, query_odds = self.likeness(support, query)
        signs = torch.tensor([1.0, -1.0], device=query.device, dtype=query.dtype)[:, None, None]
        evidence = [
            trust.exp() * nn.functional.logsigmoid(signs * odds).sum(dim=(1, 2))
            for trust, odds in zip(self.trust, (self._having(support), alike[..., None]), strict=True)
        ]
        words = 1 + (self.places[0] != self.places[1]).to(query.dtype)
        prior = torch.cat([-self.word * words, -self.figure[None]])
        weight = torch.cat(evidence, dim=1) + prior
        if self.training:
            names = torch.rand(len(query), len(TAUGHT), device=query.device) < self.withheld
            gone = nn.functional.pad(names[:, self.places].any(dim=1), (0, 1))
            weight = weight.masked_fill(gone, -torch.inf)
        return weight.log_softmax(dim=1), torch.cat([self._having(query), query_odds[..., None]], dim=2)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return log probabilities (B, Q, 2)."""
        weight, odds = self.weigh(support, query)
        both = torch.stack([nn.functional.logsigmoid(odds), nn.functional.logsigmoid(-odds)], dim=-1)
        return (weight[:, None, :, None] + both).logsumexp(dim=2)

    def _having(self, seen: Tensor) -> Tensor:
        """Return the log odds that pictures have what each attribute concept says, (..., 325)."""
        attributes, shapes = seen[..., PLACES["attributes"]], seen[..., PLACES["shapes"]]
        odds = self.scale.exp() * attributes / shapes.clamp(min=1) + self.shift
        chance = nn.functional.logsigmoid(odds)
        first, second = (chance[..., places] for places in self.places)
        log = torch.where(self.places[0] == self.places[1], first, first + second).clamp(max=_CERTAIN)
        return log - torch.log(-torch.expm1(log))
