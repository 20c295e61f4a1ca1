"""Test of the backbone alone: does a shape have an attribute or not? (Nie et al. 2020, appendix C)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.bongard.learners.networks.backbone import FEATURES, ResNet15, features, pixels
from cogkit.bongard.learners.pretrained import CapabilityConfig
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.problems import placing, stroke_styles
from cogkit.bongard.shapes.inventory import Shape, available
from cogkit.core import seeding
from cogkit.core.records import result_row
from cogkit.learning import Fit, inference
from cogkit.learning import run as result_of
from cogkit.learning.context import default_device
from cogkit.learning.supervised import fit_supervised, trained
from cogkit.stats import cluster_bootstrap, weighted_mean, wilson

PARTS = ("train", "validation", "test")
_SHARES = (0.7, 0.8)  # where shapes are held out: up to here for training, up to here for validation
_HALF = 0.5


@dataclass(frozen=True, eq=False)
class Examples:
    """Pictures of single shapes, alternately with and without an attribute.

    Attributes
    ----------
    pictures : list of Picture
    labels : (n,) bool
        Whether the shape has the attribute.
    images : (n, size, size) uint8
        255 is paper.
    """

    pictures: list[Picture]
    labels: np.ndarray
    images: np.ndarray

    @property
    def shapes(self) -> list[str]:
        """The name of the shape in each picture."""
        return [placed.name for (placed,) in self.pictures]


def pools(config: CapabilityConfig, part: str, seed: int) -> tuple[tuple[Shape, ...], ...]:
    """Return the shapes with the attribute, and the shapes without it, from which a part draws its pictures.

    A shape is in neither group if its label is not applicable. Where shapes are held out, a shape that draws the same
    figure as another one is also left out.
    """
    shapes, held_out = available(config.source), config.held_out == "shapes"
    again = {row for rows in stroke_styles.repeats(shapes).values() for row in rows} if held_out else set()
    groups = []
    for label in (1, 0):
        rows = [k for k, shape in enumerate(shapes) if shape.attributes[config.attribute] == label and k not in again]
        if held_out:
            rng = seeding.stream(seed, f"bongard/capability/{config.attribute}/{label}")
            ends = [round(share * len(rows)) for share in (0, *_SHARES, 1)]
            place = PARTS.index(part)
            rows = rng.permutation(rows)[ends[place] : ends[place + 1]]
        groups.append(tuple(shapes.all[k] for k in rows))
    return tuple(groups)


def examples(config: CapabilityConfig, part: str, seed: int, profile: str = "verified") -> Examples:
    """Return the pictures of one part. Each part can be made on its own.

    The profile gives the rules for placing shapes and for their stroke types, as in abstract problems. ``as_published``
    gives random stroke types to every shape that can have them. More shapes can on one side than on the other, so
    stroke types give information about the label. ``verified`` gives stroke types equally often to both sides.

    Examples
    --------
    >>> from cogkit.bongard.learners import pretrained
    >>> config = pretrained.config("capability", "quick", source="catalogue", attribute="has_curve", tested=3)
    >>> examples(config, "test", 0).labels.tolist()
    [True, False, True, False, True, False]
    """
    drawn_from, verified = pools(config, part, seed), profile == "verified"
    bear = [np.mean([shape.stampable for shape in pool]) for pool in drawn_from]
    shares = [min(bear) / share if verified and share else 1.0 for share in bear]
    types = stroke_styles.stroke_types((config.attribute,), verified)
    scales = placing.SCALES[profile]["hd"]

    def picture(side: int, rng: np.random.Generator) -> Picture:
        pool = drawn_from[side]
        shape = pool[rng.integers(len(pool))]
        styles = types if shape.stampable and rng.random() < shares[side] else stroke_styles.NORMAL
        return placing.place([stroke_styles.dress(shape.program, styles, rng)], rng, scales, [shape.name], verified)

    count = {"train": config.trained, "validation": config.validated, "test": config.tested}[part]
    name = f"bongard/capability/{profile}/{config.attribute}/{config.held_out}/{part}"
    pairs = [(f"{name}/{side}/{k}", partial(picture, side)) for k in range(count) for side in (0, 1)]
    pictures = [placing.until_clean(draw, seed, title) for title, draw in pairs]
    return Examples(pictures, np.tile([True, False], count), raster.images(pictures, config.size))


def fit(config: CapabilityConfig, seed: int, train: Examples, validation: Examples | None = None, **options) -> Fit:
    """Return the training run of a backbone that learns one attribute. ``options`` go to `learning.Fit`.

    Half of the pictures of a step are mirrored, which changes no attribute. The metric ``loss`` is in nats. The
    validation metrics are ``wrong``, the share of wrong answers, and ``surprise`` in nats. The run keeps the weights
    with the lowest ``surprise``.
    """
    device = default_device(config.half)
    labels = torch.from_numpy(train.labels).float().to(device)

    def build() -> nn.Module:
        return nn.Sequential(OrderedDict(backbone=ResNet15(config.reduction), answer=nn.Linear(FEATURES, 1))).to(device)

    def loss_fn(network: nn.Module, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict]:
        flips = (rng.random(len(rows)) < _HALF)[:, None, None]
        images = np.where(flips, train.images[rows][..., ::-1], train.images[rows])
        logits = features(network, pixels(images, device), config.half).squeeze(1)
        return nn.functional.binary_cross_entropy_with_logits(logits, labels[torch.from_numpy(rows).to(device)]), {}

    def validate(network: nn.Module, held_out: Examples) -> dict[str, float]:
        logits, truth = answers(network, config, held_out.images), held_out.labels
        loss = np.logaddexp(0, np.where(truth, -logits, logits)).mean()
        return {"wrong": float(((logits > 0) != truth).mean()), "surprise": float(loss)}

    ends = {"lowest": "surprise", "fixed": config.fixed}
    return fit_supervised(config, seed, len(labels), build, loss_fn, validate, validation, **ends, **options)


def answers(network: nn.Module, config: CapabilityConfig, images: np.ndarray) -> np.ndarray:
    """Return the answers of a trained network to images, (n,): the log odds that the shape has the attribute."""
    with inference(network):
        parts = [images[at : at + config.recipe.batch] for at in range(0, len(images), config.recipe.batch)]
        logits = [features(network, pixels(part, default_device(config.half)), config.half) for part in parts]
    return torch.cat(logits).squeeze(1).cpu().numpy()


def run(config: CapabilityConfig, profile: str, seed: int) -> list[dict]:
    """Train a backbone on one attribute now, and return result rows: its accuracy in training and in test."""
    train, validation, test = (examples(config, part, seed, profile) for part in PARTS)
    network = trained(result_of(fit(config, seed, train, validation)).state)
    return assess(network, config, seed, {"train": train, "test": test})


def assess(network: nn.Module, config: CapabilityConfig, seed: int, parts: dict[str, Examples]) -> list[dict]:
    """Return the result rows of a trained network on some named parts.

    Intervals are Wilson's where test pictures show the training shapes. Where shapes are held out, the test shapes are
    a sample themselves, and the interval is a bootstrap over shapes.
    """
    rows, who = [], {"who": "ResNet-15", "kind": "model", "inputs": "pixels", "supervision": "attributes"}
    source = f"cogkit, {config.size} px, α = {config.reduction}, new {config.held_out}"
    for name, part in parts.items():
        right = (answers(network, config, part.images) > 0) == part.labels
        rng = seeding.stream(seed, f"bongard/capability/{name}/interval")
        limits = _interval(right, part.shapes, config.held_out == "shapes" and name != "train", rng)
        task = f"{config.attribute}/{name}"
        rows.append(result_row(who, task, "accuracy", right.mean(), len(right), *limits, source=source))
    return rows


def _interval(right: np.ndarray, shapes: Sequence[str], by_shape: bool, rng: np.random.Generator):
    if not by_shape:
        return wilson(right.sum(), len(right)), "95% Wilson, pictures"
    bounds = cluster_bootstrap(weighted_mean(right), shapes, rng, within=False)
    return (bounds.low.item(), bounds.high.item()), "95% bootstrap, shapes"
