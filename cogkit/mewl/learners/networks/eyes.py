"""What a network sees an episode with: each makes tokens of seven pictures, however they are shown."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from cogkit.mewl.learners.networks.monet import Monet
from cogkit.mewl.problems import slots, tokens

GLIMPSES = slots.SLOTS  # tokens of a picture that is looked at
NAMED = slots.PLACE + 1  # numbers that `naming` gives a meaning: values, and being a hand
_FREE = 15  # and those that it gives none
_GROUPS = 4
_LONGEST = 48  # words of a caption; those of six things have 35, of three in a row 46


class SlotEyes(nn.Module):
    """Things as they are: a token a slot."""

    def __init__(self, width: int, numbers: int = slots.NUMBERS) -> None:
        super().__init__()
        self.see = nn.Linear(numbers, width)
        nn.init.normal_(self.see.weight, std=width**-0.5)  # a value weighs as much as a word

    def forward(self, shown: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of slots (B, 7, S, numbers), and which are not empty; those that all lack are left out."""
        there = shown.any(dim=3)
        most = max(1, int(there.sum(dim=2).max()))
        return self.see(shown[:, :, :most]), there[:, :, :most]


class CaptionEyes(nn.Module):
    """What is told of a picture, word by word."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(tokens.VOCABULARY, width, padding_idx=tokens.PAD)
        self.places = nn.Embedding(_LONGEST, width)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=width**-0.5)

    def forward(self, told: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of captions (B, 7, L) of numbers, and which are words."""
        return self.words(told) + self.places.weight[: told.shape[2]], told != tokens.PAD


class MonetEyes(nn.Module):
    """Pictures, by a MONet that learns no more: a token a slot.

    Parameters
    ----------
    width : int
        Of tokens.
    before : Monet
        What is trained before the rest.
    """

    def __init__(self, width: int, before: Monet) -> None:
        super().__init__()
        self.before = before.requires_grad_(False)
        self.slots = SlotEyes(width, before.latent)

    def forward(self, shown: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of pictures (B, 7, h, w, 3) uint8, or of their slots (B, 7, S, latent), and True for each."""
        return self.slots(shown if shown.is_floating_point() else self.before.told(shown))


class CNNEyes(nn.Module):
    """Pictures, by convolutions: a token each of the few places of a picture that look most as if a thing were there.

    The more surely something is at a place, the more its token weighs; those that are rather empty are left out, but
    for one.

    Parameters
    ----------
    width : int
        Of tokens.
    before : Sight
        What may be trained before the rest.
    """

    def __init__(self, width: int, before: Sight) -> None:
        super().__init__()
        self.before = before
        self.see, self.places = nn.Linear(NAMED + _FREE, width), nn.Linear(2, width, bias=False)
        for layer in (self.see, self.places):
            nn.init.normal_(layer.weight, std=width**-0.5)  # as `SlotEyes`

    def forward(self, shown: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of pictures (B, 7, h, w, 3) uint8, or of what `Sight` tells of them, and which are there."""
        told = shown if shown.is_floating_point() else self.before.told(shown)
        places = self.places(_grid(*told.shape[3:], told.device)).flatten(0, 1)
        told = told.flatten(3).transpose(2, 3)
        surely, where = told[..., 0].topk(min(GLIMPSES, told.shape[2]), dim=2)
        told = told.gather(2, where[..., None].expand(-1, -1, -1, told.shape[3]))
        numbers = torch.cat([told[..., 1 : 1 + NAMED].sigmoid(), told[..., 1 + NAMED :].tanh()], dim=3)
        there = surely > 0
        there[:, :, 0] = True
        most = int(there.sum(dim=2).max())
        tokens = (self.see(numbers) + places[where]) * surely.sigmoid()[..., None]
        return tokens[:, :, :most], there[:, :, :most]


class Sight(nn.Module):
    """Convolutions that tell of every place of a picture, eight pixels each way, in some numbers.

    They are logits: whether something is there, which values it has and whether it is a hand, and others that mean what
    training makes of them.

    Parameters
    ----------
    channels : int
        Of the first map, a multiple of 4; each of the two after it has twice as many.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        sizes = [3, channels, 2 * channels, 4 * channels]
        self.shrink = nn.Sequential(*(_smaller(*each) for each in itertools.pairwise(sizes)))
        self.refine = nn.Sequential(_convolution(sizes[-1], 1), nn.ReLU(), _convolution(sizes[-1], 1))
        self.tell = nn.Conv2d(sizes[-1], 1 + NAMED + _FREE, 1)
        with torch.no_grad():
            self.tell.bias[0] = 1.0  # at first something may be anywhere
            self.tell.weight[1 + NAMED :] = self.tell.bias[1 + NAMED :] = 0.0  # and what means nothing disturbs nothing

    def told(self, pictures: Tensor) -> Tensor:
        """Return what is told of pictures (..., h, w, 3) uint8: (..., numbers, rows, columns)."""
        return self(pictures.flatten(0, -4)).unflatten(0, pictures.shape[:-3])

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the same of pictures (B, h, w, 3)."""
        map = self.shrink(pictures.permute(0, 3, 1, 2).float() / 127.5 - 1)
        return self.tell(torch.relu(map + self.refine(map)))


def naming(told: Tensor, things: Tensor) -> Tensor:
    """Return how surprising it is to find things where they are, and as they are: nats a thing.

    Parameters
    ----------
    told : (B, numbers, rows, columns) Tensor
        As `Sight` gives it.
    things : (B, S, numbers) Tensor
        What is really there, as `slots.of` gives it.
    """
    rows, columns = told.shape[2:]
    size = torch.tensor([columns, rows], device=told.device)
    across, down = ((things[..., slots.PLACE : slots.PLACE + 2] + 1) / 2 * size).long().unbind(dim=2)
    cells = down.clamp(0, rows - 1) * columns + across.clamp(0, columns - 1)
    taken = things.any(dim=2)
    told = told.flatten(2).transpose(1, 2)
    there = torch.zeros_like(told[..., 0]).scatter_reduce(1, cells, taken.to(told.dtype), "amax")
    found = binary_cross_entropy_with_logits(told[..., 0], there, reduction="sum")
    named = told.gather(1, cells[..., None].expand(-1, -1, told.shape[2]))[..., 1 : 1 + NAMED][taken]
    what = torch.cat([things[..., : slots.PLACE], things[..., slots.PLACE + 3, None]], dim=2)[taken]
    return (found + binary_cross_entropy_with_logits(named, what, reduction="sum")) / taken.sum()


def _convolution(channels: int, stride: int, into: int | None = None) -> nn.Module:
    into = into or channels
    return nn.Sequential(nn.Conv2d(channels, into, 3, stride, 1, bias=False), nn.GroupNorm(_GROUPS, into))


def _smaller(channels: int, into: int) -> nn.Module:
    return nn.Sequential(_convolution(channels, 2, into), nn.ReLU())


def _grid(rows: int, columns: int, device: torch.device) -> Tensor:
    """Return where the middles of places are, (rows, columns, 2): across and down from -1 to 1."""
    down, across = ((torch.arange(n, device=device) + 0.5) * 2 / n - 1 for n in (rows, columns))
    return torch.stack(torch.meshgrid(across, down, indexing="xy"), dim=2)
