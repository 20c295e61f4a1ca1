"""Eyes that were taught: they find the things in a picture, and tell what each of them is and where."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from cogkit.mewl.learners.agents import SightConfig
from cogkit.mewl.problems import slots

CELL = 2  # pixels a side
_PATCH = 4  # pixels a side of what the first layer takes together
_SIZES = [part.stop - part.start for part in slots.ATTRIBUTES.values()]
_HAND = slots.PLACE + 3
_LOOKS = 2  # at each place that is found
_SURE = 0.3  # a thing is told of if it is more probable than this
_RARE = -4.4  # the first logit of a cell: most hold no thing
_SPREAD = 1.0  # cells; so near to a thing, a cell hardly has to look empty
_TOLD = 0.5  # share of the things of a batch that the second part learns from, which costs more than the first
_MOVED = 2.0  # pixels by which cutouts miss the middle of a thing, in training
_SHIFTED = 8  # pixels by which whole pictures are shifted, at most, in training
_FINE = 8.0  # places are learnt in this part of their unit
_KINK = 0.1  # of the losses of numbers


class Spotter(nn.Module):
    """Eyes in two parts: one finds the middles of things in a picture, the other looks at each of them closely.

    The first part gives each cell of the picture the probability that the middle of a thing lies in it (CenterNet, Zhou
    et al. 2019, arXiv 1904.07850). A square around each place that is found is cut out. Of this cutout the second part
    tells the number of each slot: the values of the attributes, the exact place, whether it is a hand, its direction.
    """

    def __init__(self, config: SightConfig) -> None:
        super().__init__()
        self.side, channels = config.pixels // 4, config.channels
        self.near = nn.Sequential(nn.PixelUnshuffle(_PATCH), *_layer(3 * _PATCH**2, channels))
        self.far = nn.Sequential(
            *_layer(channels, 2 * channels, 2), _Block(2 * channels), nn.Conv2d(2 * channels, channels, 1),
            nn.Upsample(scale_factor=2),
        )  # fmt: skip
        finer = _PATCH // CELL
        self.found = nn.Sequential(_Block(channels), nn.Conv2d(channels, finer**2, 1), nn.PixelShuffle(finer))
        nn.init.constant_(self.found.get_parameter("1.bias"), _RARE)
        self.tell = nn.Sequential(
            *_layer(3, channels),
            *_layer(channels, 2 * channels, 2), _Block(2 * channels),
            *_layer(2 * channels, 4 * channels, 2), _Block(4 * channels),
            nn.Conv2d(4 * channels, 8 * channels, 4, 4, bias=False), nn.BatchNorm2d(8 * channels), nn.ReLU(),
            nn.Flatten(), nn.Linear(8 * channels * (self.side // 16) ** 2, slots.NUMBERS),
        )  # fmt: skip

    def find(self, pictures: Tensor) -> Tensor:
        """Return a logit for each cell of pictures (n, height, width, 3) uint8, (n, rows, columns)."""
        near = self.near(_shares(pictures))
        return self.found(near + self.far(near))[:, 0]

    def look(self, pictures: Tensor, which: Tensor, middles: Tensor) -> Tensor:
        """Return what is told of cutouts, (m, 22): logits of values and of a hand, and other numbers as in `slots.of`.

        Pictures are (n, height, width, 3) uint8. ``which`` (m,) is the picture of each cutout, and ``middles`` (m, 2)
        the pixel in its middle, from left and top.
        """
        size, corners = _size(pictures), middles - self.side // 2
        predictions = self.tell(_shares(_windows(pictures, which, corners, self.side, self.side)))
        values, places, others = predictions.tensor_split((slots.PLACE, _HAND), dim=1)
        middle = torch.cat([middles * 2 / size - 1, torch.zeros_like(middles[:, :1])], dim=1)
        return torch.cat([values, middle + places / _FINE, others], dim=1)

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the slots of pictures (n, height, width, 3) uint8, (n, 6, 22), the surest thing first."""
        taken, cells = peaks(self.find(pictures).sigmoid())
        predictions = torch.zeros(*taken.shape, slots.NUMBERS, device=pictures.device)
        which, middles = taken.nonzero()[:, 0], cells[taken] * CELL + CELL // 2
        for _ in range(_LOOKS if len(which) else 0):  # the first look centres the second
            seen = self.look(pictures, which, middles)
            middles = _pixels(seen, _size(pictures)).round().long()
            predictions[taken] = as_slots(seen)
        return predictions

    def losses(self, pictures: Tensor, things: Tensor, rng: np.random.Generator) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss for pictures (n, height, width, 3) and their true slots (n, 6, 22), in nats for each thing.

        Its two parts are of the map of cells, and of what is told of each thing.

        Pictures are shifted a little. The second part learns from some of the things, drawn at random, in cutouts
        around their true places, which miss them by a pixel or two.
        """
        pictures, things = shifted(pictures, things, rng)
        which, slot = things.any(dim=2).nonzero(as_tuple=True)
        drawn = rng.permutation(len(which))[: math.ceil(_TOLD * len(which))]
        which, slot = which[drawn], slot[drawn]
        true = things[which, slot]
        missed = torch.from_numpy(rng.uniform(-_MOVED, _MOVED, (len(true), 2))).to(true)
        middles = (_pixels(true, _size(pictures)) + missed).round().long()
        predictions = self.look(pictures, which, middles)
        parts = {"finding": finding(self.find(pictures), things), "telling": telling(predictions, true)}
        return parts["finding"] + parts["telling"], parts


def shifted(pictures: Tensor, things: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return pictures (n, height, width, 3), each shifted by some pixels, and slots (n, 6, 22) to match.

    New pixels repeat the edge.
    """
    size = _size(pictures)
    by = torch.from_numpy(rng.integers(-_SHIFTED, _SHIFTED + 1, (len(pictures), 2))).to(size)
    places = torch.zeros_like(things)
    places[..., slots.PLACE : slots.PLACE + 2] = (2 * by / size)[:, None]
    which = torch.arange(len(pictures), device=size.device)
    views = _windows(pictures, which, by, pictures.shape[2], pictures.shape[1])
    return views, things - places * things.any(dim=2, keepdim=True)


