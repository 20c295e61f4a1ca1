"""Examples from a set of problems for three properties that the paper claims (Nie et al. 2020, § 2.2).

The meaning of a shape depends on the context. Stroke types are the concept in one problem and irrelevant in another.
One figure has more than one program.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.spatial import cKDTree

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Picture, Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Program, write_program
from cogkit.bongard.problems import sets, stroke_styles
from cogkit.bongard.problems.records import KINDS, Problem
from cogkit.bongard.shapes import inventory
from cogkit.core import presets

READINGS = ("has_four_straight_lines", "has_six_straight_lines")  # the paper's own example
_SCALE = 200.0
_EVERY = 0.01  # units from one point of a centre line to the next
_CLOSE = 0.02  # units, half a pen's width at `_SCALE`: figures that match this closely are the same


@dataclass(frozen=True)
class Shown:
    """One picture of a problem.

    Attributes
    ----------
    problem : Problem
    side : int
        0 positive, 1 negative.
    place : int
        0 to 6.
    """

    problem: Problem
    side: int
    place: int

    @property
    def picture(self) -> Picture:
        """The picture itself."""
        return self.problem.sides[self.side][self.place]


def context(profile: str = "verified", seed: int = 0, source: str = "any") -> tuple[Shown, Shown]:
    """Return one shape in two problems: a positive of the first of `READINGS`, and a negative of the second.

    A shape whose lines cross is preferred: it has four lines if they run on through a crossing, and six if the crossing
    splits them.

    Examples
    --------
    >>> one, other = context(source="catalogue")
    >>> one.picture[0].name == other.picture[0].name, one.side, other.side
    (True, 0, 1)
    """
    by_name = []
    for side, concept in enumerate(READINGS):
        problems = _problems("hd", profile, seed, source, (concept,))
        pictures = (Shown(problem, side, place) for problem in problems for place in range(len(problem.sides[side])))
        by_name.append({item.picture[0].name: item for item in pictures})
    first, second = by_name
    shapes = inventory.available(source)
    names = sorted(set(first) & set(second), key=lambda name: (shapes[name].attributes["has_line_crossing"] != 1, name))
    return first[names[0]], second[names[0]]


def stroke_type(kind: str, profile: str = "verified", seed: int = 0, source: str = "any") -> tuple[Shown, Shown]:
    """Return two pictures whose programs differ in stroke types alone, on opposite sides if types are the concept.

    ``kind`` is ``ff`` for a positive of a free-form problem and a negative of the same one, or ``bd`` or ``hd`` for two
    positives of basic or abstract problems with the same concept.

    Examples
    --------
    >>> one, other = stroke_type("ff")
    >>> one.side, other.side, one.problem == other.problem
    (0, 1, True)
    """
    presets.choose(kind, KINDS, "kind of problem")
    firsts: dict[tuple, Shown] = {}
    for problem in _problems(kind, profile, seed, source):
        sides = (0, 1) if kind == "ff" else (0,)
        for item in (Shown(problem, side, place) for side in sides for place in range(len(problem.sides[side]))):
            key = problem.name if kind == "ff" else problem.concept, _programs(item.picture, typed=False)
            first = firsts.setdefault(key, item)
            if _programs(first.picture) != _programs(item.picture):
                return first, item
    raise LookupError(f"no two pictures of {KINDS[kind]} problems that differ in stroke types alone")


def two_programs(source: str = "any", seed: int = 0) -> tuple[Placed, Placed]:
    """Return two different programs that draw one figure, the second placed exactly on the first.

    They are two of the known shapes, or else two of the free-form concepts as published, each of which the paper calls
    unique. (Where stamped strokes meet, the stroke drawn later lies on top.)

    Examples
    --------
    >>> one, other = two_programs(source="catalogue")
    >>> one.name != other.name, one.program != other.program
    (True, True)
    """
    designed = ((shape.name, shape.program) for shape in inventory.available(source))
    free = (
        (item.name, item.positives[0][0].program) for item in _problems("ff", "as_published", seed, source, ("nact4",))
    )
    for figures in (designed, free):
        for first, second in _alike(figures):
            overlay = _laid_on(first, second)
            if overlay:
                return first, overlay
    raise LookupError("no two programs of one figure")


def _problems(kind: str, profile: str, seed: int, source: str, concept: tuple[str, ...] = ()) -> Iterator[Problem]:
    """Return the problems of a kind, or of one concept; each is made when it is needed."""
    specs = [spec for spec in sets.specs(profile, seed=seed, source=source) if spec.kind == kind]
    matches = [spec for spec in specs if not concept or spec.concept == concept]
    return map(sets.problem, matches)


def _programs(picture: Picture, typed: bool = True) -> tuple[tuple[str, ...], ...]:
    """Return the published strings of a picture's programs, with stroke types or without."""
    programs = (part.program if typed else stroke_styles.undress(part.program) for part in picture)
    return tuple(tuple(write_program(program)) for program in programs)


def _alike(named: Iterable[tuple[str, Program]]) -> Iterator[tuple[Placed, Placed]]:
    """Yield pairs of different programs that draw the same figure, or each other's mirror image."""
    shapes = [Placed(program, Placement(scale=_SCALE), name) for name, program in named]
    signatures = np.array([outlines.signature(placed.program) for placed in shapes])
    pairs = cKDTree(signatures).query_pairs(outlines.SAME, p=np.inf)
    for i, j in sorted(pairs):
        if write_program(shapes[i].program) != write_program(shapes[j].program):
            yield shapes[i], shapes[j]


def _laid_on(one: Placed, other: Placed) -> Placed | None:
    """Return a shape moved, turned and scaled to lie on another; None if only its mirror image does."""
    (target, target_types), (source, source_types) = _points(one), _points(other)
    middle, centre = target.mean(), source.mean()
    target, source = target - middle, source - centre
    zoom = math.sqrt((abs(target) ** 2).mean() / (abs(source) ** 2).mean())
    tree = cKDTree(_apart_by_type(target, target_types))

    def distances(angle: float) -> np.ndarray:
        return tree.query(_apart_by_type(source * zoom * np.exp(1j * angle), source_types))[0]

    def misfit(angle: float) -> float:
        return (distances(angle) ** 2).mean()

    step = np.pi / 180
    first = min(np.arange(0, 2 * np.pi, step), key=misfit)
    best = minimize_scalar(misfit, bounds=(first - step, first + step), method="bounded", options={"xatol": 1e-6}).x
    if distances(best).max() > _CLOSE * _SCALE:
        return None
    start = middle - centre * zoom * np.exp(1j * best)
    return replace(
        other, at=Placement(float(start.real), float(start.imag), float(math.degrees(best)), float(_SCALE * zoom))
    )


def _points(placed: Placed) -> tuple[np.ndarray, np.ndarray]:
    """Return points along the centre line of a figure, complex, in world units, and the stroke type of each."""
    points, types = [], []
    for action, line in zip(placed.program, path(placed, step=1.0), strict=True):
        line = line @ (1, 1j)
        distances = np.append(0, np.cumsum(abs(np.diff(line))))
        count = max(2, round(distances[-1] / placed.at.scale / _EVERY))
        points.append(np.interp((np.arange(count) + 0.5) / count * distances[-1], distances, line))
        types += [TYPES.index(action.type)] * count
    return np.concatenate(points), np.array(types)


def _apart_by_type(points: np.ndarray, types: np.ndarray) -> np.ndarray:
    """Return points in space, with each stroke type on its own level, far from the others."""
    return np.column_stack([points.real, points.imag, 100 * _SCALE * types])
