"""Eyes: from the window of one shape to what is where in it, and from that to a code of the whole shape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.lessons import COUNTED, MOST, STROKES, TAUGHT
from cogkit.bongard.learners.networks.backbone import FEATURES, BatchNorm

SUMS = sum(COUNTED.values()) + 2 * len(STROKES)
PARTS = {"code": FEATURES, "sums": SUMS, "attributes": len(TAUGHT), "shapes": 1}  # numbers about a picture, in order
PLACES = {  # where they are
    name: slice(stop - PARTS[name], stop) for name, stop in zip(PARTS, accumulate(PARTS.values()), strict=True)
}
_HIDDEN = 256
_RARE = -3.0  # log odds at first that a stroke's middle, or a corner, lies in a cell
_SHARES = {"middle": 1, "corner": 1, "ink": len(STROKES) + 1, **COUNTED}  # outputs of a cell


class Sights(NamedTuple):
    """What eyes tell of n windows. Cells are 8 pixels a side; C is the number of cells along a side.

    Attributes
    ----------
    cells : dict of (n, k, C, C) Tensor
        Of each cell: ``middle`` and ``corner`` (k = 1), log odds that the middle of a stroke, or a corner between two
        strokes, lies here; ``ink``, logits of the stroke whose ink is here, the last for none; ``stroke``, ``sweep``
        and ``length`` (logits) of the stroke whose middle is here; ``angle`` (logits) of the corner here.
    sums : (n, 47) Tensor
        What the cells tell, in sum: how often a shape has each of `lessons.COUNTED`, then the share of its ink, and the
        number of its cells, that each kind of stroke has, both scaled to about 0 to 10.
    code : (n, 128) Tensor
        The whole shape.
    counts : (n, 27, 10) Tensor
        Logits of each number of `lessons.COUNTED`, read from the code.
    attributes : (n, 25) Tensor
        Log odds of each attribute, read from the code.
    """

    cells: dict[str, Tensor]
    sums: Tensor
    code: Tensor
    counts: Tensor
    attributes: Tensor


class Residual(nn.Module):
    """Two 3×3 convolutions, added to their input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(convolution(width, width, 3), nn.ReLU(), convolution(width, width, 3))

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, width, h, w)."""
        return torch.relu(x + self.layers(x))


class Sight(nn.Module):
    """Convolutions down to a sixteenth of the cells and back, what each cell tells, and a code made of all.

    The code is made of the mean of the convolutions at three sizes, and of sums over what the cells tell. A sum keeps
    how many strokes there are, and so does not have to learn to count. ``widths`` are those of the convolutions where a
    cell has 2 × 2 pixels more than before: at a half, a quarter and an eighth of the window's size, and further down
    twice.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        super().__init__()
        half, quarter, eighth, deep, deepest = widths
        self.enter = nn.Sequential(
            convolution(1, half, 6, 2), nn.ReLU(), convolution(half, quarter, 4, 2), nn.ReLU(), Residual(quarter),
            convolution(quarter, eighth, 4, 2), nn.ReLU(), Residual(eighth),
        )  # fmt: skip
        self.down = nn.ModuleList(
            nn.Sequential(convolution(before, width, 4, 2), nn.ReLU(), Residual(width))
            for before, width in ((eighth, deep), (deep, deepest))
        )
        self.up = nn.ModuleList(nn.Conv2d(width, after, 1) for width, after in ((deepest, deep), (deep, eighth)))
        self.merge = nn.ModuleList(Residual(width) for width in (deep, eighth))
        self.tell = nn.Sequential(nn.Conv2d(eighth, eighth, 1), nn.ReLU(), nn.Conv2d(eighth, sum(_SHARES.values()), 1))
        self.encode = nn.Sequential(
            nn.Linear(eighth + deep + deepest + SUMS, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, FEATURES)
        )
        self.counts = nn.Linear(FEATURES, sum(COUNTED.values()) * (MOST + 1))
        self.attributes = nn.Linear(FEATURES, len(TAUGHT))
        self.to(memory_format=torch.channels_last)

    def forward(self, windows: Tensor) -> Sights:
        """Return what is told of windows (n, 1, size, size) in -1 to 1, 1 for paper; the size is a multiple of 8."""
        near = self.enter(((1 - windows) / 2).to(memory_format=torch.channels_last))
        far = self.down[0](near)
        farthest = self.down[1](far)
        far = self.merge[0](far + _grown(self.up[0](farthest), far))
        near = self.merge[1](near + _grown(self.up[1](far), near))
        parts = self.tell(near).split(list(_SHARES.values()), dim=1)
        cells = dict(zip(_SHARES, parts, strict=True))
        cells |= {name: cells[name] + _RARE for name in ("middle", "corner")}
        middle, corner = cells["middle"].sigmoid(), cells["corner"].sigmoid()
        totals = [
            ((corner if name == "angle" else middle) * cells[name].softmax(dim=1)).sum(dim=(2, 3)) for name in COUNTED
        ]
        ink = cells["ink"].softmax(dim=1)[:, :-1].sum(dim=(2, 3))
        share = ink / (ink.sum(dim=1, keepdim=True) + 1)
        means = [level.mean(dim=(2, 3)) for level in (near, far, farthest)]
        sums = torch.cat([*totals, share * 10, ink / 10], dim=1)
        code = self.encode(torch.cat([*means, sums], dim=1))
        counts = self.counts(code).unflatten(1, (-1, MOST + 1))
        return Sights(cells, sums, code, counts, self.attributes(code))


def convolution(channels: int, width: int, size: int, stride: int = 1) -> nn.Sequential:
    """Return a convolution with batch normalisation that keeps the picture's size, divided by ``stride``."""
    inner = nn.Conv2d(channels, width, size, stride, padding=(size - stride + 1) // 2, bias=False)
    return nn.Sequential(inner, BatchNorm(width))


def _grown(x: Tensor, like: Tensor) -> Tensor:
    return nn.functional.interpolate(x, size=like.shape[2:])
