"""Whether a problem is valid: do its sides fit the concept, by geometry or table, and does it keep its promises?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from typing import Any

import numpy as np

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.pictures import HALF, Picture
from cogkit.bongard.logo.programs import TYPES, Program, write_program
from cogkit.bongard.problems import abstract, freeform, placing, stroke_styles
from cogkit.bongard.problems.records import A_SIDE, KINDS, SIDES, Problem, parts
from cogkit.bongard.shapes import attributes
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shape, Shapes
from cogkit.core import presets
from cogkit.core.errors import InputError

CONCEPT, OTHER_STROKES = "the concept", "has another number of strokes"
_DUST = 1e-6


def check(problem: Problem, shapes: Shapes | None = None, placed: bool = True, profile: str | None = None) -> list[str]:
    """Return the faults of a problem, one sentence each; an empty list if it keeps the promises of its profile.

    Programs may be rounded to three decimals, as in the published strings. ``shapes`` are those that the problem is
    made of; a free-form problem needs none. ``placed`` is False for copies without placements: the places of shapes are
    not checked then. ``profile`` gives the promises; by default the problem's own. ``as_published`` promises a concept
    that the positives have and the negatives lack. ``verified`` promises all that `freeform`, `basic` and `abstract`
    say of it.

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
        assert shapes is not None
        faults += (_basic if problem.kind == "bd" else _abstract)(problem, shapes, verified)
    if verified and placed:
        faults += _places(problem)
    return faults


def _form(problem: Problem) -> Iterator[str]:
    if problem.kind not in KINDS:
        yield f"{problem.kind!r} is no kind of problem"
        return
    try:
        kind, concept, _ = parts(problem.name)
    except InputError as error:
        yield str(error)
        return
    if (kind, concept) != (problem.kind, problem.concept):
        yield f"it is named after {kind} {'-'.join(concept)}, but is {problem.kind} {'-'.join(problem.concept)}"
    for side, pictures in zip(SIDES, problem.sides, strict=True):
        if len(pictures) != A_SIDE:
            yield f"it has {len(pictures)} {side}s, not {A_SIDE}"
        for number, picture in enumerate(pictures, start=1):
            if len(picture) not in (1, 2):
                yield f"{side} {number} has {len(picture)} shapes, not one or two"


def _pictures(problem: Problem) -> Iterator[tuple[str, Picture]]:
    """Yield every picture with its title, such as ``positive 3``."""
    for side, pictures in zip(SIDES, problem.sides, strict=True):
        for number, picture in enumerate(pictures, start=1):
            yield f"{side} {number}", picture


def _side(by_title: Mapping[str, Any], side: str) -> dict[str, Any]:
    return {title: value for title, value in by_title.items() if title.startswith(side)}


def _places(problem: Problem) -> Iterator[str]:
    for title, picture in _pictures(problem):
        for number, shape in enumerate(picture, start=1):
            if np.abs(outlines.centre_line(shape)).max() > HALF + 1e-6:
                yield f"{title}: shape {number} leaves the paper"
        if len(picture) == 2 and (gap := placing.gap(*picture)) < placing.GAP - 1e-6:
            yield f"{title}: its shapes are {gap:.1f} units apart, not {placing.GAP:g} or more"


# --- free-form ---


def _freeform(problem: Problem, verified: bool) -> Iterator[str]:
    if problem.concept not in freeform.CONCEPTS:
        yield f"{problem.concept[0]} is no number of strokes that there is"
        return
    counts = freeform.COUNTS[freeform.CONCEPTS.index(problem.concept)]
    strings = {title: [write_program(placed.program) for placed in picture] for title, picture in _pictures(problem)}
    concept = strings["positive 1"]
    if sorted(map(len, concept)) != sorted(counts):
        yield f"the concept has {' and '.join(str(len(program)) for program in concept)} strokes"
    others = [title for title, programs in _side(strings, SIDES[0]).items() if programs != concept]
    yield from (f"{title} is not the program that positive 1 is" for title in others)
    changes = {title: _edit(programs, concept) for title, programs in _side(strings, SIDES[1]).items()}
    yield from (f"{title} {fault}" for title, fault in changes.items() if fault)
    if verified and OTHER_STROKES not in changes.values():
        yield from _legible(problem)


