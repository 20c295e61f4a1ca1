"""A set of episodes in the published layout, made here or elsewhere; each episode is read when it is needed.

A published copy lacks some fields, which get these values: the profile is ``as_published`` without a certificate, the
camera follows from the pixels of things (`seen_from`), lamps have not moved, and a hand that is not among a scene's
objects is in the middle of the slot for hands. All other fields are checked before use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from cogkit.data import readers
from cogkit.data.png import unpack
from cogkit.extras.datasets.mewl.layout import INFO, QUESTION, Address, utterance
from cogkit.extras.datasets.mewl.reading import EpisodeFile, read_info, read_scene
from cogkit.mewl.problems.episodes import PANELS, TASKS, Episode, Panel, Trial
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.words import PARTS


def addresses(root: Path) -> list[Address]:
    """Return every episode of a set, by part, task and number; ``root`` is the set's own folder."""
    every = []
    for part, task in product(PARTS, TASKS):
        numbers = map(as_number, contents(root / part / task))
        every += [Address(part, task, number) for number in sorted(k for k in numbers if k is not None)]
    return every


def episode(root: Path, address: Address) -> Episode:
    """Return an episode of a set, or raise an `InputError` that names the file and field at fault."""
    folder, task = root / str(address), address.task
    info = read_info(folder / f"{INFO}.json", task)
    records = [
        read_scene(folder / f"{name}.json", things, target, task == "pragmatic")
        for name, things, target in zip([*info.names, QUESTION], info.things, info.targets, strict=True)
    ]
    return assemble(address, info, [record.scene for record in records])


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
    """Return the picture in a file, (240, 320, 3) uint8; raise `InputError` if there is none of this size."""
    size, wanted = (geometry.WIDTH, geometry.HEIGHT), f"a picture of {geometry.WIDTH}×{geometry.HEIGHT}"
    return unpack(readers.content(path, wanted=wanted), "RGB", lambda *actual: actual == size, wanted)
