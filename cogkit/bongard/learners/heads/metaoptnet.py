"""MetaOptNet: a support vector machine fitted to every episode, with gradients through it (Lee et al. 2019).

The machine is Crammer and Singer's in its dual form. Each picture has a number α for each class: at most C for the
right class, at most 0 for the other. The numbers of a picture sum to 0. With two classes this leaves one number per
picture, β = α of its class = -α of the other, 0 ≤ β ≤ C. The problem is: minimise βᵀ S (K + I) S β - Σ β. S has the
classes as ±1 on the diagonal, K is the dot products of the support, and I is the published regulariser.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head

_STEPS = 25
_NEAR = 1e-12
_INWARDS = 0.99  # share of the way to the wall that a step may go


class MetaOptNet(Head):
    """The scores of a linear support vector machine with two classes, times a learnt scale.

    ``c`` is the upper limit of the weight of a picture, ``scale`` the scale at the start.
    """

    def __init__(self, c: float = 0.1, scale: float = 1.0) -> None:
        super().__init__()
        self.c = c
        self.scale = nn.Parameter(torch.tensor([float(scale)]))

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        examples = support.flatten(1, 2)
        sides = torch.ones(examples.shape[1], device=examples.device, dtype=torch.double)
        sides[support.shape[2] :] = -1
        kernel = (examples @ examples.transpose(1, 2)).double()
        kernel = kernel + torch.eye(len(sides), device=examples.device, dtype=torch.double)
        beta = box_minimum(2 * sides[:, None] * kernel * sides, self.c)
        normal = ((beta * sides).to(examples.dtype)[:, None] @ examples)[:, 0]  # of the plane between the sides
        score = self.scale * torch.einsum("bqf,bf->bq", query, normal)
        return torch.stack([score, -score], dim=2)


def box_minimum(curve: Tensor, top: float) -> Tensor:
    """Return where ½ βᵀ H β - Σ β is least over 0 ≤ β ≤ top, (B, n); gradients reach H exactly.

    An interior point method finds which numbers lie on a wall. One linear system then gives the other numbers. Only
    this system is differentiated: on the free numbers it is the condition that the minimum satisfies. ``curve`` is H,
    (B, n, n), positive definite, in double precision.

    Examples
    --------
    >>> box_minimum(torch.tensor([[[2.0, 0.0], [0.0, 20.0]]], dtype=torch.double), 0.1)
    tensor([[0.1000, 0.0500]], dtype=torch.float64)
    """
    with torch.no_grad():
        inside = _interior(curve.detach() * top) * top
        slope = (curve.detach() @ inside[:, :, None])[:, :, 0] - 1
        # on a wall the slope pushes against the wall and is large compared with the distance; elsewhere it is small
        low = inside < slope * top
        high = top - inside < -slope * top
        fixed = high.to(curve.dtype) * top
        free = (~(low | high)).to(curve.dtype)
    system = free[:, :, None] * curve * free[:, None] + torch.diag_embed(1 - free)
    right = free * (1 - (curve @ fixed[:, :, None])[:, :, 0])
    return (torch.linalg.solve(system, right) + fixed).clamp(0, top)


def _interior(curve: Tensor) -> Tensor:
    """Return where ½ xᵀ H x - Σ x is least over 0 ≤ x ≤ 1, nearly, by a primal-dual interior point."""
    x = torch.full(curve.shape[:2], 0.5, dtype=curve.dtype, device=curve.device)
    low = high = torch.ones_like(x)  # the forces of the walls
    for _ in range(_STEPS):
        gap = (x * low + (1 - x) * high).mean(dim=1, keepdim=True)
        target = (0.1 * gap).clamp(min=_NEAR)  # a lower limit, so that no number comes to lie on a wall
        slope = (curve @ x[:, :, None])[:, :, 0] - 1
        system = curve + torch.diag_embed(low / x + high / (1 - x))
        move = torch.linalg.solve(system, target / x - target / (1 - x) - slope)
        push_low = (target - low * move) / x - low
        push_high = (target + high * move) / (1 - x) - high
        reach = torch.stack([_room(x, move), _room(1 - x, -move), _room(low, push_low), _room(high, push_high)])
        share = (_INWARDS * reach.amin(dim=0)).clamp(max=1.0)
        x, low, high = x + share * move, low + share * push_low, high + share * push_high
    return x


def _room(now: Tensor, move: Tensor) -> Tensor:
    """Return how many times a move fits before a number of its row reaches 0, (B, 1)."""
    return torch.where(move < 0, -now / move.clamp(max=-1e-300), torch.inf).amin(dim=1, keepdim=True)
