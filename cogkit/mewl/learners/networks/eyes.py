"""The part of a network that sees: each class here turns seven pictures into tokens, for one kind of input."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from cogkit.mewl.problems import slots, tokens

GLIMPSES = slots.SLOTS  # tokens of one picture
NAMED = slots.PLACE + 1  # numbers that `naming` gives a meaning: values, and whether it is a hand
_FREE = 15  # further numbers, without a given meaning
_GROUPS = 4
_SPREAD = 0.25  # of places in a picture, where -1 and 1 are its edges
_SHARP = 6.0
_UNPLACED = 0.1  # share of the episodes of training whose things have no places
_LONGEST = 48  # words of a caption; captions of six things have 35, those of three things in a row 46


def filled(slot_vectors: Tensor) -> tuple[Tensor, Tensor]:
    """Return slots (B, 7, S, numbers) without those that are empty everywhere, and which of them are filled."""
    mask = slot_vectors.any(dim=3)
    longest = max(1, int(mask.sum(dim=2).max()))
    return slot_vectors[:, :, :longest], mask[:, :, :longest]


class SlotEyes(nn.Module):
    """True slots: one token for each slot."""

    def __init__(self, width: int, numbers: int = slots.NUMBERS) -> None:
        super().__init__()
        self.see = nn.Linear(numbers, width)
        nn.init.normal_(self.see.weight, std=width**-0.5)  # a value weighs as much as a word

    def forward(self, slot_vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of slots (B, 7, S, numbers), and which are filled; slots that are empty everywhere are cut."""
        slot_vectors, mask = filled(slot_vectors)
        return self.see(slot_vectors), mask


class SlotCodes(nn.Module):
    """Slots of numbers without a given meaning, such as the codes of a MONet: each may say what a thing is."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self.numbers = self.what = numbers

    def forward(self, slot_vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return slots (B, 7, S, numbers), and which are filled; slots that are empty everywhere are cut."""
        return filled(slot_vectors)


