"""Taught eyes: their training on single shapes of the training split, and what they tell of windows.

Differs from the paper: its learners are taught answers alone, or whole programs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache, partial

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.bongard.learners import agents, pretrained
from cogkit.bongard.learners.agents import ReasonerConfig
from cogkit.bongard.learners.lessons import COUNTED, STROKES, TAUGHT, UNKNOWN, Lessons, lessons
from cogkit.bongard.learners.networks.backbone import pixels
from cogkit.bongard.learners.networks.window_network import PARTS, PLACES, Sight, Sights
from cogkit.bongard.learners.pretrained import SightConfig
from cogkit.bongard.learners.windows import KEPT, SIZE, cut, key, shapes_of, smaller, turned, windows
from cogkit.bongard.logo import raster
from cogkit.bongard.problems import records, sets
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem
from cogkit.bongard.problems.rendering import by_parts
from cogkit.bongard.shapes import inventory
from cogkit.core.processes import end_idle
from cogkit.data import pictures as store
from cogkit.data import results
from cogkit.data.home import home
from cogkit.learning import Fit, inference, lifecycle
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import fit_supervised, telling_rows

SEEN = sum(PARTS.values())  # numbers about a picture
_AT_ONCE = 16  # windows in a batch, outside of training: more take more memory, and no less time
_PROBLEMS = 16  # whose shapes are looked at together
_KEPT = 2**30  # most bytes of what was seen
_TURNS = 8  # a window and its mirror image, each in four directions
_NOTHING = 0.3  # weight of the cells without ink, which are most cells
_WEIGHTS = {  # of the parts of the loss
    "middle": 0.5, "corner": 0.3, "ink": 2.0, "stroke": 0.5, "angle": 0.3, "sweep": 0.3, "length": 0.2, "counts": 3.0,
    "attributes": 4.0,
}  # fmt: skip

Taught = tuple[np.ndarray | Packed, Lessons]  # windows (m, size, size) uint8, and what is to be told of them


def build(config: SightConfig) -> Sight:
    """Return new eyes from a config.

    Examples
    --------
    >>> build(pretrained.SIGHT.config("quick"))(torch.ones(3, 1, 64, 64)).code.shape
    torch.Size([3, 128])
    """
    return Sight(config.widths)


def taught(problems: Sequence[Problem], size: int, jobs: int | None = 1) -> Taught:
    """Return the shapes of some problems in windows of ``size`` pixels a side, and what is to be told of them.

    Each picture is drawn at the published size. ``jobs`` is the number of parallel processes, as in `rendering`.
    """
    parts = list(by_parts(partial(_taught, size=size), problems, jobs))
    images, targets = zip(*parts, strict=True)
    return Packed.joined(images), Lessons.joined(targets)


def _taught(problems: Sequence[Problem], size: int) -> tuple[Packed, Lessons]:
    pictures = records.pictures(problems)
    crops = windows(raster.images(pictures, SIZE), KEPT)
    rows, targets = lessons(pictures, crops, inventory.available())
    return Packed.of(smaller(crops.pixels[rows], size)), targets


def fit(config: SightConfig, seed: int, lesson: Taught, validation: Taught | None = None, **options) -> Fit:
    """Return the training run of eyes on windows and what is to be told of them; ``options`` go to `learning.Fit`.

    A step is one batch of windows, each mirrored and turned at random, which changes nothing that is taught. Metrics:
    ``loss`` and its parts in nats, and at every evaluation ``validation``, the share of attributes told rightly, and
    ``wrong``, the loss of what is read from the codes. The run keeps the weights with the lowest ``wrong``.
    """
    device = default_device()

    def loss_fn(network: nn.Module, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        turns = rng.integers(_TURNS, size=len(rows))
        parts = losses(network, posed(lesson[0][rows], turns), lesson[1][rows].turned(turns), device)
        total = sum((_WEIGHTS[name] * part for name, part in parts.items()), torch.zeros((), device=device))
        return total, {name: part.item() for name, part in parts.items()}

    def validate(network: nn.Module, held_out: Taught) -> dict[str, float]:
        counts, attributes = predict(network, held_out[0])
        wrong = _WEIGHTS["counts"] * _counted(counts, held_out[1])
        wrong = wrong + _WEIGHTS["attributes"] * _labelled(attributes, held_out[1])
        right = np.concatenate([*right_attributes(attributes, held_out[1]).values()])
        return {"validation": float(right.mean()), "wrong": wrong.item()}

    return fit_supervised(
        config, seed, len(lesson[1]), lambda: build(config).to(device), loss_fn, validate, validation, lowest="wrong",
        **options,
    )  # fmt: skip


def posed(images: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return windows (m, size, size), mirrored if ``turns`` (m,) is odd, then turned left turns // 2 times."""
    return turned(np.where((turns % 2)[:, None, None], images[..., ::-1], images), turns // 2)


def losses(network: nn.Module, images: np.ndarray, lesson: Lessons, device: str) -> dict[str, Tensor]:
    """Return the parts of the loss of a batch of windows, in nats: of a stroke, a corner, a cell, a count, a label."""
    sights = network(pixels(images, device))
    cells, size = sights.cells, sights.cells["ink"].shape[2]
    owners, numbers = (lesson.strokes != UNKNOWN).nonzero()
    places = (lesson.places[owners, numbers] * size).astype(int).clip(0, size - 1)
    owner, (columns, rows) = torch.from_numpy(owners).to(device), torch.from_numpy(places).to(device).unbind(2)
    marks = {name: torch.from_numpy(getattr(lesson, f"{name}s")[owners, numbers]).to(device) for name in COUNTED}
    later = marks["angle"] != UNKNOWN
    parts = {
        "middle": _found(cells["middle"], owner, rows[:, 1], columns[:, 1]),
        "corner": _found(cells["corner"], owner[later], rows[later, 0], columns[later, 0]),
        "ink": _inked(cells["ink"], owner, rows[:, 2:], columns[:, 2:], marks["stroke"]),
    }
    for name, mark in marks.items():
        known, at = mark != UNKNOWN, 0 if name == "angle" else 1  # an angle is at the beginning of its stroke
        logits = cells[name][owner[known], :, rows[known, at], columns[known, at]]
        parts[name] = nn.functional.cross_entropy(logits, mark[known], reduction="sum") / max(1, len(logits))
    parts["counts"] = _counted(sights.counts, lesson)
    parts["attributes"] = _labelled(sights.attributes, lesson)
    return parts


def _found(logits: Tensor, owner: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Return the loss about the cells in which things lie, for each thing."""
    truth = torch.zeros_like(logits[:, 0])
    truth[owner, rows, columns] = 1
    loss = nn.functional.binary_cross_entropy_with_logits(logits[:, 0], truth, reduction="sum")
    return loss / max(1, len(owner))


def _inked(logits: Tensor, owner: Tensor, rows: Tensor, columns: Tensor, strokes: Tensor) -> Tensor:
    """Return the loss about the stroke in each cell. A cell with strokes of several kinds is left out."""
    n, kinds, size = logits.shape[:3]
    cells = ((owner[:, None] * size + rows) * size + columns).flatten()
    kind = strokes[:, None].expand_as(rows).flatten()
    nothing = torch.full((n * size * size,), kinds - 1, device=logits.device)
    lowest = nothing.scatter_reduce(0, cells, kind, "amin", include_self=False)
    highest = nothing.scatter_reduce(0, cells, kind, "amax", include_self=False)
    truth = torch.where(lowest == highest, lowest, UNKNOWN)
    weight = torch.ones(kinds, device=logits.device)
    weight[-1] = _NOTHING
    flat = logits.permute(0, 2, 3, 1).flatten(0, 2)
    return nn.functional.cross_entropy(flat, truth, weight, ignore_index=UNKNOWN)


def _counted(logits: Tensor, lesson: Lessons) -> Tensor:
    """Return the mean loss about the counts."""
    truth = torch.from_numpy(lesson.counts).long().to(logits.device)
    return nn.functional.cross_entropy(logits.flatten(0, 1), truth.flatten())


def _labelled(logits: Tensor, lesson: Lessons) -> Tensor:
    """Return the mean loss about the labels that are known."""
    truth = torch.from_numpy(lesson.attributes).to(logits.device)
    known = truth != UNKNOWN
    loss = nn.functional.binary_cross_entropy_with_logits(logits[known], truth[known].float(), reduction="sum")
    return loss / max(1, int(known.sum()))


def predict(network: nn.Module, images: np.ndarray | Packed) -> tuple[Tensor, Tensor]:
    """Return what eyes read from the codes of windows (m, size, size) uint8: logits of counts and of attributes.

    Counts are (m, 27, 10), attributes (m, 25); see `networks.sight.Sights`.
    """
    sights = _sights(network, images)
    return torch.cat([part.counts for part in sights]), torch.cat([part.attributes for part in sights])


def _sights(network: nn.Module, images: np.ndarray | Packed) -> list[Sights]:
    """Return all that eyes tell of windows but for their cells, in batches, on the CPU."""
    device, sights = next(network.parameters()).device, []
    with inference(network):
        for at in range(0, len(images), _AT_ONCE):
            _, *whole = network(pixels(images[at : at + _AT_ONCE], str(device)))
            sights.append(Sights({}, *(part.cpu() for part in whole)))
    return sights


def right_attributes(logits: Tensor, lesson: Lessons) -> dict[str, np.ndarray]:
    """Return for each attribute whether each known label is told rightly, (labels,) bool."""
    known, right = lesson.attributes != UNKNOWN, (logits > 0).numpy() == lesson.attributes
    return {name: right[known[:, k], k] for k, name in enumerate(TAUGHT)}


def reported(seen: np.ndarray) -> pd.DataFrame:
    """Return what eyes tell of pictures, from what `Eyes.look` gives (n, 201): one row a picture.

    Columns: ``shapes``, their number; each of `STROKES`, how many strokes of this kind the picture seems to have; each
    of `TAUGHT`, the probability that its shape has the attribute (NaN if the picture has not one shape).
    """
    sums, attributes, shapes = (seen[:, PLACES[name]].astype(float) for name in ("sums", "attributes", "shapes"))
    chances = np.where(shapes == 1, 1 / (1 + np.exp(-attributes)), np.nan)
    table = np.concatenate([shapes, sums[:, : len(STROKES)], chances], axis=1)
    return pd.DataFrame(table, columns=["shapes", *STROKES, *TAUGHT]).astype({"shapes": int})


class Eyes(lifecycle.Agent):
    """Taught eyes. They solve no problems, but have weights, a log and result rows like learners that do."""

    name, inputs, supervision = "taught eyes", "pixels", "attributes"

    @property
    def source(self) -> str:
        """The source of result rows of learners that look with these eyes."""
        return f"cogkit, eyes of {self.config.size} px windows"

    def look(self, pictures: np.ndarray) -> np.ndarray:
        """Return what is seen of pictures (n, 512, 512) uint8, (n, 201) float32, in the order of `sight.PARTS`.

        Of each shape that is its code, the sums of what its cells tell, the log odds of its attributes, and a 1, added
        up over the shapes of a picture. The last number is thus the number of shapes.
        """
        return self._told(cut(pictures, self.config.size))

    def _told(self, shapes: np.ndarray) -> np.ndarray:
        """Return what is seen of pictures cut into windows, (..., 2, size, size) uint8: (..., 201) float32."""
        layout, flat = shapes.shape[:-2], shapes.reshape(-1, *shapes.shape[-2:])
        inked = np.flatnonzero((flat < 255).any(axis=(1, 2)))
        seen = np.zeros((len(flat), SEEN), np.float32)
        for at, part in zip(range(0, len(inked), _AT_ONCE), _sights(self.network, flat[inked]), strict=True):
            rows = inked[at : at + _AT_ONCE]
            features = [part.code, part.sums, part.attributes, torch.ones(len(rows), 1)]
            seen[rows] = torch.cat(features, dim=1).numpy()
        return seen.reshape(*layout, SEEN).sum(axis=-2).astype(np.float16).astype(np.float32)  # as they are kept

    def looked_at(self, pictures: np.ndarray) -> np.ndarray:
        """Return the same for pictures in any layout, (..., 512, 512) uint8: (..., 201) float32.

        Of equal pictures one is looked at. What was seen already, as float32, is returned as it is.
        """
        if pictures.dtype == np.float32:
            return pictures
        flat = pictures.reshape(-1, *pictures.shape[-2:])
        rows = {picture.tobytes(): k for k, picture in enumerate(flat)}
        seen = dict(zip(rows, self.look(flat[list(rows.values())]), strict=True))
        return np.array([seen[picture.tobytes()] for picture in flat]).reshape(*pictures.shape[:-2], SEEN)

    def seen(self, problems: Sequence[Problem]) -> np.ndarray:
        """Return what is seen of all pictures of some problems, as by `look`: (n, 2, 7, 201) float32.

        It is kept in the folder ``seen`` of ``COGKIT_HOME``, and read from there the next time.
        """
        shape = (len(problems), len(SIDES), A_SIDE, SEEN)
        path = home() / "seen" / f"{self._digest}-{key(problems, self.config.size)}.npy"
        features = store.read(path, (*shape[:-1], 2 * SEEN))
        if features is None:
            shapes = shapes_of(problems, self.config.size, jobs=None)
            looks = [self._told(shapes[at : at + _PROBLEMS]) for at in range(0, len(shapes), _PROBLEMS)]
            features = np.concatenate(looks).astype(np.float16).view(np.uint8)
            store.write(path, features)
            store.shrink(path.parent, _KEPT)
        return np.array(features).view(np.float16).astype(np.float32)

    @cached_property
    def _digest(self) -> str:
        """A name of these weights and of the size of their windows."""
        content = hashlib.sha256(f"{self.config.size}".encode())
        for name, value in self.network.state_dict().items():
            content.update(name.encode() + value.cpu().numpy().tobytes())
        return content.hexdigest()[:16]


def train(config: SightConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of eyes on the shapes of training problems; ``options`` go to `learning.Fit`."""
    parts = (
        (agents.task_of(config.set, "train"), config.problems),
        (agents.task_of(config.set, "val"), config.validated),
    )
    datasets = [taught(sets.problems(part, n, profile), config.size, jobs=None) for part, n in parts]
    end_idle()
    return fit(config, seed, *datasets, **options)


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return the result rows of eyes on shapes of the tests, and of training: shares of what they tell rightly.

    ``strokes``: how many strokes of every kind a shape has. The other rows are about an attribute each.
    """
    config, right = agent.config, {}
    for prefix, tasks in (("", agents.tests_of(config.set)), ("train/", (agents.task_of(config.set, "train"),))):
        problems = [problem for task in tasks for problem in sets.problems(task, config.tested, profile)]
        images, lesson = taught(problems, config.size, jobs=None)
        counts, attributes = predict(agent.network, images)
        same = counts[:, : len(STROKES)].argmax(dim=2).numpy() == lesson.counts[:, : len(STROKES)]
        hits = {"strokes": same.all(axis=1), **right_attributes(attributes, lesson)}
        right |= {f"{prefix}{name}": values for name, values in hits.items() if len(values)}
    end_idle()
    return telling_rows(right, agent.name, agent.inputs)


REGISTRY = Lifecycle(
    "taught eyes of Bongard-LOGO", results.shipped_folder("bongard"), "{config.name}-{preset}-s{seed}",
    {"sight": pretrained.SIGHT}, lambda name, preset, **changes: pretrained.SIGHT.config(preset, **changes), build,
    Eyes, train, assess,
)  # fmt: skip


def eyes_for(config: ReasonerConfig, seed: int) -> Eyes:
    """Return the eyes of a learner on eyes, from its config and the seed of its run."""
    return eyes_of(config.sight, seed if config.eyes_seed is None else config.eyes_seed)


@lru_cache(maxsize=4)
def eyes_of(config: SightConfig, seed: int) -> Eyes:
    """Return the eyes of a config and seed, taught under the profile ``verified``; see `Lifecycle.ready`."""
    return REGISTRY.ready(f"bongard/{config.name}", config, seed, set=config.set)
