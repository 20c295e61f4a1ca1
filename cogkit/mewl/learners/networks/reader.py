"""A reader that was taught: it tells from a caption which things there are, and how the caption says they lie."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

from cogkit.mewl.learners.agents import ReadingConfig
from cogkit.mewl.learners.networks.eyes import CaptionEyes, pointed_at
from cogkit.mewl.learners.networks.spotter import as_slots, telling
from cogkit.mewl.problems import slots

TOLD = slots.NUMBERS + 4  # numbers of a slot that is told of: also how it lies to the hand, see `eyes.pointed_at`
_HAND = slots.PLACE + 3
_KINK = 0.1  # of the losses of numbers
_QUERY = 0.5  # size of the queries at first


class Reader(nn.Module):
    """A transformer over the words of a caption. Six more tokens stand for the things, in the order in which they come.

    A caption does not say where things are, but it may say how they lie to each other, and at which one a hand points.
    The places that the reader tells of are the likeliest ones. So a slot has four more numbers that say how the thing
    lies to the hand; those of true slots follow from the places.
    """

    def __init__(self, config: ReadingConfig) -> None:
        super().__init__()
        width = config.width
        self.eyes = CaptionEyes(width)
        self.queries = nn.Parameter(torch.randn(slots.SLOTS, width) * _QUERY)
        layer = nn.TransformerEncoderLayer(width, config.heads, 2 * width, 0.0, batch_first=True, norm_first=True)
        self.attend = nn.TransformerEncoder(layer, config.layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.tell = nn.Linear(width, 1 + TOLD)

    def read(self, captions: Tensor) -> tuple[Tensor, Tensor]:
        """Return for captions (n, L) whether there is a thing, as logits (n, 6), and what is told of it (n, 6, 26)."""
        words, mask = self.eyes(captions[:, : max(1, int(captions.any(dim=0).sum()))])
        queries = self.queries.expand(len(captions), -1, -1)
        empty = torch.cat([torch.zeros_like(queries[..., 0]) > 0, ~mask], dim=1)
        states = self.attend(torch.cat([queries, words], dim=1), src_key_padding_mask=empty)
        output = self.tell(states[:, : slots.SLOTS])
        return output[..., 0], output[..., 1:]

    def forward(self, captions: Tensor) -> Tensor:
        """Return the slots that captions (n, L) tell of, (n, 6, 26), in their order."""
        sure, predictions = self.read(captions)
        slot_vectors = as_slots(predictions[..., : slots.NUMBERS].flatten(0, 1)).unflatten(0, sure.shape)
        pointed = predictions[..., slots.NUMBERS :] * (1 - slot_vectors[..., _HAND, None])
        return torch.cat([slot_vectors, pointed], dim=2) * (sure > 0)[..., None]

    def losses(self, captions: Tensor, things: Tensor, *_) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss for captions (n, L) and their things (n, 6, 26), as `things_of` gives them.

        It is in nats for each thing. Its two parts are of how many things there are, and of what is told of each.
        """
        sure, predictions = self.read(captions)
        mask = things.any(dim=2)
        counting = binary_cross_entropy_with_logits(sure, mask.to(sure), reduction="sum") / mask.sum()
        predictions, true = predictions[mask], things[mask]
        lying = smooth_l1_loss(predictions[:, slots.NUMBERS :], true[:, slots.NUMBERS :], beta=_KINK, reduction="sum")
        loss = telling(predictions[:, : slots.NUMBERS], true[:, : slots.NUMBERS]) + lying / len(true)
        return counting + loss, {"counting": counting, "telling": loss}


def things_of(true: Tensor, orders: list[tuple[int, ...]]) -> Tensor:
    """Return true slots (n, 6, 22) in the order of captions, and how each lies to the hand: (n, 6, 26).

    A hand comes after all things.

    Examples
    --------
    >>> true = torch.zeros(1, 6, 22)
    >>> true[0, 0, 0], true[0, 1, 1] = 1, 1
    >>> things_of(true, [(1, 0)])[0, :2, :2].tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    rows = torch.arange(slots.SLOTS).repeat(len(true), 1)
    for row, order in zip(rows, orders, strict=True):
        row[: len(order)] = torch.tensor(order)
    numbers = torch.cat([true, pointed_at(true)], dim=2)
    return numbers.gather(1, rows[..., None].expand_as(numbers))
