"""A small network that names attributes of things in pictures, trained on one renderer and tested on another.

It names shape, colour, material and size of a thing that is cut out of a picture (`crops`). If a network trained on the
analytic tracer also succeeds on Blender's pictures, then the tracer shows these attributes well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.presets import choose
from cogkit.data.home import home
from cogkit.extras.datasets.blender import blender, crops
from cogkit.extras.datasets.blender.blender import BlenderConfig
from cogkit.extras.datasets.blender.crops import RENDERERS, TRACER, Crops, TellingConfig
from cogkit.learning import Fit, inference, run, weights
from cogkit.learning.supervised import fit_supervised, telling_rows, trained
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world.things import VALUES

WHO = "small CNN"
_DRAWN = BlenderConfig(samples=16)
_HEADS = [len(values) for values in VALUES.values()]
_MOVED = 4  # the largest shift of a crop in training, in pixels
_AT_ONCE = 256


class Teller(nn.Module):
    """Convolutions, and one linear layer for all four answers.

    Examples
    --------
    >>> Teller((4, 4, 4, 4))(torch.zeros(2, 3, 64, 64)).shape
    torch.Size([2, 16])
    """

    def __init__(self, channels: Iterable[int]) -> None:
        super().__init__()
        layers, before, side = [], 3, crops.SIDE
        for after in channels:
            layers += [nn.Conv2d(before, after, 3, 2, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
            before, side = after, (side + 1) // 2
        self.look = nn.Sequential(*layers, nn.Flatten())
        self.answer = nn.Linear(before * side * side, sum(_HEADS))

    def forward(self, images: Tensor) -> Tensor:
        """Return scores of all values (n, 16) for images (n, 3, 64, 64) of 0 to 1."""
        return self.answer(self.look(images - 0.5))


def telling_fit(config: TellingConfig, seed: int, training: Crops, **options) -> Fit:
    """Return the training run of a network on crops; ``options`` go to `learning.Fit`.

    Each step takes one batch, in which crops are shifted a little, and mirrored or not. Metrics: ``loss``, in nats for
    all four answers together, and ``accuracy``, the share of right answers in the batch. The last weights count.

    Examples
    --------
    >>> training = Crops(np.zeros((4, 64, 64, 3), np.uint8), np.zeros((4, 4), int))
    >>> run(telling_fit(TellingConfig(steps=2, batch=2), 0, training)).log.columns.tolist()
    ['step', 'loss', 'accuracy']
    """
    images, values = torch.from_numpy(training.images), torch.from_numpy(training.values)

    def loss_fn(network: Teller, numbers: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, Mapping[str, float]]:
        rows = torch.from_numpy(numbers)
        scores, targets = network(_shifted(_shares(images[rows]), rng)), values[rows]
        parts = zip(scores.split(_HEADS, dim=1), targets.T, strict=True)
        total = sum(nn.functional.cross_entropy(part, target) for part, target in parts)
        return total, {"accuracy": (_choices(scores) == targets).float().mean().item()}

    return fit_supervised(config, seed, len(training), lambda: Teller(config.channels), loss_fn, **options)


def _shares(images: Tensor) -> Tensor:
    return images.permute(0, 3, 1, 2).float() / 255


def _shifted(images: Tensor, rng: np.random.Generator) -> Tensor:
    """Return images shifted by a few pixels, and mirrored or not; new pixels repeat the edge."""
    n, side = len(images), images.shape[2]
    down, across = rng.integers(0, 2 * _MOVED + 1, (2, n))
    wide = nn.functional.pad(images, (_MOVED,) * 4, mode="replicate")
    rows = torch.from_numpy(down)[:, None] + torch.arange(side)
    columns = torch.from_numpy(across)[:, None] + torch.arange(side)
    columns = torch.where(torch.from_numpy(rng.random(n) < 0.5)[:, None], columns.flip(1), columns)
    index = torch.arange(n)[:, None, None]
    return wide[index, :, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)


def answers(network: Teller, things: Crops) -> np.ndarray:
    """Return a network's answers, (n, 4): for shape, colour, material and size, places in `VALUES`."""
    with inference(network):
        batches = torch.from_numpy(things.images).split(_AT_ONCE)
        return np.concatenate([_choices(network(_shares(images))).numpy() for images in batches])


def _choices(scores: Tensor) -> Tensor:
    """Return the value of each attribute that has the highest score, (n, 4)."""
    return torch.stack([part.argmax(dim=1) for part in scores.split(_HEADS, dim=1)], dim=1)


def assess(network: Teller, things: Crops, trained_on: str, tested_on: str) -> list[dict]:
    """Return result rows: for each attribute, the share of things for which a network is right.

    Examples
    --------
    >>> things = Crops(np.zeros((4, 64, 64, 3), np.uint8), np.zeros((4, 4), int))
    >>> [row["task"] for row in assess(Teller((4, 4)), things, "tracer", "Cycles")]
    ['telling/shape', 'telling/color', 'telling/material', 'telling/size']
    """
    right = dict(zip(VALUES, (answers(network, things) == things.values).T, strict=True))
    return telling_rows(right, f"{WHO}, trained on {trained_on}, tested on {tested_on}", "pixels")


def pictured(renderer: str, part: str, n: int, folder=None, config: BlenderConfig = _DRAWN, python=None) -> Crops:
    """Return crops of the first scenes of a part, ``train`` or ``test``, drawn by a renderer.

    ``renderer`` is ``tracer`` or ``Cycles``. ``folder`` is that of pictures by Cycles, by default in ``COGKIT_HOME``;
    missing ones are drawn, which takes some seconds each. ``config`` and ``python`` are as in `blender.draw`.
    """
    scenes = [crops.scene(part, k) for k in range(n)]
    if choose(renderer, RENDERERS, "renderer") == TRACER:
        return crops.cut(scenes, [rendering.render(scene) for scene in scenes])
    folder = home() / "cycles" if folder is None else Path(folder)
    windows = [crops.window(scene) for scene in scenes]
    for _ in blender.draw(scenes, folder, config, python, windows):
        pass
    names = [blender.file_name(scene, config, window) for scene, window in zip(scenes, windows, strict=True)]
    return crops.cut(scenes, [blender.read(folder / name, config) for name in names])


def learn(config: TellingConfig, seed: int, training: Crops, **options) -> Teller:
    """Return a network trained now; its weights are rounded to half precision, as in a file."""
    network = trained(run(telling_fit(config, seed, training, **options)).state)
    network.load_state_dict(weights.rounded(network))
    return network


def told_apart(config: TellingConfig, profile: str, seed: int, folder=None, python=None) -> list[dict]:
    """Return the result rows of a network trained and tested as a config says; its cell runs this.

    Scenes follow the ``verified`` profile, whatever ``profile`` says. ``folder`` and ``python`` are as in `pictured`.
    """
    training = pictured(config.renderer, "train", config.scenes, folder, python=python)
    network, rows = learn(config, seed, training), []
    for name in config.tested_on:
        test = pictured(name, "test", config.tested, folder, python=python)
        rows += assess(network, test, f"{config.scenes} scenes by {config.renderer}", name)
    return rows