def _edit(programs: list[list[str]], concept: list[list[str]]) -> str:
    """Return the fault of a negative, which must change one stroke in one way; "" if it has none."""
    if programs == concept:
        return "is the concept"
    if [len(program) for program in programs] != [len(program) for program in concept]:
        return OTHER_STROKES
    pairs = [pair for new, old in zip(programs, concept, strict=True) for pair in zip(new, old, strict=True)]
    change, *others = [pair for pair in pairs if pair[0] != pair[1]]
    if others:
        return f"differs from the concept in {1 + len(others)} strokes, not in one"
    new, old = (re.split("[_-]", text) for text in change)  # kind, type, size, perhaps sweep, turn
    if new[0] != old[0]:  # only an arc has a radius, and only a line a length
        new, old = ([word for k, word in enumerate(words) if k in (0, 1, len(words) - 1)] for words in (new, old))
    ways = sum(word != another for word, another in zip(new, old, strict=True))
    return "" if ways == 1 else f"differs from the concept in {ways} ways, not in one"


def _legible(problem: Problem) -> Iterator[str]:
    pictures = {CONCEPT: problem.positives[0]}
    pictures |= {f"negative {number}": picture for number, picture in enumerate(problem.negatives, start=1)}
    # Turns in whole degrees, since three decimals give 29.88 for 30.
    programs = {
        title: [
            tuple(replace(action, turn=float(round(action.turn))) for action in placed.program) for placed in picture
        ]
        for title, picture in pictures.items()
    }
    for title, shapes in programs.items():
        if (share := max(map(outlines.covered, shapes))) > freeform.COVERED:
            yield f"{title}: {share:.0%} of a stroke lies under the ink of others"
        if any(map(outlines.seams, shapes)):
            yield f"{title}: a stroke goes on as another of its type"
    yield from _repeated(programs)


def _repeated(programs: Mapping[str, Sequence[Program]], typed: bool = True) -> Iterator[str]:
    """Yield pictures that draw the same figure as an earlier one, except copies of the concept (another fault)."""
    titles = [title for title, shapes in programs.items() if title == CONCEPT or shapes != programs.get(CONCEPT)]
    signatures = [outlines.picture_signature(programs[title], typed) for title in titles]
    for number in range(1, len(signatures)):
        distances = outlines.differ(signatures[number], np.stack(signatures[:number]))
        if distances.min() < outlines.SAME - _DUST:
            yield f"{titles[number]} draws the same figure as {titles[distances.argmin()]}"


def _identified(problem: Problem, shapes: Shapes) -> dict[str, list[Shape]]:
    """Return the shapes of every picture; an unknown shape becomes a new one with labels from geometry."""
    by_title, by_strings = {}, _by_strings(shapes)
    for title, picture in _pictures(problem):
        programs = [stroke_styles.undress(placed.program) for placed in picture]
        matches = [by_strings.get(tuple(write_program(program))) for program in programs]
        by_title[title] = [
            shape or Shape("", "", program, True, attributes.certain(program))
            for shape, program in zip(matches, programs, strict=True)
        ]
    return by_title


def _programs(by_title: Mapping[str, Sequence[Shape]]) -> dict[str, list[Program]]:
    return {title: [shape.program for shape in shapes] for title, shapes in by_title.items()}


@cache
def _by_strings(shapes: Shapes) -> dict[tuple[str, ...], Shape]:
    return {tuple(write_program(shape.program)): shape for shape in shapes}


def _dress(problem: Problem, by_title: dict[str, list[Shape]], allowed: Sequence[str]) -> Iterator[str]:
    """Yield pictures with strokes of a type that they must not have."""
    for title, picture in _pictures(problem):
        for shape, placed in zip(by_title[title], picture, strict=True):
            types = {action.type for action in placed.program}
            if others := types - set(allowed):
                yield f"{title} has strokes of type {min(others)}, which shows what is asked about"
            elif types != {"normal"} and not shape.stampable:
                yield f"{title}: {shape.name} can be read in normal strokes only"


