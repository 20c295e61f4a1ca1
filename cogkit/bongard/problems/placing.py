"""Random placements of the shapes of a picture, drawn until the shapes are on the paper and, if asked, apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import shapely

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.geometry import stops
from cogkit.bongard.logo.pictures import HALF, Picture, Placed, Placement
from cogkit.bongard.logo.programs import Program
from cogkit.bongard.problems.records import Problem, name
from cogkit.core import seeding

_PUBLISHED = {"ff": (80.0, 140.0), "bd": (150.0, 260.0), "hd": (150.0, 320.0)}
# Strokes of verified free-form shapes are shorter in units, and would be too small to see at the published scales.
SCALES = {"as_published": _PUBLISHED, "verified": {**_PUBLISHED, "ff": (110.0, 190.0)}}
TRIES = 300
GAP = 12.0  # world units of clear paper between two shapes: one pixel of a picture of 64
_BATCH = 50
_ATTEMPTS = 20
Concept = tuple[str, ...]


class NoRoom(Exception):
    """The shapes did not fit on the paper without touching."""


def place(
    programs: Sequence[Program], rng: np.random.Generator, scales: tuple[float, float], names: Sequence[str] = (),
    verified: bool = False,
) -> Picture:  # fmt: skip
    """Return a picture of one shape or two, each with a random place, heading and scale.

    ``scales`` are the smallest and largest scale; each shape gets its own, drawn uniformly. See `SCALES`.

    ``verified``: the whole centre line must be on the paper, and two shapes have at least `GAP` units of paper between
    their inks; all headings and all possible places are equally likely. If none of 300 tries was clean, it raises
    `NoRoom`. Otherwise the published rules hold: a single shape begins within 250 of the middle and heads outward. Of
    two shapes, the second begins at least 300 from the first, and its heading differs by up to 60°. The pen stays
    within ±360. After 300 tries the last is used as it is.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> placed, = place([(Line(1.0),)], np.random.default_rng(0), (80, 140))
    >>> 80 <= placed.at.scale <= 140
    True
    """
    places = [
        outlines.outline(program) if verified else stops(Placed(program, outlines.UNIT)) @ (1, 1j)
        for program in programs
    ]
    names = names or [""] * len(programs)
    for _ in range(TRIES // _BATCH):
        scale = rng.uniform(*scales, (len(programs), _BATCH))
        if verified:
            heading = rng.uniform(0, 360, scale.shape)
            start, fits = _anywhere(places, scale, heading, rng)
        else:
            start, heading = (_outward if len(programs) == 1 else _two)(rng)
            fits = _stays(places, scale, heading, start)
        for k in np.flatnonzero(fits):
            picture = _picture(programs, names, start[:, k], heading[:, k], scale[:, k])
            if not verified or len(picture) == 1 or gap(*picture) >= GAP:
                return picture
    if verified:
        raise NoRoom(f"{TRIES} tries")
    return _picture(programs, names, start[:, -1], heading[:, -1], scale[:, -1])


def problem(
    kind: str, index: int, concepts: Sequence[Concept], profile: str, seed: int,
    sides: Callable[[Concept, np.random.Generator], Iterable[Iterable[tuple[Sequence[Program], Sequence[str]]]]],
) -> Problem:  # fmt: skip
    """Return problem ``index`` of a kind, whose concepts take turns, with random places of its shapes.

    ``sides(concept, rng)`` gives for each picture of both sides the programs and the names of its shapes. Random
    streams are tried in order until all shapes fit; `RuntimeError` if 20 did not give such a problem.

    Notes
    -----
    Differs from the paper: each problem has its own seed; in the published program each worker had one.
    """
    number, turn = divmod(index, len(concepts))
    concept, scales, verified = concepts[turn], SCALES[profile][kind], profile == "verified"
    stream = f"bongard/{profile}/{kind}/{index}"
    for attempt in range(_ATTEMPTS):
        rng = seeding.stream(seed, f"{stream}/{attempt}" if attempt else stream)
        try:
            first, second = (
                tuple(place(programs, rng, scales, names, verified) for programs, names in side)
                for side in sides(concept, rng)
            )
        except NoRoom:
            continue
        return Problem(name(kind, concept, number), kind, concept, first, second, profile)
    raise RuntimeError(f"no room on the paper for the shapes of {stream} with seed {seed} in {_ATTEMPTS} attempts")


def _picture(programs, names, start, heading, scale) -> Picture:
    return tuple(
        Placed(program, Placement(float(at.real), float(at.imag), float(turn), float(size)), name)
        for program, name, at, turn, size in zip(programs, names, start, heading, scale, strict=True)
    )


def gap(one: Placed, other: Placed) -> float:
    """Return the least clear paper between the inks of two placed shapes; below 0 they may touch."""
    lines = [shapely.linestrings(outlines.centre_line(placed)) for placed in (one, other)]
    return float(shapely.distance(*lines)) - sum(
        outlines.half_ink(placed.program, placed.at.scale) for placed in (one, other)
    )


def _polar(radius: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    return radius * np.exp(1j * np.radians(degrees))


def _outward(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return random starts and headings of one shape, (1, tries) each."""
    heading = rng.uniform(0, 360, (1, _BATCH))
    return _polar(rng.uniform(1, 250, (1, _BATCH)), heading), heading


def _two(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return random starts and headings of two shapes, (2, tries) each."""
    heading = rng.uniform(0, 360, _BATCH)
    start = _polar(rng.uniform(125, 250, _BATCH), heading)
    second, pending = np.empty(_BATCH, complex), np.ones(_BATCH, bool)
    while pending.any():
        second[pending] = rng.uniform(-300, 300, (pending.sum(), 2)) @ (1, 1j)
        offset = second - start
        pending &= (np.abs(offset) < 300) | (np.abs(offset.real) < 45) | (np.abs(offset.imag) < 45)
    return np.stack([start, second]), np.stack([heading, heading + rng.uniform(-60, 60, _BATCH)])


def _stays(places, scale, heading, start) -> np.ndarray:
    """Return which tries keep every place of every shape on the paper."""
    fits = np.ones(_BATCH, bool)
    for unit, at, turn in zip(places, start, _polar(scale, heading), strict=True):
        points = at[:, None] + turn[:, None] * unit
        fits &= (np.maximum(np.abs(points.real), np.abs(points.imag)) <= HALF).all(axis=1)
    return fits


def _anywhere(places, scale, heading, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return random starts from which shapes lie on the paper, uniform among all, and the tries that have any."""
    start, fits = np.empty(scale.shape, complex), np.ones(_BATCH, bool)
    for k, (unit, turn) in enumerate(zip(places, _polar(scale, heading), strict=True)):
        points = turn[:, None] * unit
        low = np.stack([points.real.min(axis=1), points.imag.min(axis=1)])
        high = np.stack([points.real.max(axis=1), points.imag.max(axis=1)])
        room = 2 * HALF - (high - low)
        fits &= (room >= 0).all(axis=0)
        start[k] = (1, 1j) @ (-HALF - low + room * rng.uniform(size=room.shape))
    return start, fits
