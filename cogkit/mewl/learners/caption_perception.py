"""Readers that are taught the true things in captions: their networks, their lessons, and what they tell rightly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from cogkit.mewl.learners.agents import ReadingConfig
from cogkit.mewl.learners.networks.reader import Reader, things_of
from cogkit.mewl.problems import observations, slots, tokens
from cogkit.mewl.problems.episodes import Episode

_HAND = slots.PLACE + 3
_ORDERS = {"across": slots.PLACE, "away": slots.PLACE + 2}  # which numbers of a place put things in order


def build(config: ReadingConfig) -> Reader:
    """Return a new reader.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> build(agents.READING.config("quick")).eval()(torch.ones(2, 7, 9, dtype=torch.int64)).shape
    torch.Size([2, 7, 6, 26])
    """
    return Reader(config.width, config.layers, config.heads)


def lessons(_: ReadingConfig, episodes: Sequence[Episode]) -> tuple[Tensor, Tensor]:
    """Return the captions (n, L) of episodes, and their things (n, 6, 26), as `networks.reading.things_of` has them."""
    captions = torch.from_numpy(tokens.captions(observations.question(episodes, "captions"))).flatten(0, 1)
    true = torch.from_numpy(slots.of_episodes(episodes))
    return captions, things_of(true, [order for episode in episodes for order in observations.mentioned(episode)])


def right(captions: Tensor, predictions: Tensor, things: Tensor) -> dict[str, np.ndarray]:
    """Return what is rightly told of captions, given their things: for each name, an array of bool.

    For each attribute there is an entry for each true thing. ``pointed`` has one for each caption with a hand, and is
    right if the hand seems to point most nearly at the right thing. ``across`` and ``away`` have one for each caption
    that says how things lie to each other, and are right if the things are in this order. ``count`` and ``picture``
    have one for each caption; ``picture`` means that all is right. ``captions`` are (n, L) int64, ``predictions`` and
    ``things`` (n, 6, 26).

    Examples
    --------
    >>> things = torch.zeros(1, 6, 26)
    >>> things[0, 0, [0, 3, 11, 14]] = 1
    >>> {name: share.tolist() for name, share in right(torch.ones(1, 9), things, things).items() if len(share)}["shape"]
    [True]
    """
    mask, hands = things.any(dim=2), things[..., _HAND] > 0
    same_kind = ((predictions[..., _HAND] > 0) == hands).all(dim=1)
    matches = {"count": (predictions.any(dim=2) == mask).all(dim=1)}
    whole, answers = matches["count"] & same_kind, {}
    for name, part in slots.ATTRIBUTES.items():
        same = (predictions[..., part] == things[..., part]).all(dim=2)
        answers[name] = same[mask & ~hands]
        whole = whole & (same | ~mask).all(dim=1)
    nearly = [numbers[..., slots.NUMBERS].masked_fill(~mask | hands, -torch.inf) for numbers in (predictions, things)]
    pointed = nearly[0].argmax(dim=1) == nearly[1].argmax(dim=1)
    with_hand, lying = hands.any(dim=1), (captions == tokens.KNOWN["left"]).any(dim=1)
    answers["pointed"], whole = pointed[with_hand], whole & (pointed | ~with_hand)
    for name, number in _ORDERS.items():
        orders = [
            numbers[..., number].masked_fill(~mask, torch.inf).argsort(dim=1, stable=True)
            for numbers in (predictions, things)
        ]
        same = (orders[0] == orders[1]).all(dim=1)
        answers[name], whole = same[lying], whole & (same | ~lying)
    return {name: value.numpy() for name, value in (answers | matches | {"picture": whole}).items()}
