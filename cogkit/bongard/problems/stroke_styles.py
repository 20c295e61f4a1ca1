"""Designed shapes in pictures: which of them draw the same figure, and which stroke types they get."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.distance import cdist

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.programs import TYPES, Program
from cogkit.bongard.shapes.inventory import Shape, Shapes

NORMAL = ("normal",)
Dressed = tuple[Shape, Sequence[str]]  # a shape, and the types that its strokes may have


def dress(program: Program, types: Sequence[str], rng: np.random.Generator) -> Program:
    """Return a program with random stroke types, each equally likely.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> dress((Line(1.0),), ("zigzag",), np.random.default_rng(0))
    (Line(length=1.0, turn=0.0, type='zigzag'),)
    """
    choices = rng.integers(len(types), size=len(program))
    return tuple(replace(action, type=types[k]) for action, k in zip(program, choices, strict=True))


def undress(program: Program) -> Program:
    """Return a program with every stroke normal, which leaves only its geometry."""
    return tuple(replace(action, type="normal") for action in program)


def stroke_types(concept: Collection[str], verified: bool = True) -> tuple[str, ...]:
    """Return the types that strokes may have under a concept, without stamps that would show an attribute of it.

    ``verified`` allows no stamps if the concept has ``exist_regular``. The published program still stamps circles, and
    squares or triangles, if the concept also has triangles or quadrangles.

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
    """Return the shapes that draw the figure of an earlier shape: their numbers, by the number of that shape."""
    signatures = np.stack([outlines.signature(shape.program, typed=False) for shape in shapes])
    firsts = (cdist(signatures, signatures, "chebyshev") < outlines.SAME).argmax(axis=1)
    copies: dict[int, list[int]] = {}
    for number, first in enumerate(firsts.tolist()):
        if first != number:
            copies.setdefault(first, []).append(number)
    return copies


def dressed(
    sides: Iterable[Iterable[Sequence[Dressed]]], rng: np.random.Generator
) -> Iterator[Iterator[tuple[list[Program], list[str]]]]:
    """Yield the pictures of each side, as `placing.problem` takes them, with random stroke types.

    Each picture is dressed when it is taken, so that its places are drawn next.
    """
    for side in sides:
        yield (
            ([dress(shape.program, types, rng) for shape, types in shapes], [shape.name for shape, _ in shapes])
            for shapes in side
        )