def _dressed(problem: Problem, place: int) -> bool:
    """Return whether any shape at this place of the pictures has a stroke that is not normal."""
    return any(action.type != "normal" for _, picture in _pictures(problem) for action in picture[place].program)


# --- basic ---


def _basic(problem: Problem, shapes: Shapes, verified: bool) -> Iterator[str]:
    if unknown := [name for name in problem.concept if name not in shapes.by_name]:
        yield f"{unknown[0]} is none of the {len(shapes)} {shapes.source} shapes"
        return
    targets, by_title = [shapes[name] for name in problem.concept], _identified(problem, shapes)
    counts: Counter[int] = Counter()
    for title, group in by_title.items():
        changes = [place for place, (shape, target) in enumerate(zip_longest(group, targets)) if shape is not target]
        if title.startswith(SIDES[0]):
            fault = " is not the concept" if changes else ""
        elif len(group) != len(targets):
            fault = " has another number of shapes"
        elif len(changes) != 1:
            fault = " differs from the concept in both shapes, not in one" if changes else " is the concept"
        else:
            counts.update(changes)
            shape, super_class = group[changes[0]], targets[changes[0]].super_class
            fault = f": {shape.name or 'its shape'} is not of the super class {super_class}"
            fault *= shape.super_class != super_class
        if fault:
            yield f"{title}{fault}"
    if len(targets) == 2 and max(counts.values(), default=0) > 4:
        yield f"{max(counts.values())} negatives change the same one of two shapes"
    yield from _dress(problem, by_title, TYPES)
    if verified and all(len(group) == len(targets) for group in by_title.values()):
        yield from _repeated(_programs({CONCEPT: targets} | _side(by_title, SIDES[1])), typed=False)
        for place in range(len(targets)):
            if _dressed(problem, place) and not all(group[place].stampable for group in by_title.values()):
                yield f"stroke types tell the side: some shapes in place of {targets[place].name} cannot have them"


# --- abstract ---


def _abstract(problem: Problem, shapes: Shapes, verified: bool) -> Iterator[str]:
    if unknown := [name for name in problem.concept if name not in ATTRIBUTES]:
        yield f"{unknown[0]} is no attribute"
        return
    by_title, tally = _identified(problem, shapes), Counter[tuple[str, ...]]()
    if pairs := [title for title, group in by_title.items() if len(group) > 1]:
        yield f"{pairs[0]} has two shapes, where an abstract problem has one"
        return
    disputes = abstract.disputes(shapes) if verified else {}
    for title, (shape,) in by_title.items():
        labels = {name: shape.attributes[name] for name in problem.concept}
        if doubts := [name for name, label in labels.items() if label < 0 or name in disputes.get(shape.name, ())]:
            yield f"{title}: nobody knows whether {shape.name or 'its shape'} has {doubts[0]}"
            continue
        if verified and (errors := abstract.contradictions(shape, problem.concept)):
            yield f"{title}: table and geometry disagree about {errors[0]} of {shape.name}"
        absent = tuple(name for name, label in labels.items() if not label)
        if title.startswith(SIDES[0]):
            if absent:
                yield f"{title}: {shape.name or 'its shape'} lacks {absent[0]}"
        elif len(absent) != 1:
            yield f"{title}: {shape.name or 'its shape'} {'lacks both attributes' if absent else 'has the concept'}"
        else:
            tally[absent] += 1
    if len(problem.concept) == 2 and max(tally.values(), default=0) > 4:
        yield f"{max(tally.values())} negatives lack the same one of two attributes"
    yield from _dress(problem, by_title, stroke_styles.stroke_types(problem.concept, verified))
    if verified:
        sides = [_side(by_title, side) for side in SIDES]
        for side in sides:
            yield from _repeated(_programs(side), typed=False)
        counts = [sum(shape.stampable for (shape,) in side.values()) for side in sides]
        if _dressed(problem, 0) and counts[0] != counts[1]:
            yield f"stroke types tell the side: {counts[0]} positives and {counts[1]} negatives can have them"
