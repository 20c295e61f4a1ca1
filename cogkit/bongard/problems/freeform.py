"""Free-form problems: a random program is the concept, and each negative changes one stroke (Nie et al. 2020)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.geometry import trace
from cogkit.bongard.logo.pictures import HALF, Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Action, Arc, Line, Program
from cogkit.bongard.problems import placing
from cogkit.bongard.problems.records import A_SIDE, Problem
from cogkit.core import presets, seeding
from cogkit.data import readers

Programs = tuple[Program, ...]  # the programs of the one or two shapes of a picture

COUNTS = ((4,), (5,), (6,), (7,), (8,), (9,), (3, 3), (2, 5), (3, 4), (3, 5), (4, 4), (4, 5))  # strokes of each shape
CONCEPTS = tuple(("nact" + "_".join(map(str, counts)),) for counts in COUNTS)
MOTIFS = {  # a run of strokes: their kind, and their turns; the first turn is at the beginning of the motif
    "line": (Line, (0,)),
    "arc": (Arc, (0,)),
    "right angle": (Line, (0, 90)),
    "semicircle": (Arc, (0, 0)),
    "triangle": (Line, (0, 120, 120)),
    "square": (Line, (0, 90, 90, 90)),
    "circle": (Arc, (0, 0, 0, 0)),
}
LENGTHS = (0.4, 0.7, 1.0)  # each pair has a different ratio, so that no pair looks like another at a different scale
RADII = (0.25, 0.35, 0.6)
SWEEPS = (90.0, 180.0, 270.0)
TURNS = tuple(range(-150, 180, 30))
APART = 45.0  # a changed turn differs by more than this
COVERED = 1 / 3  # most of a stroke's centre line that may lie under the ink of others
WIDEST = 3.7  # units from end to end, so that a shape fits on the paper at every scale and heading
_SPREAD = {2: 0.5, 3: 0.85, 4: 0.95, 5: 0.95, 6: 1.15, 7: 1.35, 8: 1.55, 9: 1.75}  # by strokes: least extent in units
_PUBLISHED_TRIES, _TRIES = 100, 1000
# How many draws are refused before each of the first 1,000 concepts of a configuration, for seed 0. With these, a
# concept is drawn alone; without them, all earlier ones must be found first.
REFUSED = readers.array(Path(__file__).with_name("freeform_refused.npy"))


def problem(index: int, profile: str = "verified", seed: int = 0) -> Problem:
    """Return one free-form problem: each negative changes the kind, the turn or the type of one stroke.

    The twelve configurations take turns. The published set has 3,600 free-form problems; the set of free-form problems
    alone has 12,000.

    ``as_published``: strokes come in motifs of one length, one arc and left turns. Negatives and concepts may repeat.
    Shapes may overlap.

    ``verified``: motifs have three sizes and turn left or right, arcs have three sweeps, and a motif begins at any
    multiple of 30°. A negative may also change a size. All concepts of a seed are different figures, and so are a
    concept and its seven negatives, even when mirrored. No stroke runs smoothly into another of its type, or has more
    than a third of its centre line under the ink of others (`outlines.covered`). Every centre line is on the paper, and
    two shapes do not touch.

    Examples
    --------
    >>> made = problem(0)
    >>> made.name, len(made.positives[0][0].program)
    ('ff_nact4_0000', 4)

    Notes
    -----
    Differs from the paper: the paper says that the arguments of strokes are drawn independently and that each concept
    is unique. Its program draws motifs of a single size and repeats some concepts. ``as_published`` follows the
    program.
    """
    verified = presets.profile(profile) == "verified"

    def sides(_: placing.Concept, rng: np.random.Generator):
        positive, negatives = _verified(concept(index, seed), rng) if verified else _published(index, rng)
        return [[(programs, ()) for programs in side] for side in ([positive] * A_SIDE, negatives)]

    return placing.problem("ff", index, CONCEPTS, profile, seed, sides)


def _published(index: int, rng: np.random.Generator) -> tuple[Programs, list[Programs]]:
    counts = COUNTS[index % len(COUNTS)]
    positive = tuple(_spread(lambda count=count: (_one_size(count, rng),))[0] for count in counts)
    shapes = rng.integers(len(positive), size=A_SIDE)
    return positive, [_spread(lambda shape=shape: _edit(positive, shape, rng, _PUBLISHED_EDITS)) for shape in shapes]


def _verified(positive: Programs, rng: np.random.Generator) -> tuple[Programs, list[Programs]]:
    negatives, signatures = [], [outlines.picture_signature(positive)]
    for _ in range(A_SIDE):
        _new(lambda: _edit(positive, int(rng.integers(len(positive))), rng, _EDITS), negatives, signatures)
    return positive, negatives


def concept(index: int, seed: int = 0) -> Programs:
    """Return the programs of all positives of a verified problem; all concepts of one seed are different figures.

    Examples
    --------
    >>> [len(program) for program in concept(11)]
    [4, 5]
    """
    number, configuration = divmod(index, len(COUNTS))
    if seed or number >= REFUSED.shape[1]:
        return search_concept(index, seed)
    draw = _draws(index, seed)
    for _ in range(REFUSED[configuration, number]):
        draw()
    return draw()


def search_concept(index: int, seed: int = 0) -> Programs:
    """Return the same as `concept`, by comparing draws with all earlier concepts of the configuration."""
    number, configuration = divmod(index, len(COUNTS))
    programs, signatures = _series(configuration, seed)
    while len(programs) <= number:
        _new(_draws(len(programs) * len(COUNTS) + configuration, seed), programs, signatures)
    return programs[number]


def _draws(index: int, seed: int) -> Callable[[], Programs]:
    """Return a function that draws one candidate after another for the concept of a problem."""
    rng = seeding.stream(seed, f"bongard/verified/ff/concept/{index}")
    return lambda: tuple(_any_size(count, rng) for count in COUNTS[index % len(COUNTS)])


@cache
def _series(configuration: int, seed: int) -> tuple[list[Programs], list[np.ndarray]]:
    """Return the concepts of a configuration so far, and their signatures; each new concept depends on these."""
    return [], []


def _new(draw: Callable[[], Programs], known: list[Programs], signatures: list[np.ndarray]) -> None:
    """Add to the known programs the first drawn ones that are legible and another figure, and their signature."""
    figures = np.array(signatures)
    for _ in range(_TRIES):
        programs = draw()
        if all(map(_legible, programs)):
            signature = outlines.picture_signature(programs)
            if not signatures or (outlines.differ(signature, figures) > outlines.SAME).all():
                known.append(programs)
                signatures.append(signature)
                return
    raise RuntimeError(f"no new free-form shape in {_TRIES} tries")


def _legible(program: Program) -> bool:
    if outlines.seams(program) or outlines.covered(program) > COVERED:
        return False
    line = outlines.outline(program)
    return bool(_SPREAD[len(program)] < np.abs(line[:, None] - line).max() <= WIDEST)


def _motifs(count: int, rng: np.random.Generator) -> Iterator[str]:
    """Yield random motifs, each from those that still fit, until there are ``count`` strokes."""
    while count:
        motif = seeding.one_of([motif for motif, (_, turns) in MOTIFS.items() if len(turns) <= count], rng)
        count -= len(MOTIFS[motif][1])
        yield motif


def _one_size(count: int, rng: np.random.Generator) -> Program:
    """Return a program by the published rules: one length, one arc, every turn to the left."""
    actions: list[Action] = []
    for motif in _motifs(count, rng):
        stroke, turns = MOTIFS[motif]
        size = (1.0,) if stroke is Line else (0.5, 90.0)
        actions += [stroke(*size, float(turn), seeding.one_of(TYPES, rng)) for turn in turns]
    return tuple(actions)


def _any_size(count: int, rng: np.random.Generator) -> Program:
    """Return a program in which each motif has its own size, hand (left or right) and first turn."""
    actions: list[Action] = []
    back = 0.0  # angle between the pen's heading and its motion: 180° after a stroke to the right, drawn backward
    for motif in _motifs(count, rng):
        stroke, turns = MOTIFS[motif]
        hand, size, first = seeding.one_of((1, -1), rng), rng.integers(len(LENGTHS)), seeding.one_of(TURNS, rng)
        sweep = seeding.one_of(SWEEPS, rng) if motif == "arc" else SWEEPS[0]
        for place, turn in enumerate(turns):
            offset = 180.0 if stroke is Arc and hand < 0 else 0.0
            angle = ((turn * hand if place else first) + offset - back) if actions else 0.0
            back = offset
            numbers = (LENGTHS[size],) if stroke is Line else (RADII[size], sweep * hand)
            actions.append(stroke(*numbers, _wrap(angle), seeding.one_of(TYPES, rng)))
    return tuple(actions)


def _wrap(degrees: float) -> float:
    """Return a multiple of 30° as one of -150 to 180."""
    return 180.0 - (180.0 - degrees) % 360.0


def _spread(draw: Callable[[], Programs]) -> Programs:
    """Return the first programs whose strokes' ends spread enough, the paper's test that strokes do not overlap.

    The paper's program draws each shape from the middle of the paper at a scale of 200, and stops where the pen leaves
    the paper, so later ends do not count. After 100 tries the last programs are used as they are.
    """
    for _ in range(_PUBLISHED_TRIES):
        programs = draw()
        if all(map(_is_spread, programs)):
            break
    return programs


def _is_spread(program: Program) -> bool:
    ends = trace(Placed(program))[:, :2]
    inside = np.abs(ends).max(axis=1) <= HALF
    points = ends if inside.all() else ends[: inside.argmin()]
    return bool(np.ptp(points, axis=0).max() > _SPREAD[len(program)] * Placement().scale)


def _edit(positive: Programs, shape: int, rng: np.random.Generator, edits: Mapping[str, Callable]) -> Programs:
    """Return programs with one stroke of a shape changed in one way; stroke and way are random."""
    stroke, edit = rng.integers(len(positive[shape])), seeding.one_of(list(edits), rng)
    if edit == "turn" and stroke == 0:  # the first turn only turns the whole shape
        stroke = rng.integers(1, len(positive[shape]))
    actions = list(positive[shape])
    actions[stroke] = seeding.one_of(edits[edit](actions[stroke]), rng)
    return (*positive[:shape], tuple(actions), *positive[shape + 1 :])


def _other_kind(action: Action, radii: Mapping[float, float]) -> list[Action]:
    """Return an arc with the radius for a line's length, or lines with the lengths for an arc's radius."""
    if isinstance(action, Line):
        return [Arc(radii[action.length], SWEEPS[0], action.turn, action.type)]
    return [Line(length, action.turn, action.type) for length, radius in radii.items() if radius == action.radius]


def _other_turns(action: Action, verified: bool) -> list[Action]:
    if not verified:
        return [replace(action, turn=float(turn)) for turn in TURNS if abs(turn - action.turn) > APART]
    return [replace(action, turn=_wrap(action.turn + step)) for step in (*TURNS, 180) if abs(step) > APART]


def _other_types(action: Action) -> list[Action]:
    return [replace(action, type=type_) for type_ in TYPES if type_ != action.type]


def _other_sizes(action: Action) -> list[Action]:
    if isinstance(action, Line):
        return [replace(action, length=length) for length in LENGTHS if length != action.length]
    sweeps = [math.copysign(sweep, action.sweep) for sweep in SWEEPS]
    return [
        *(replace(action, radius=radius) for radius in RADII if radius != action.radius),
        *(replace(action, sweep=sweep) for sweep in sweeps if sweep != action.sweep),
    ]


_PUBLISHED_EDITS = {
    "kind": partial(_other_kind, radii={1.0: 0.5}), "turn": partial(_other_turns, verified=False), "type": _other_types,
}  # fmt: skip
_EDITS = {
    "kind": partial(_other_kind, radii=dict(zip(LENGTHS, RADII, strict=True))),
    "turn": partial(_other_turns, verified=True), "type": _other_types, "size": _other_sizes,
}  # fmt: skip