class SlotNumbers(nn.Module):
    """Slots as numbers, with places in units of their spread, and with each thing's angle to a pointing hand.

    The slots of captions already have their angles, because a caption says at what a hand points, but not where it is.
    In training, a share of the episodes is without places, as in most captions: what needs no place is then learnt
    without one.
    """

    numbers, what = slots.NUMBERS + 4, slots.PLACE

    def forward(self, slot_vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return the numbers of slots (B, 7, S, 22 or 26), and which are filled; slots empty everywhere are cut."""
        slot_vectors, mask = filled(slot_vectors)
        values, places, hands, pointed = slot_vectors.tensor_split((slots.PLACE, slots.PLACE + 3, slots.NUMBERS), dim=3)
        pointed = pointed if pointed.shape[3] else pointed_at(slot_vectors)
        if self.training:
            places = places * (torch.rand(len(slot_vectors), 1, 1, 1) >= _UNPLACED).to(places)
        return torch.cat([values, places / _SPREAD, hands, pointed], dim=3), mask


def pointed_at(slot_vectors: Tensor) -> Tensor:
    """Return how each slot lies to the slot of a hand, (..., S, 4); all 0 where there is no hand.

    The numbers are the cosine and the size of the sine of the angle between where the hand points and where the thing
    is, its distance, and how nearly the hand points at it (1 for straight at it).
    """
    hand = slot_vectors[..., slots.PLACE + 3, None]
    at, way = slot_vectors[..., slots.PLACE : slots.PLACE + 2], slot_vectors[..., slots.PLACE + 4 :]
    to = at - (hand * at).sum(dim=-2, keepdim=True)
    way = (hand * way).sum(dim=-2, keepdim=True)
    far = to.norm(dim=-1, keepdim=True).clamp(min=1e-3)
    cosine = (to * way).sum(dim=-1, keepdim=True) / far
    sine = (to[..., :1] * way[..., 1:] - to[..., 1:] * way[..., :1]) / far
    here = hand.sum(dim=-2, keepdim=True) * (1 - hand) * slot_vectors.any(dim=-1, keepdim=True)
    return torch.cat([cosine, sine.abs(), far, (_SHARP * (cosine - 1)).exp()], dim=-1) * here


class CaptionEyes(nn.Module):
    """Captions: one token for each word."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(tokens.VOCABULARY, width, padding_idx=tokens.PAD)
        self.places = nn.Embedding(_LONGEST, width)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=width**-0.5)

    def forward(self, captions: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of captions (..., L), and which of them are words."""
        return self.words(captions) + self.places.weight[: captions.shape[-1]], captions != tokens.PAD


class CNNEyes(nn.Module):
    """Pictures, seen by convolutions: one token for each of the places that most probably hold a thing.

    A token is multiplied by the probability that its place holds a thing. Places that are probably empty are left out,
    except for the most probable one. ``width`` is that of tokens, ``before`` the network that may be trained first.
    """

    def __init__(self, width: int, before: Sight) -> None:
        super().__init__()
        self.before = before
        self.see, self.places = nn.Linear(NAMED + _FREE, width), nn.Linear(2, width, bias=False)
        for layer in (self.see, self.places):
            nn.init.normal_(layer.weight, std=width**-0.5)  # as `SlotEyes`

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Return tokens of pictures (B, 7, h, w, 3) uint8, or of the output of `Sight`, and which are filled."""
        features = pictures
        if not pictures.is_floating_point():
            features = self.before(pictures.flatten(0, 1)).unflatten(0, pictures.shape[:2])
        places = self.places(_grid(*features.shape[3:], features.device)).flatten(0, 1)
        features = features.flatten(3).transpose(2, 3)
        presence, indices = features[..., 0].topk(min(GLIMPSES, features.shape[2]), dim=2)
        features = features.gather(2, indices[..., None].expand(-1, -1, -1, features.shape[3]))
        numbers = torch.cat([features[..., 1 : 1 + NAMED].sigmoid(), features[..., 1 + NAMED :].tanh()], dim=3)
        mask = presence > 0
        mask[:, :, 0] = True
        longest = int(mask.sum(dim=2).max())
        tokens = (self.see(numbers) + places[indices]) * presence.sigmoid()[..., None]
        return tokens[:, :, :longest], mask[:, :, :longest]


class Sight(nn.Module):
    """Convolutions that describe every place of a picture (8 by 8 pixels) with some numbers.

    The numbers are logits. The first says whether something is there. The next say which values it has and whether it
    is a hand. The others get their meaning in training. ``channels`` of the first map are a multiple of 4; each of the
    next two maps has twice as many as the one before.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        sizes = [3, channels, 2 * channels, 4 * channels]
        halving = (nn.Sequential(_convolution(*pair, stride=2), nn.ReLU()) for pair in itertools.pairwise(sizes))
        self.shrink, (*_, last) = nn.Sequential(*halving), sizes
        self.refine = nn.Sequential(_convolution(last, last), nn.ReLU(), _convolution(last, last))
        self.tell = nn.Conv2d(last, 1 + NAMED + _FREE, 1)
        with torch.no_grad():
            self.tell.bias[0] = 1.0  # at first, every place may hold something
            self.tell.weight[1 + NAMED :] = self.tell.bias[1 + NAMED :] = 0.0  # numbers without a meaning begin at 0

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the numbers of every place of pictures (B, h, w, 3) uint8: (B, numbers, rows, columns)."""
        map = self.shrink(pictures.permute(0, 3, 1, 2).float() / 127.5 - 1)
        return self.tell(torch.relu(map + self.refine(map)))


def naming(predictions: Tensor, things: Tensor) -> Tensor:
    """Return the loss of finding and naming things, in nats per thing.

    ``predictions`` (B, numbers, rows, columns) is the output of `Sight`; ``things`` (B, S, numbers) are true, from
    `slots.of`.
    """
    rows, columns = predictions.shape[2:]
    size = torch.tensor([columns, rows], device=predictions.device)
    x, y = ((things[..., slots.PLACE : slots.PLACE + 2] + 1) / 2 * size).long().unbind(dim=2)
    cells = y.clamp(0, rows - 1) * columns + x.clamp(0, columns - 1)
    mask = things.any(dim=2)
    predictions = predictions.flatten(2).transpose(1, 2)
    targets = torch.zeros_like(predictions[..., 0]).scatter_reduce(1, cells, mask.to(predictions.dtype), "amax")
    presence = binary_cross_entropy_with_logits(predictions[..., 0], targets, reduction="sum")
    logits = predictions.gather(1, cells[..., None].expand(-1, -1, predictions.shape[2]))[..., 1 : 1 + NAMED][mask]
    values = torch.cat([things[..., : slots.PLACE], things[..., slots.PLACE + 3, None]], dim=2)[mask]
    return (presence + binary_cross_entropy_with_logits(logits, values, reduction="sum")) / mask.sum()


def _convolution(channels: int, into: int, stride: int = 1) -> nn.Module:
    return nn.Sequential(nn.Conv2d(channels, into, 3, stride, 1, bias=False), nn.GroupNorm(_GROUPS, into))


def _grid(rows: int, columns: int, device: torch.device) -> Tensor:
    """Return the centres of places, (rows, columns, 2): x and y from -1 to 1."""
    ys, xs = ((torch.arange(n, device=device) + 0.5) * 2 / n - 1 for n in (rows, columns))
    return torch.stack(torch.meshgrid(xs, ys, indexing="xy"), dim=2)
