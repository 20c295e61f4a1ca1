"""Pre-training of the backbone: to recognise a picture in another view, or to name the program that drew it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.bongard.learners.networks import momentum
from cogkit.bongard.learners.networks.backbone import FEATURES, Parted, ResNet15, features, pixels
from cogkit.bongard.learners.networks.decoder import ProgramDecoder, tensors
from cogkit.bongard.learners.pretrained import BackboneConfig, MoCoConfig, SynthesisConfig
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.tokens import Tokens, encode
from cogkit.core import seeding
from cogkit.learning import Fit, run
from cogkit.learning.context import default_device
from cogkit.learning.supervised import fit_supervised, trained


def moco_fit(config: MoCoConfig, seed: int, images: np.ndarray, validation: np.ndarray | None = None, **options) -> Fit:
    """Return the training run of momentum contrast on pictures; ``options`` go to `learning.Fit`.

    Pictures (n, size, size) uint8, or windows (n, 2, size, size) of each, can be a memory map or `packed.Packed`; 255
    is paper. Those for validation are matched among themselves: ``validation`` is the loss in nats, and ``found``
    the share of views whose nearest picture is the right one. Two pictures of one program count as different.

    Notes
    -----
    Two views of a line drawing differ only by a mirror and by grey levels, as in the paper's program. Nothing here
    requires that a shape is recognised in another place, rotation or size.

    Examples
    --------
    >>> from cogkit.bongard.learners import pretrained
    >>> config = pretrained.config("moco", "quick", size=32, steps=2, batch=4)
    >>> images = np.random.default_rng(0).integers(0, 256, (8, 32, 32), np.uint8)
    >>> list(run(moco_fit(config, 0, images)).log)
    ['step', 'loss']
    """
    device = default_device(config.half)

    def build() -> momentum.Contrast:
        return momentum.Contrast(_vision(config, images), FEATURES, config.queue, config.half).to(device)

    def two_views(batch: np.ndarray, rng: np.random.Generator) -> list[Tensor]:
        pictures = pixels(batch, device, _parted(images))
        draws = (torch.from_numpy(rng.random((len(batch), 4), dtype=np.float32)).to(device) for _ in range(2))
        return [momentum.views(pictures, each, config.jitter) for each in draws]

    def loss_fn(network: momentum.Contrast, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict]:
        network.follow(config.momentum)
        queries, keys = network.codes(*two_views(images[rows], rng))
        loss = momentum.info_nce(queries, keys, network.queue.clone(), config.temperature)
        network.enqueue(keys)
        return loss, {}

    def validate(network: momentum.Contrast, held_out: np.ndarray) -> dict[str, float]:
        rng = seeding.stream(seed, "moco/validation")
        codes = [network.codes(*two_views(part, rng)) for part in _parts(held_out, config.recipe.batch)]
        queries, keys = (torch.cat(part) for part in zip(*codes, strict=True))
        cosines = queries @ keys.T
        targets = torch.arange(len(keys), device=cosines.device)
        loss = nn.functional.cross_entropy(cosines / config.temperature, targets)
        return {"validation": loss.item(), "found": (cosines.argmax(dim=1) == targets).float().mean().item()}

    ends = {"lowest": "validation", "fixed": config.fixed}
    return fit_supervised(config, seed, len(images), build, loss_fn, validate, validation, **ends, **options)


class Synthesis(nn.Module):
    """A backbone, and a decoder that predicts programs from its features."""

    def __init__(self, config: SynthesisConfig, vision: nn.Module | None = None) -> None:
        super().__init__()
        self.backbone = vision or ResNet15(config.reduction)
        self.decoder = ProgramDecoder(config, FEATURES)
        self.may_halve = config.half

    def see(self, images: np.ndarray) -> Tensor:
        """Return the features of images (n, size, size) uint8, or of windows (n, 2, size, size)."""
        inputs = pixels(images, default_device(self.may_halve), _parted(images))
        return features(self.backbone, inputs, self.may_halve)


Pictured = tuple[np.ndarray, Sequence[Picture]]  # images (n, [2,] size, size), and their content


def synthesis_fit(
    config: SynthesisConfig, seed: int, images: np.ndarray, pictures: Sequence[Picture],
    validation: Pictured | None = None, **options,
) -> Fit:  # fmt: skip
    """Return the training run of program synthesis; ``options`` go to `learning.Fit`.

    ``images`` are as in `moco_fit`. ``pictures`` are the content of each, whose programs are to be predicted. The
    metric of validation is ``nll``, the loss there.

    Notes
    -----
    Pictures are not mirrored, because another program draws a mirrored picture: turns change sides, and an arc, whose
    centre is on the left of the pen, must be drawn backwards.
    """
    device = default_device(config.half)
    programs, held_out = tensors(encode(pictures), device), None
    if validation is not None:
        held_out = validation[0], tensors(encode(validation[1]), device)

    def loss_fn(network: Synthesis, rows: np.ndarray, _) -> tuple[Tensor, dict]:
        return network.decoder.loss(network.see(images[rows]), programs[torch.from_numpy(rows).to(device)]), {}

    def validate(network: Synthesis, held_out: tuple[np.ndarray, Tokens]) -> dict[str, float]:
        features = [network.see(part) for part in _parts(held_out[0], config.recipe.batch)]
        return {"nll": network.decoder.loss(torch.cat(features), held_out[1]).item()}

    ends = {"lowest": "nll", "fixed": config.fixed}
    return fit_supervised(
        config, seed, len(images), lambda: Synthesis(config, _vision(config, images)).to(device), loss_fn, validate,
        held_out, **ends, **options,
    )  # fmt: skip


def backbone(
    config: BackboneConfig, seed: int, images: np.ndarray, pictures: Sequence[Picture] = (),
    validation: Pictured | None = None, **options,
) -> dict[str, Tensor]:  # fmt: skip
    """Train a backbone by momentum contrast or by program synthesis, as the config says, and return its weights.

    The weights are for ``ResNet15(config.reduction).load_state_dict``, or for that of `Parted` around it if images are
    windows; they are on the CPU. Momentum contrast needs no ``pictures``. The best weights are chosen on
    ``validation``, (images, pictures).
    """
    if isinstance(config, MoCoConfig):
        fit = moco_fit(config, seed, images, validation and validation[0], **options)
    else:
        assert isinstance(config, SynthesisConfig)
        fit = synthesis_fit(config, seed, images, pictures, validation, **options)
    weights = trained(run(fit).state).backbone.state_dict()
    return {name: value.detach().cpu().clone() for name, value in weights.items()}


def _parts(images: np.ndarray, size: int) -> list[np.ndarray]:
    return [images[at : at + size] for at in range(0, len(images), size)]


def _parted(images: np.ndarray) -> bool:
    """Return whether these are windows (n, 2, size, size), and not images (n, size, size)."""
    return len(images.shape) == 4


def _vision(config: BackboneConfig, images: np.ndarray) -> nn.Module:
    """Return a new backbone for images, or for windows."""
    whole = ResNet15(config.reduction)
    return Parted(whole) if _parted(images) else whole
