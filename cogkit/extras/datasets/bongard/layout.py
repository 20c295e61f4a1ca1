"""Where the files of a set lie, in the published layout, and how a problem is stored so that it can be redrawn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line, Program, parse_program, write_program
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import A_SIDE, KINDS, SIDES, Problem, parts
from cogkit.core.errors import InputError
from cogkit.data import readers

FOLDERS = ("1", "0")  # the published folders of pictures of each side: 1 has the concept
FILES = tuple(f"{folder}/{number}.png" for folder in FOLDERS for number in range(A_SIDE))
MOST = 2  # shapes in a picture
Programs = tuple[tuple[tuple[Program, ...], ...], ...]  # by side, picture and shape
_T = TypeVar("_T")
_Side = Annotated[
    list[Annotated[list[_T], msgspec.Meta(min_length=1, max_length=MOST)]],
    msgspec.Meta(min_length=A_SIDE, max_length=A_SIDE),
]
_Length = Annotated[float, msgspec.Meta(gt=0, le=1)]
_Turn = Annotated[float, msgspec.Meta(ge=-180, le=180)]
_Stroke = Literal["normal", "zigzag", "circle", "square", "triangle"]


class _Line(msgspec.Struct, tag="line", array_like=True, forbid_unknown_fields=True):
    length: _Length
    turn: _Turn
    stroke: _Stroke


class _Arc(msgspec.Struct, tag="arc", array_like=True, forbid_unknown_fields=True):
    radius: _Length
    sweep: Annotated[float, msgspec.Meta(ge=-360, le=360)]
    turn: _Turn
    stroke: _Stroke


class _Shape(msgspec.Struct):
    name: str
    at: tuple[float, float, float, Annotated[float, msgspec.Meta(gt=0)]]  # x, y, heading, scale
    program: Annotated[list[_Line | _Arc], msgspec.Meta(min_length=1)]


class _Record(msgspec.Struct):
    """A stored problem."""

    name: str
    positives: _Side[_Shape]
    negatives: _Side[_Shape]
    profile: Any = None


@dataclass(frozen=True)
class Layout:
    """One of the two published arrangements of folders.

    Attributes
    ----------
    name : str
        Name of the folder that holds everything.
    split : str
        Name of the file with the split.
    kinds : tuple of str
        Keys of `KINDS`.
    flat : bool
        Whether the kinds have no folders of their own.
    """

    name: str
    split: str
    kinds: tuple[str, ...]
    flat: bool = False

    def folder(self, kind: str) -> str:
        """Return the folder of the files of a kind, relative to the folder of the set."""
        return "" if self.flat else f"{kind}/"

    def images(self, kind: str) -> str:
        """Return the folder of the problems of a kind."""
        return f"{self.folder(kind)}images"

    def problem(self, name: str) -> str:
        """Return the folder of the pictures of a problem.

        Examples
        --------
        >>> FULL.problem("bd_bird8_0000"), ABLATION.problem("ff_nact6_0292")
        ('bd/images/bd_bird8_0000', 'images/ff_nact6_0292')
        """
        return f"{self.images(parts(name)[0])}/{name}"

    def programs(self, kind: str) -> str:
        """Return the file of the action strings of a kind."""
        return f"{self.folder(kind)}{kind}_action_programs.json"

    def placements(self, kind: str) -> str:
        """Return the file of the problems of a kind with their placements, which the published sets lack."""
        return f"{self.folder(kind)}{kind}_placements.jsonl"


FULL = Layout("ShapeBongard_V2", "ShapeBongard_V2_split.json", tuple(KINDS))
ABLATION = Layout("ShapeBongard_V2_FF", "ShapeBongard_FF_split.json", ("ff",), flat=True)
LAYOUTS = (FULL, ABLATION)


def roots(folder) -> list[tuple[Path, Layout]]:
    """Return the sets in a folder: the folder itself, or its subfolders with a published name.

    A folder is a set if it has the split file, or the programs or the pictures of a kind.
    """
    folder = Path(folder)
    for layout in LAYOUTS:
        if _is(folder, layout):
            return [(folder, layout)]
    return [(folder / layout.name, layout) for layout in LAYOUTS if _is(folder / layout.name, layout)]


def _is(folder: Path, layout: Layout) -> bool:
    signs = [layout.split, *(sign for kind in layout.kinds for sign in (layout.programs(kind), layout.images(kind)))]
    if layout.flat:  # a folder `images` alone is no evidence
        signs = [sign for sign in signs if sign != "images" or any(folder.glob("images/ff_*"))]
    return any((folder / sign).exists() for sign in signs)


def position(place: int) -> str:
    """Return the title of one of a problem's fourteen pictures.

    Examples
    --------
    >>> position(0), position(13)
    ('positive 1', 'negative 7')
    """
    return f"{SIDES[place // A_SIDE]} {place % A_SIDE + 1}"


def strings(problem: Problem) -> list[list[list[list[str]]]]:
    """Return the published strings of a problem: by side, picture, shape and action.

    Examples
    --------
    >>> from cogkit.bongard.problems import freeform
    >>> positives, negatives = strings(freeform.problem(0))
    >>> len(positives), len(positives[0]), len(positives[0][0])
    (7, 1, 4)
    """
    return [[[write_program(placed.program) for placed in picture] for picture in side] for side in problem.sides]


def to_record(problem: Problem) -> str:
    """Return a problem as one line of JSON, with unrounded numbers and every placement."""
    sides = {f"{side}s": [list(map(_shape, picture)) for picture in pictures]
             for side, pictures in zip(SIDES, problem.sides, strict=True)}  # fmt: skip
    record = {"name": problem.name, "concept": problem.concept, "profile": problem.profile, **sides}
    return json.dumps(record, separators=(",", ":"))


def _shape(placed: Placed) -> dict[str, Any]:
    program = [["line" if isinstance(action, Line) else "arc", *astuple(action)] for action in placed.program]
    return {"name": placed.name, "at": astuple(placed.at), "program": program}


def from_record(line: str) -> Problem:
    """Return the problem from a line of `to_record`.

    Raises an `InputError` that gives the place of a fault in the line.

    Examples
    --------
    >>> from cogkit.bongard.problems import freeform
    >>> problem = freeform.problem(0)
    >>> from_record(to_record(problem)) == problem
    True
    """
    record = readers.parsed(line, _Record, repr(line[:40]), "a problem as a line of JSON")
    kind, concept, _ = parts(record.name)
    sides = (
        tuple(tuple(map(_placed, shapes)) for shapes in pictures) for pictures in (record.positives, record.negatives)
    )
    return Problem(record.name, kind, concept, *sides, profile=str(record.profile))


def _placed(shape: _Shape) -> Placed:
    program = tuple(
        (Line if isinstance(action, _Line) else Arc)(*msgspec.structs.astuple(action)) for action in shape.program
    )
    return Placed(program, Placement(*shape.at), shape.name)


def parse_problem(sides: Any, where: str) -> Programs:
    """Return the programs from the published strings of a problem, by side, picture and shape.

    ``sides`` are positives and negatives: each has seven lists of one shape or two, and each shape is a list of
    strings. Raises an `InputError` that gives picture, shape, action and character, counted from 1, if a string is
    wrong; ``where`` begins the place that it names.

    Examples
    --------
    >>> shape = ["line_normal_1.000-0.500"]
    >>> len(parse_problem([[[shape]] * 7, [[shape, shape]] * 7], "mine")[1][0])
    2
    """
    try:
        groups = msgspec.convert(sides, tuple[_Side[Any], _Side[Any]])
    except msgspec.ValidationError as error:
        wanted = f"{A_SIDE} positives and {A_SIDE} negatives of 1 to {MOST} shapes"
        raise InputError(f"{where} ({error})", wanted) from None
    return tuple(
        tuple(
            tuple(parse_program(shape, f"{where}, {side} {n}, shape {k}") for k, shape in enumerate(shapes, start=1))
            for n, shapes in enumerate(pictures, start=1)
        )
        for side, pictures in zip(SIDES, groups, strict=True)
    )


def plan(layout: Layout, config: Mapping[str, Any]) -> tuple[list[sets.Spec], dict[str, list[str]]]:
    """Return the specs of the problems in the set of a config, and their split.

    A smaller set is a part of the whole set, and each part of its split is a part of the whole set's.

    Examples
    --------
    >>> specs, split = plan(ABLATION, {"n": 12, "profile": "verified", "seed": 0, "shapes": None})
    >>> len(specs), list(split), sorted(split["test"])
    (12, ['train', 'val', 'test'], ['ff_nact4_5_0000', 'ff_nact9_0000'])
    """
    return _plan(layout.kinds, *(config[name] for name in ("n", "profile", "seed", "shapes")))


@lru_cache(maxsize=4)  # the audit of a new set plans it again
def _plan(kinds: tuple[str, ...], n: int, profile: str, seed: int, source: str | None):
    whole = sets.specs(profile, kinds, None, seed, source or "any")
    specs = sets.specs(profile, kinds, n, seed, source or "any")
    return specs, sets.split((spec.name for spec in specs), (spec.name for spec in whole))
