"""A set of episodes in the published layout, made here or elsewhere; each episode is read when it is needed.

A published copy lacks some fields, which get these values: the profile is ``as_published`` without a certificate, the
camera follows from the pixels of things (`seen_from`), lamps have not moved, and a hand that is not among a scene's
objects is in the middle of the slot for hands. All other fields are checked before use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.data import readers
from cogkit.data.png import unpack
from cogkit.extras.datasets.fields import FieldError
from cogkit.extras.datasets.mewl.layout import INFO, NAME, QUESTION, Address, roots, utterance
from cogkit.extras.datasets.mewl.reading import EpisodeFile, read_info, read_scene
from cogkit.mewl.problems.episodes import PANELS, TASKS, Episode, Panel, Trial
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.words import PARTS


def read(folder) -> Archive:
    """Return a set of episodes on the disk, made by `datasets.make` or published, without reading its episodes.

    ``folder`` is the set's own folder, such as ``MEWL_Release_V1``, or its parent. Raises `InputError` if there is no
    set.

    Examples
    --------
    >>> read("nowhere")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a set of episodes (MEWL_Release_V1, with train/shape), got none in nowhere
    """
    folders = roots(folder)
    if not folders:
        raise InputError(f"none in {folder}", f"a set of episodes ({NAME}, with train/shape)")
    return Archive(folders[0])


@dataclass(frozen=True)
class Archive:
    """A set of episodes on the disk, iterable.

    ``folder`` is the set's own folder.
    """

    folder: Path

    def __len__(self) -> int:
        return len(self.addresses)

    def __iter__(self) -> Iterator[Episode]:
        return (self.episode(*address) for address in self.addresses)

    @cached_property
    def addresses(self) -> list[Address]:
        """Every episode, by part, task and number."""
        addresses = []
        for part, task in product(PARTS, TASKS):
            numbers = map(as_number, contents(self.folder / part / task))
            addresses += [Address(part, task, number) for number in sorted(k for k in numbers if k is not None)]
        return addresses

    def episode(self, part: str, task: str, number: int) -> Episode:
        """Return an episode, or raise an `InputError` that names the file and field at fault."""
        address = Address(choose(part, PARTS, "part"), choose(task, TASKS, "task"), number)
        folder = self.folder / str(address)
        info = read_info(folder / f"{INFO}.json", task)
        records = [
            read_scene(folder / f"{name}.json", things, target, task == "pragmatic")
            for name, things, target in zip([*info.names, QUESTION], info.things, info.targets, strict=True)
        ]
        return assemble(address, info, [record.scene for record in records])

    def images(self, part: str, task: str, number: int) -> np.ndarray:
        """Return the pictures of an episode, (7, 240, 320, 3) uint8: six panels and the query.

        Raises an `InputError` that names the file if a picture is missing, broken, or of another size.
        """
        folder = self.folder / str(Address(choose(part, PARTS, "part"), choose(task, TASKS, "task"), number))
        names = read_info(folder / f"{INFO}.json", task).names
        return np.stack([read_image(folder / f"{name}.png") for name in (*names, QUESTION)])


def contents(folder: Path) -> list[str]:
    """Return the sorted names in a folder, or an empty list if there is no such folder."""
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def as_number(name: str) -> int | None:
    """Return the number that a folder's name stands for, or None.

    Examples
    --------
    >>> as_number("17"), as_number("017"), as_number("x")
    (17, None, None)
    """
    return int(name) if name.isdecimal() and name.isascii() and str(int(name)) == name else None


def assemble(address: Address, info: EpisodeFile, scenes: Sequence[Scene]) -> Episode:
    """Return an episode from the content of its files; the query's scene comes last."""
    panels = tuple(Panel(scene, utterance(name)) for scene, name in zip(scenes, info.names, strict=False))
    problem = Trial(address.task, panels, scenes[PANELS], info.options)
    fields = {"profile": "as_published", "number": address.number, "part": address.part} | info.provenance
    return Episode(problem, info.answer, info.lexicon, **fields)


def read_image(path: Path) -> np.ndarray:
    """Return the picture in a file, (240, 320, 3) uint8, or raise an `InputError` that names the file."""
    size = geometry.WIDTH, geometry.HEIGHT
    try:
        content = readers.content(path)
    except InputError:
        raise FieldError(path, "file", "none", "a picture of every scene") from None
    try:
        return unpack(content, "RGB", lambda *actual: actual == size, "a picture of {}×{}".format(*size))
    except InputError as error:
        raise FieldError(path, "file", error.got, error.wanted) from None