def peaks(sure: Tensor) -> tuple[Tensor, Tensor]:
    """Return where maps of probabilities (n, rows, columns) peak: at most six places a map, the surest first.

    The first is whether there is a thing, (n, 6) bool; the second its column and its row, (n, 6, 2) int64.

    Examples
    --------
    >>> sure = torch.zeros(1, 3, 5)
    >>> sure[0, 1, 1:4] = torch.tensor([0.6, 0.9, 0.5])
    >>> taken, cells = peaks(sure)
    >>> int(taken.sum()), cells[0, 0].tolist()
    (1, [2, 1])
    """
    highest = sure == functional.max_pool2d(sure[:, None], 3, 1, 1)[:, 0]
    surest, cells = (sure * highest).flatten(1).topk(slots.SLOTS, dim=1)
    columns = sure.shape[2]
    return surest > _SURE, torch.stack([cells % columns, cells // columns], dim=2)


def as_slots(predictions: Tensor) -> Tensor:
    """Return what `Spotter.look` tells as slots: the most probable value of each attribute, or a hand."""
    values, places, hand, way = predictions.tensor_split((slots.PLACE, _HAND, _HAND + 1), dim=1)
    parts = values.split(_SIZES, dim=1)
    chosen = torch.cat([functional.one_hot(part.argmax(dim=1), part.shape[1]) for part in parts], dim=1)
    hand = (hand > 0).to(predictions.dtype)
    return torch.cat([chosen * (1 - hand), places, hand, functional.normalize(way, dim=1) * hand], dim=1)


def finding(logits: Tensor, things: Tensor) -> Tensor:
    """Return the loss of a map of cells, in nats for each thing: the focal loss of CenterNet.

    ``logits`` are (n, rows, columns), ``things`` the true slots (n, S, 22).
    """
    mask, (rows, columns) = things.any(dim=2), logits.shape[1:]
    size = torch.tensor([columns, rows], device=logits.device)
    at = _pixels(things, size)
    away = [torch.arange(n, device=logits.device) + 0.5 - at[..., k, None] for k, n in enumerate((columns, rows))]
    squares = away[0].square()[:, :, None, :] + away[1].square()[:, :, :, None]
    near = ((-squares / 2 / _SPREAD**2).exp() * mask[..., None, None]).amax(dim=1)
    column, row = at.long().clamp(min=0).minimum(size - 1)[mask].T
    taken = torch.zeros_like(logits).index_put((mask.nonzero()[:, 0], row, column), logits.new_ones(()))
    sure = logits.sigmoid()
    log_likelihood = taken * (1 - sure) ** 2 * functional.logsigmoid(logits) + (1 - taken) * (
        1 - near
    ) ** 4 * sure**2 * functional.logsigmoid(-logits)
    return -log_likelihood.sum() / mask.sum()


def telling(predictions: Tensor, things: Tensor) -> Tensor:
    """Return the loss of what `Spotter.look` tells of things (m, 22), in nats for each.

    A hand has a direction and no values, any other thing has values and no direction.
    """
    hand = things[:, _HAND] > 0
    logits, values = (numbers[~hand, : slots.PLACE].split(_SIZES, dim=1) for numbers in (predictions, things))
    loss = sum(functional.cross_entropy(a, b, reduction="sum") for a, b in zip(logits, values, strict=True))
    loss = loss + functional.binary_cross_entropy_with_logits(predictions[:, _HAND], things[:, _HAND], reduction="sum")
    place, way = slice(slots.PLACE, _HAND), slice(_HAND + 1, None)
    missed = [(_FINE * (predictions - things))[:, place], (predictions - things)[hand, way]]
    numbers = torch.cat([part.flatten() for part in missed])
    return (loss + functional.smooth_l1_loss(numbers, torch.zeros_like(numbers), beta=_KINK, reduction="sum")) / len(
        things
    )


class _Block(nn.Module):
    """Two convolutions, whose output is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(*_layer(channels, channels), *_layer(channels, channels)[:-1])

    def forward(self, maps: Tensor) -> Tensor:
        return (maps + self.layers(maps)).relu()


def _layer(channels: int, into: int, stride: int = 1) -> list[nn.Module]:
    return [nn.Conv2d(channels, into, 3, stride, 1, bias=False), nn.BatchNorm2d(into), nn.ReLU()]


def _size(pictures: Tensor) -> Tensor:
    """Return the width and the height of pictures."""
    return torch.tensor([pictures.shape[2], pictures.shape[1]], device=pictures.device)


def _pixels(things: Tensor, size: Tensor) -> Tensor:
    """Return the places of slots (..., 22) in a picture or map of this width and height, from left and top."""
    return (things[..., slots.PLACE : slots.PLACE + 2] + 1) / 2 * size


def _windows(pictures: Tensor, which: Tensor, corners: Tensor, width: int, height: int) -> Tensor:
    """Return windows (m, height, width, 3) of pictures, from their upper left corners (m, 2); the edge repeats."""
    columns, rows = (
        (corners[:, k, None] + torch.arange(n, device=pictures.device)).clamp(0, pictures.shape[2 - k] - 1)
        for k, n in enumerate((width, height))
    )
    return pictures[which[:, None, None], rows[:, :, None], columns[:, None, :]]


def _shares(pictures: Tensor) -> Tensor:
    """Return pictures (n, h, w, 3) uint8 as maps (n, 3, h, w) of numbers from -1 to 1."""
    return (pictures.permute(0, 3, 1, 2).float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)
