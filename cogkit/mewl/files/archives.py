"""A set of episodes in the published layout, ours or anybody's copy, read as it is asked for.

What a published copy lacks is filled in: an episode is of the profile ``as_published`` and has no certificate, a camera
is where the pixels of things say (`seen_from`), lamps have not been moved, and a hand that is not among a scene's
objects is in the middle of the ground that is kept for hands. What is there is checked before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from cogkit.core.contracts import InputError
from cogkit.core.presets import choose
from cogkit.data.png import unpacked
from cogkit.mewl.files.layout import INFO, NAME, QUESTION, Address, roots, utterance
from cogkit.mewl.files.reading import FieldError, Told, read_info, read_scene
from cogkit.mewl.problems.episodes import PANELS, TASKS, Asked, Episode, Panel
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.words import PARTS


def read(folder) -> Archive:
    """Return a set of episodes on the disk, made by `datasets.make` or published; nothing of it is read yet.

    Parameters
    ----------
    folder : str or Path
        The set's own folder, such as ``MEWL_Release_V1``, or the one in which that lies.

    Raises
    ------
    InputError
        None there.

    Examples
    --------
    >>> read("nowhere")
    Traceback (most recent call last):
    cogkit.core.contracts.InputError: wanted a set of episodes (MEWL_Release_V1, with train/shape), got none in nowhere
    """
    folders = roots(folder)
    if not folders:
        raise InputError(f"none in {folder}", f"a set of episodes ({NAME}, with train/shape)")
    return Archive(folders[0])


@dataclass(frozen=True)
class Archive:
    """A set of episodes on the disk, iterable.

    Attributes
    ----------
    folder : Path
        The set's own.
    """

    folder: Path

    def __len__(self) -> int:
        return len(self.addresses)

    def __iter__(self) -> Iterator[Episode]:
        return (self.episode(*address) for address in self.addresses)

    @cached_property
    def addresses(self) -> list[Address]:
        """Every episode, by part, task and number."""
        return [Address(part, task, number) for part in PARTS for task in TASKS for number in self._numbers(part, task)]

    def _numbers(self, part: str, task: str) -> list[int]:
        numbers = map(as_number, listed(self.folder / part / task))
        return sorted(number for number in numbers if number is not None)

    def some(self, part: str | None = None, task: str | None = None) -> list[Address]:
        """Return the episodes of a part, of a task, or of both."""
        choice = part and choose(part, PARTS, "part"), task and choose(task, TASKS, "task")
        return [
            each for each in self.addresses if each[:2] == tuple(a or b for a, b in zip(choice, each, strict=False))
        ]

    def episode(self, part: str, task: str, number: int) -> Episode:
        """Return an episode.

        Raises
        ------
        InputError
            With file and field of what is missing, or is none of an episode.
        """
        address = Address(choose(part, PARTS, "part"), choose(task, TASKS, "task"), number)
        folder = self.folder / str(address)
        info = read_info(folder / f"{INFO}.json", task)
        records = [
            read_scene(folder / f"{name}.json", things, target, task == "pragmatic")
            for name, things, target in zip([*info.names, QUESTION], info.things, info.targets, strict=True)
        ]
        return assembled(address, info, [record.scene for record in records])

    def images(self, part: str, task: str, number: int) -> np.ndarray:
        """Return the pictures of an episode, (7, 240, 320, 3) uint8: six panels and the query.

        Raises
        ------
        InputError
            With the file that is missing, broken, or of another size.
        """
        folder = self.folder / str(Address(choose(part, PARTS, "part"), choose(task, TASKS, "task"), number))
        names = read_info(folder / f"{INFO}.json", task).names
        return np.stack([read_image(folder / f"{name}.png") for name in (*names, QUESTION)])


def listed(folder: Path) -> list[str]:
    """Return the names of what lies in a folder, in order; none where there is no such folder."""
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def as_number(name: str) -> int | None:
    """Return the number that a folder's name is, or None.

    Examples
    --------
    >>> as_number("17"), as_number("017"), as_number("x")
    (17, None, None)
    """
    return int(name) if name.isdecimal() and name.isascii() and str(int(name)) == name else None


def assembled(address: Address, told: Told, scenes: Sequence[Scene]) -> Episode:
    """Return the episode of what its files say, the query's scene last."""
    panels = tuple(Panel(scene, utterance(name)) for scene, name in zip(scenes, told.names, strict=False))
    problem = Asked(address.task, panels, scenes[PANELS], told.options)
    fields = {"profile": "as_published", "number": address.number, "part": address.part} | told.made
    return Episode(problem, told.answer, told.lexicon, **fields)


def read_image(path: Path) -> np.ndarray:
    """Return a picture, (240, 320, 3) uint8, or raise an `InputError` that names the file."""
    size = geometry.WIDTH, geometry.HEIGHT
    try:
        content = path.read_bytes()
    except OSError:
        raise FieldError(path, "file", "none", "a picture of every scene") from None
    try:
        return unpacked(content, "RGB", lambda *actual: actual == size, "a picture of {}×{}".format(*size))
    except InputError as error:
        raise FieldError(path, "file", error.got, error.wanted) from None
