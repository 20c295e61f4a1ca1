"""A set of problems in a published layout, ours or a copy of another, read on demand.

Placements and a manifest may be missing: our sets have them, published copies do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.bongard.logo.raster import LARGEST, PUBLISHED
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem, parts
from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.png import unpack
from cogkit.extras.datasets.bongard.layout import (
    FILES,
    LAYOUTS,
    Layout,
    Programs,
    from_record,
    parse_problem,
    position,
    roots,
)
from cogkit.extras.datasets.sets import manifest


def read(folder, size: int | None = None) -> Archive:
    """Return a set of problems on the disk, made by `datasets.make` or published; its files are read on demand.

    ``folder`` is the set's own folder, such as ``ShapeBongard_V2``, or its parent. ``size`` is pixels a side of its
    pictures; by default the size in its manifest, or else the published 512. Raises `InputError` if the folder has no
    set, or two.

    Examples
    --------
    >>> read("no")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a published layout (ShapeBongard_V2 or ShapeBongard_V2_FF), got none in no
    """
    sets = roots(folder)
    if len(sets) != 1:
        wanted = f"a published layout ({' or '.join(layout.name for layout in LAYOUTS)})"
        raise InputError(f"{len(sets) or 'none'} in {folder}", wanted, "name the set's own folder" if sets else "")
    root, layout = sets[0]
    config = manifest(root).get("config")
    stored = config.get("size") if isinstance(config, dict) else None
    return Archive(root, layout, size or (stored if isinstance(stored, int) else PUBLISHED))


@dataclass(frozen=True)
class Archive:
    """A set of problems on the disk.

    Attributes
    ----------
    folder : Path
        The set's own folder.
    layout : Layout
    size : int
        Pixels a side of its pictures.
    """

    folder: Path
    layout: Layout
    size: int = PUBLISHED
    _contents: dict[Path, dict] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def split(self) -> dict[str, list[str]]:
        """Names of problems by part, such as ``train`` or ``test_ff``."""
        path = self.folder / self.layout.split
        return readers.json(path, dict[str, list[str]], "the names of problems by part")

    @cached_property
    def names(self) -> list[str]:
        """The name of every problem in the split file."""
        return [name for names in self.split.values() for name in names]

    def strings(self, kind: str) -> dict[str, Any]:
        """Return the action strings of the problems of a kind by name, exactly as in the file."""
        return self._once(programs_file(self.folder, self.layout, kind), readers.json)

    def lines(self, kind: str) -> dict[str, str]:
        """Return the stored problems of a kind by name, each a line of JSON; empty if there is no such file."""
        path = self.folder / self.layout.placements(kind)
        return self._once(path, _lines) if path.is_file() else {}

    def _once(self, path: Path, read: Callable[[Path], dict]) -> dict:
        if path not in self._contents:
            self._contents[path] = read(path)
        return self._contents[path]

    def programs(self, name: str) -> Programs:
        """Return the programs of a problem, by side, picture and shape.

        Raises an `InputError` that gives file, problem, picture, shape, action and character if an action string is
        wrong.
        """
        kind = parts(name)[0]
        strings = self.strings(kind).get(name)
        with _told(f"in {programs_file(self.folder, self.layout, kind)}"):
            return parse_problem(strings, name)

    def problem(self, name: str) -> Problem:
        """Return a problem with its placements, so that its pictures can be drawn at any size.

        Raises `InputError` if the copy has no placements, like the published one, or the line does not describe a
        problem.
        """
        kind = parts(name)[0]
        path = self.folder / self.layout.placements(kind)
        if name not in self.lines(kind):
            raise InputError(f"none of {name} in {path}", "the placements, which published sets lack", "use `images`")
        return from_record(self.lines(kind)[name], str(path))

    def images(self, names: Iterable[str]) -> np.ndarray:
        """Return the pictures of some problems, (n, 2, 7, size, size) uint8: positives first, 255 is paper.

        Raises an `InputError` that gives file, problem and position if a picture is missing, broken, or of another
        size.
        """
        names = list(names)
        images = np.empty((len(names), len(SIDES), A_SIDE, self.size, self.size), np.uint8)
        for pictures, name in zip(images, names, strict=True):
            for place, file in enumerate(FILES):
                path = self.folder / self.layout.problem(name) / file
                with _told(f"in {path} ({name}, {position(place)})"):
                    pictures[divmod(place, A_SIDE)] = pixels(readers.content(path), self.size)
        return images


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Add to an error where it is."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{error.got} {where}", error.wanted, error.fix) from None


def pixels(content: bytes, size: int | None = None) -> np.ndarray:
    """Return the grey pixels of a PNG file, (size, size) uint8, after a check of all its checksums.

    Raises `InputError` if the file is not complete or has another size; without a ``size``, any up to `raster.LARGEST`
    is allowed.
    """
    wanted = f"a picture of {size}×{size}" if size else "a square picture"
    return unpack(content, "L", lambda width, height: width == height == (size or width) <= LARGEST, wanted)


def programs_file(root: Path, layout: Layout, kind: str) -> Path:
    """Return the file of action strings of a kind; in some copies its name lacks the last s."""
    usual = root / layout.programs(kind)
    other = usual.with_name(usual.name.replace("programs", "program"))
    return other if other.is_file() and not usual.is_file() else usual


def _lines(path: Path) -> dict[str, str]:
    """Return stored problems by name, each of which stands at the beginning of its line."""
    return {line.removeprefix('{"name":"').partition('"')[0]: line for line in readers.text(path).splitlines()}
