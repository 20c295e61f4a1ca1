"""Shapes that others designed, made ready for pictures: which are different figures, and stroke types for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import TYPES, Program
from cogkit.bongard.problems import names, placing
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes.inventory import Shape, Shapes

NORMAL = ("normal",)
Dressed = tuple[Shape, Sequence[str]]  # a shape, and the types that its strokes may have


def dress(program: Program, types: Sequence[str], rng: np.random.Generator) -> Program:
    """Return a program whose strokes have types drawn at random, each as likely.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> dress((Line(1.0),), ("zigzag",), np.random.default_rng(0))
    (Line(length=1.0, turn=0.0, type='zigzag'),)
    """
    choices = rng.integers(len(types), size=len(program))
    return tuple(replace(action, type=types[k]) for action, k in zip(program, choices, strict=True))


def undress(program: Program) -> Program:
    """Return a program with every stroke normal: its geometry alone."""
    return tuple(replace(action, type="normal") for action in program)


def stroke_types(concept: Collection[str], verified: bool = True) -> tuple[str, ...]:
    """Return the types that strokes may have where an attribute is asked about: none whose stamps would show it.

    The published program stamps circles, and squares or triangles, where regular figures are asked about together with
    triangles or quadrangles; ``verified`` has no stamps wherever regular figures are asked about.

    Examples
    --------
    >>> stroke_types(["exist_triangle"]), stroke_types(["convex"]) == TYPES
    (('normal', 'zigzag', 'circle', 'square'), True)
    """
    attributes = {"exist_regular", "exist_triangle", "exist_quadrangle"} & set(concept)
    if not attributes:
        return TYPES
    stamps = {
        "exist_triangle": {"circle", "square"},
        "exist_quadrangle": {"circle", "triangle"},
        "exist_regular": set(),
    }
    if not verified and len(attributes) > 1:
        attributes -= {"exist_regular"}
    allowed = set.intersection(*(stamps[name] for name in attributes)) | {"normal", "zigzag"}
    return tuple(type_ for type_ in TYPES if type_ in allowed)


@cache
def repeats(shapes: Shapes) -> dict[int, list[int]]:
    """Return which shapes draw the same figure as an earlier one: the number of that one, and theirs."""
    signatures = np.stack([outlines.signature(shape.program, typed=False) for shape in shapes])
    copies: dict[int, list[int]] = {}
    for number, signature in enumerate(signatures):
        first = int(np.flatnonzero(np.abs(signatures - signature).max(axis=1) < outlines.SAME)[0])
        if first != number:
            copies.setdefault(first, []).append(number)
    return copies


def problem(
    kind: str,
    concept: tuple[str, ...],
    number: int,
    sides: Sequence[Sequence[Sequence[Dressed]]],
    profile: str,
    rng: np.random.Generator,
) -> Problem:
    """Return a problem of shapes: what is in each picture of either side, its strokes dressed and its shapes placed."""

    def picture(dressed: Sequence[Dressed]) -> Picture:
        programs = [dress(shape.program, types, rng) for shape, types in dressed]
        scales, labels = placing.SCALES[profile][kind], [shape.name for shape, _ in dressed]
        return placing.place(programs, rng, scales, labels, profile == "verified")

    pictures = (tuple(picture(dressed) for dressed in side) for side in sides)
    return Problem(names.name(kind, concept, number), kind, concept, *pictures, profile)
