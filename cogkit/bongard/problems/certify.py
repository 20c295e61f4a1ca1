"""Whether a problem is what it says: its sides against the concept, by geometry or table, and what else it promises."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest

import numpy as np

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import HALF, Picture
from cogkit.bongard.logo.programs import TYPES, Program, write_program
from cogkit.bongard.problems import abstract, freeform, names, placing, stroke_styles
from cogkit.bongard.problems.records import A_SIDE, KINDS, SIDES, Problem
from cogkit.bongard.shapes import attributes
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shape, Shapes
from cogkit.core import presets
from cogkit.core.contracts import InputError

CONCEPT, OTHER_STROKES = "the concept", "has another number of strokes"
_DUST = 1e-6


def check(problem: Problem, shapes: Shapes | None = None, placed: bool = True, profile: str | None = None) -> list[str]:
    """Return what is wrong with a problem, a sentence each; nothing, if it is as its profile promises.

    Programs may be rounded to three decimals, as they are published.

    Parameters
    ----------
    problem : Problem
    shapes : Shapes, optional
        Those that it is made of; a free-form problem needs none.
    placed : bool
        Whether to look at what depends on where shapes lie; for copies that do not say where.
    profile : str, optional
        Whose promises; those of the problem's own when left out. ``as_published`` promises a concept that the
        positives have and the negatives lack, ``verified`` all that `freeform`, `basic` and `abstract` say of it.

    Examples
    --------
    >>> from dataclasses import replace
    >>> made = freeform.problem(0)
    >>> check(made)
    []
    >>> check(replace(made, negatives=made.positives[:1] + made.negatives[1:]))
    ['negative 1 is the concept']
    """
    verified = presets.profile(problem.profile if profile is None else profile) == "verified"
    faults = list(_form(problem))
    if faults:
        return faults
    if problem.kind == "ff":
        faults += _freeform(problem, verified)
    else:
        if shapes is None:
            raise InputError(f"no shapes for {problem.name}", "the shapes that it is made of", "pass shapes.known()")
        faults += (_basic if problem.kind == "bd" else _abstract)(problem, shapes, verified)
    if verified and placed:
        faults += _places(problem)
    return faults


def _form(problem: Problem) -> Iterator[str]:
    if problem.kind not in KINDS:
        yield f"{problem.kind!r} is no kind of problem"
        return
    try:
        kind, concept, _ = names.parts(problem.name)
    except InputError as error:
        yield str(error)
        return
    if (kind, concept) != (problem.kind, problem.concept):
        yield f"it is named after {kind} {'-'.join(concept)}, but is {problem.kind} {'-'.join(problem.concept)}"
    for side, found in zip(SIDES, problem.sides, strict=True):
        if len(found) != A_SIDE:
            yield f"it has {len(found)} {side}s, not {A_SIDE}"
        for number, picture in enumerate(found, start=1):
            if len(picture) not in (1, 2):
                yield f"{side} {number} has {len(picture)} shapes, not one or two"


def _pictures(problem: Problem) -> Iterator[tuple[str, Picture]]:
    """Yield every picture with what it is called."""
    for side, found in zip(SIDES, problem.sides, strict=True):
        for number, picture in enumerate(found, start=1):
            yield f"{side} {number}", picture


def _places(problem: Problem) -> Iterator[str]:
    for called, picture in _pictures(problem):
        for number, shape in enumerate(picture, start=1):
            if np.abs(np.concatenate(path(shape))).max() > HALF + 1e-6:
                yield f"{called}: shape {number} leaves the paper"
        if len(picture) == 2 and (gap := placing.gap(*picture)) < placing.GAP - 1e-6:
            yield f"{called}: its shapes are {gap:.1f} units apart, not {placing.GAP:g} or more"


# --- free-form ---


def _freeform(problem: Problem, verified: bool) -> Iterator[str]:
    if problem.concept not in freeform.CONCEPTS:
        yield f"{problem.concept[0]} is no number of strokes that there is"
        return
    counts = freeform.COUNTS[freeform.CONCEPTS.index(problem.concept)]
    written = {called: [write_program(placed.program) for placed in picture] for called, picture in _pictures(problem)}
    concept = written["positive 1"]
    if sorted(map(len, concept)) != sorted(counts):
        yield f"the concept has {' and '.join(str(len(program)) for program in concept)} strokes"
    elsewhere = [called for called in written if called.startswith(SIDES[0]) and written[called] != concept]
    yield from (f"{called} is not the program that positive 1 is" for called in elsewhere)
    changes = {called: _edit(programs, concept) for called, programs in written.items() if called.startswith(SIDES[1])}
    yield from (f"{called} {fault}" for called, fault in changes.items() if fault)
    if verified and OTHER_STROKES not in changes.values():
        yield from _legible(problem)


def _edit(programs: list[list[str]], concept: list[list[str]]) -> str:
    """Return what is wrong with a negative, as a change of one stroke in one way; "" if nothing is."""
    if programs == concept:
        return "is the concept"
    if [len(program) for program in programs] != [len(program) for program in concept]:
        return OTHER_STROKES
    pairs = [pair for own, other in zip(programs, concept, strict=True) for pair in zip(own, other, strict=True)]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    if len(changed) > 1:
        return f"differs from the concept in {len(changed)} strokes, not in one"
    own, other = (re.split("[_-]", text) for text in changed[0])  # kind, type, size, perhaps sweep, turn
    if own[0] != other[0]:  # a line has no radius, nor has an arc a length
        own, other = ([word for k, word in enumerate(words) if k in (0, 1, len(words) - 1)] for words in (own, other))
    ways = sum(word != another for word, another in zip(own, other, strict=True))
    return "" if ways == 1 else f"differs from the concept in {ways} ways, not in one"


def _legible(problem: Problem) -> Iterator[str]:
    shown = {CONCEPT: problem.positives[0]}
    shown |= {f"negative {number}": picture for number, picture in enumerate(problem.negatives, start=1)}
    programs = {called: tuple(_whole(placed.program) for placed in picture) for called, picture in shown.items()}
    for called, drawn in programs.items():
        if (share := max(map(outlines.covered, drawn))) > freeform.COVERED:
            yield f"{called}: {share:.0%} of a stroke lies under the ink of others"
        if any(map(outlines.seams, drawn)):
            yield f"{called}: a stroke goes on as another of its type"
    yield from _repeated(programs)


def _whole(program: Program) -> Program:
    """Return a free-form program with whole degrees again: three decimals say 29.88 for 30."""
    return tuple(replace(action, turn=float(round(action.turn))) for action in program)


def _repeated(programs: Mapping[str, Sequence[Program]], typed: bool = True) -> Iterator[str]:
    """Yield which pictures draw the same figure as an earlier one; to be the concept itself is another fault."""
    called = [name for name, own in programs.items() if name == CONCEPT or own != programs.get(CONCEPT)]
    drawn = [outlines.picture_signature(programs[name], typed) for name in called]
    for number in range(1, len(drawn)):
        apart = outlines.differ(drawn[number], np.stack(drawn[:number]))
        if apart.min() < outlines.SAME - _DUST:
            yield f"{called[number]} draws the same figure as {called[apart.argmin()]}"


def _identified(problem: Problem, shapes: Shapes) -> dict[str, list[Shape]]:
    """Return the shapes of every picture; one that is not among them is a shape of its own, with labels by geometry."""
    found, by_strings = {}, _by_strings(shapes)
    for called, picture in _pictures(problem):
        plain = [stroke_styles.undress(placed.program) for placed in picture]
        known = [by_strings.get(tuple(write_program(program))) for program in plain]
        found[called] = [
            shape or Shape("", "", program, True, attributes.certain(program))
            for shape, program in zip(known, plain, strict=True)
        ]
    return found


def _programs(found: Mapping[str, Sequence[Shape]]) -> dict[str, list[Program]]:
    return {called: [shape.program for shape in drawn] for called, drawn in found.items()}


@cache
def _by_strings(shapes: Shapes) -> dict[tuple[str, ...], Shape]:
    return {tuple(write_program(shape.program)): shape for shape in shapes}


def _dress(problem: Problem, found: dict[str, list[Shape]], allowed: Sequence[str]) -> Iterator[str]:
    """Yield which pictures have strokes of a type that they must not have."""
    for called, picture in _pictures(problem):
        for shape, placed in zip(found[called], picture, strict=True):
            types = {action.type for action in placed.program}
            if strange := types - set(allowed):
                yield f"{called} has strokes of type {min(strange)}, which shows what is asked about"
            elif types != {"normal"} and not shape.stampable:
                yield f"{called}: {shape.name} can be read in normal strokes only"


def _dressed(problem: Problem, place: int) -> bool:
    """Return whether any stroke of the shapes at a place of the pictures is other than normal."""
    return any(action.type != "normal" for _, picture in _pictures(problem) for action in picture[place].program)


# --- basic ---


def _basic(problem: Problem, shapes: Shapes, verified: bool) -> Iterator[str]:
    if strange := [name for name in problem.concept if name not in shapes.by_name]:
        yield f"{strange[0]} is none of the {len(shapes)} {shapes.source} shapes"
        return
    targets, found = [shapes[name] for name in problem.concept], _identified(problem, shapes)
    replaced: Counter[int] = Counter()
    for called, drawn in found.items():
        changed = [place for place, (own, target) in enumerate(zip_longest(drawn, targets)) if own is not target]
        if called.startswith(SIDES[0]):
            if changed:
                yield f"{called} is not the concept"
        elif len(drawn) != len(targets):
            yield f"{called} has another number of shapes"
        elif not changed:
            yield f"{called} is the concept"
        elif len(changed) > 1:
            yield f"{called} differs from the concept in both shapes, not in one"
        else:
            own, target = drawn[changed[0]], targets[changed[0]]
            replaced.update(changed)
            if own.super_class != target.super_class:
                yield f"{called}: {own.name or 'its shape'} is not of the super class {target.super_class}"
    if len(targets) == 2 and max(replaced.values(), default=0) > 4:
        yield f"{max(replaced.values())} negatives change the same one of two shapes"
    yield from _dress(problem, found, TYPES)
    if verified and all(len(drawn) == len(targets) for drawn in found.values()):
        negatives = {called: drawn for called, drawn in found.items() if called.startswith(SIDES[1])}
        yield from _repeated(_programs({CONCEPT: targets} | negatives), typed=False)
        for place in range(len(targets)):
            if _dressed(problem, place) and not all(drawn[place].stampable for drawn in found.values()):
                yield f"stroke types tell the side: some shapes in place of {targets[place].name} cannot have them"


# --- abstract ---


def _abstract(problem: Problem, shapes: Shapes, verified: bool) -> Iterator[str]:
    if strange := [name for name in problem.concept if name not in ATTRIBUTES]:
        yield f"{strange[0]} is no attribute"
        return
    found, lacking = _identified(problem, shapes), Counter[tuple[str, ...]]()
    if several := [called for called, drawn in found.items() if len(drawn) > 1]:
        yield f"{several[0]} has two shapes, where an abstract problem has one"
        return
    disputed = abstract.disputed(shapes) if verified else {}
    for called, (shape,) in found.items():
        labels = {name: shape.attributes[name] for name in problem.concept}
        if unsure := [name for name, label in labels.items() if label < 0 or name in disputed.get(shape.name, ())]:
            yield f"{called}: nobody knows whether {shape.name or 'its shape'} has {unsure[0]}"
            continue
        if verified and (wrong := abstract.contradicted(shape, problem.concept)):
            yield f"{called}: table and geometry disagree about {wrong[0]} of {shape.name}"
        lacks = tuple(name for name, label in labels.items() if not label)
        if called.startswith(SIDES[0]):
            if lacks:
                yield f"{called}: {shape.name or 'its shape'} lacks {lacks[0]}"
        elif len(lacks) != 1:
            yield f"{called}: {shape.name or 'its shape'} {'lacks both attributes' if lacks else 'has the concept'}"
        else:
            lacking[lacks] += 1
    if len(problem.concept) == 2 and max(lacking.values(), default=0) > 4:
        yield f"{max(lacking.values())} negatives lack the same one of two attributes"
    yield from _dress(problem, found, stroke_styles.stroke_types(problem.concept, verified))
    if verified:
        sides = [{called: drawn for called, drawn in found.items() if called.startswith(side)} for side in SIDES]
        for side in sides:
            yield from _repeated(_programs(side), typed=False)
        counts = [sum(shape.stampable for (shape,) in side.values()) for side in sides]
        if _dressed(problem, 0) and counts[0] != counts[1]:
            yield f"stroke types tell the side: {counts[0]} positives and {counts[1]} negatives can have them"
