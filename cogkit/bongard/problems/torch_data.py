"""Problems as a PyTorch dataset; each is drawn from its programs on first use."""

from __future__ import annotations

import mmap
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from cogkit.bongard.logo import raster
from cogkit.bongard.problems.records import A_SIDE, FLIPS, SIDES, Problem, pictures
from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.presets import choose

QUERIES = ("last", "random")
_PICTURES = len(SIDES) * A_SIDE


class Problems(Dataset):
    """Problems as a PyTorch dataset: the support pictures, and one query picture of each side.

    An item is ``support`` (2, 6, size, size) and ``query`` (2, size, size), positives first. A picture is drawn on
    first use and then kept in memory. Forked worker processes of a ``DataLoader`` share this memory. Random choices
    depend on seed, ``epoch`` and item alone; set ``epoch`` between passes for new choices. ``problems`` can be an array
    (n, 2, 7, size, size) uint8, such as `archives.Archive.images` gives. ``query`` is the picture asked about:
    ``last``, the seventh of each side, or ``random``. ``flip`` is what is mirrored at random: ``none``; ``problem``,
    all fourteen pictures together; or ``picture``, each on its own. The last is the published way, though it swaps left
    and right in only some pictures of a concept. ``normalised`` pictures are float32 from -1 (ink) to 1 (paper), others
    uint8. ``memory`` is the most bytes of pictures; as many of the first problems are kept as fit.

    Examples
    --------
    >>> from cogkit.bongard.problems import freeform
    >>> support, query = Problems([freeform.problem(0)], size=32)[0]
    >>> support.shape, query.shape, query.dtype
    (torch.Size([2, 6, 32, 32]), torch.Size([2, 32, 32]), torch.float32)
    """

    def __init__(
        self, problems: Sequence[Problem] | np.ndarray, size: int = 64, *, query: str = "last", flip: str = "none",
        normalised: bool = True, seed: int = 0, memory: int = 2 * 2**30,
    ) -> None:  # fmt: skip
        if isinstance(problems, np.ndarray):
            wanted = f"an array (n, {len(SIDES)}, {A_SIDE}, size, size) of uint8"
            if problems.dtype != np.uint8 or problems.ndim != 5 or problems.shape[1:3] != (len(SIDES), A_SIDE):
                raise InputError(f"{problems.dtype} of shape {problems.shape}", wanted)
            size = problems.shape[-1]
        self.problems, self.size = problems, raster.as_size(size)
        self.query, self.flip = choose(query, QUERIES, "query"), choose(flip, FLIPS, "flip")
        self.normalised, self.seed, self.epoch = normalised, seed, 0
        self.memory = memory
        self._hold()

    def _hold(self) -> None:
        """Reserve memory that forked processes share; the system provides each page only when it is written."""
        problem_bytes = _PICTURES * self.size**2
        capacity = 0 if isinstance(self.problems, np.ndarray) else min(len(self.problems), self.memory // problem_bytes)
        self._cache = np.frombuffer(mmap.mmap(-1, max(1, capacity * problem_bytes)), np.uint8)
        self._cache = self._cache[: capacity * problem_bytes].reshape(
            capacity, len(SIDES), A_SIDE, self.size, self.size
        )
        self._drawn = np.frombuffer(mmap.mmap(-1, max(1, capacity)), np.uint8)

    def __getstate__(self) -> dict:
        return {name: value for name, value in vars(self).items() if name not in ("_cache", "_drawn")}

    def __setstate__(self, state: dict) -> None:
        vars(self).update(state)  # a process that was not forked keeps its own drawings
        self._hold()

    def __len__(self) -> int:
        return len(self.problems)

    def pictures(self, k: int) -> np.ndarray:
        """Return the pictures of problem ``k``, (2, 7, size, size) uint8."""
        if isinstance(self.problems, np.ndarray):
            return self.problems[k]
        if k < len(self._cache) and self._drawn[k]:
            return self._cache[k]
        images = raster.images(pictures([self.problems[k]]), self.size)
        images = images.reshape(len(SIDES), A_SIDE, self.size, self.size)
        if k < len(self._cache):
            self._cache[k], self._drawn[k] = images, 1
        return images

    def __getitem__(self, k: int) -> tuple[Tensor, Tensor]:
        k = range(len(self))[k]
        images = self.pictures(k)
        lots = seeding.item_uniforms(self.seed, f"bongard/problems/{self.epoch}", k, len(SIDES) + _PICTURES)
        if self.flip != "none":
            lot = lots[len(SIDES) :].reshape(len(SIDES), A_SIDE, 1, 1)
            flips = (lot if self.flip == "picture" else lot[:1, :1]) < 0.5
            images = np.where(flips, images[..., ::-1], images)
        places = np.full(len(SIDES), A_SIDE - 1)
        if self.query == "random":
            places = (lots[: len(SIDES)] * A_SIDE).astype(int)
        support = np.stack([np.delete(side, place, axis=0) for side, place in zip(images, places, strict=True)])
        return self._tensor(support), self._tensor(images[range(len(SIDES)), places])

    def _tensor(self, images: np.ndarray) -> Tensor:
        tensor = torch.from_numpy(np.ascontiguousarray(images))
        return tensor.float().div_(127.5).sub_(1) if self.normalised else tensor.clone()
