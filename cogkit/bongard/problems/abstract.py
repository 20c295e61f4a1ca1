"""Abstract problems: one attribute or two are the concept, and the shapes vary (Nie et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np

from cogkit.bongard.problems import placing, stroke_styles
from cogkit.bongard.problems.placing import Concept
from cogkit.bongard.problems.records import A_SIDE, Problem
from cogkit.bongard.shapes import attributes
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shape, Shapes, available
from cogkit.core import presets, seeding

HELD_OUT = 0.4  # share of the super classes that the new shapes are of
LEAST = 10  # shapes that a concept needs in each of its pools
_DRAWS = 300  # draws of both sides until equally many shapes of each can have any stroke type, and labels are certain

Pools = tuple[tuple[Shape, ...], ...]  # shapes with all attributes, then those without the first, without the second


def concepts(shapes: Shapes, profile: str = "verified") -> tuple[Concept, ...]:
    """Return the attributes of each concept: first single attributes, then pairs, if there are enough shapes.

    A single attribute needs 10 shapes with it and 10 without. A pair needs 10 shapes with both, 10 with the first alone
    and 10 with the second alone. The published shapes give 26 single attributes and 194 pairs.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> ("has_curve",) in concepts(catalogue())
    True
    """
    return tuple(_pools(shapes, presets.profile(profile)))


def problem(index: int, profile: str = "verified", seed: int = 0, shapes: Shapes | None = None) -> Problem:
    """Return one abstract problem.

    Problem ``index`` has concept ``index % k``, where k is the number of `concepts`. The default shapes are the
    published ones, or our own if those are not available.

    ``as_published``: each stampable shape has random stroke types, without the stamps that would show the attribute.

    ``verified``: both sides have equally many stampable shapes, or else all strokes are normal, so types reveal nothing
    about the side. The shapes of a side are all different figures. Labels that geometry contradicts (`contradictions`),
    or that another shape of the same figure lacks (`disputes`), are not used. Every centre line is on the paper.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> made = problem(0, shapes=catalogue())
    >>> made.kind, len({picture[0].name for picture in made.positives})
    ('hd', 7)

    Notes
    -----
    Differs from the paper: the paper names 25 attributes, its program uses 26 (``symmetric_transposed`` follows from
    two).
    """
    pools, verified = _pools(available() if shapes is None else shapes, presets.profile(profile)), profile == "verified"

    def sides(concept: Concept, rng: np.random.Generator):
        types = stroke_styles.stroke_types(concept, verified)
        pool = pools[concept]
        pictures = _balanced(pool, types, rng, concept) if verified else _with_types(_draw(pool, rng), types)
        return stroke_styles.dressed(pictures, rng)

    return placing.problem("hd", index, list(pools), profile, seed, sides)


@cache
def old_and_new(shapes: Shapes) -> dict[str, Shapes]:
    """Return ``old`` shapes and ``new`` ones, of super classes that are held out whatever the seed of the problems.

    No new shape draws the figure of an old one: only the first shape of each figure is there. Labels that geometry
    contradicts (`contradictions`), or that another shape of the same figure lacks (`disputes`), are -1.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> {age: len(part.super_classes) for age, part in old_and_new(catalogue()).items()}
    {'old': 15, 'new': 10}
    """
    names, copies = list(shapes.super_classes), stroke_styles.repeats(shapes).values()
    places = seeding.stream(0, "bongard/new shapes").choice(len(names), round(HELD_OUT * len(names)), replace=False)
    held_out, parts = {names[place] for place in places}, {"old": [], "new": []}
    for row, (shape, labels) in enumerate(zip(shapes, _labels(shapes).tolist(), strict=True)):
        if any(row in rows for rows in copies):
            continue
        certain = dict(zip(ATTRIBUTES, labels, strict=True)) | dict.fromkeys(contradictions(shape, ATTRIBUTES), -1)
        parts["new" if shape.super_class in held_out else "old"].append(replace(shape, attributes=certain))
    return {age: Shapes(shapes.source, tuple(part)) for age, part in parts.items()}


@cache
def _pools(shapes: Shapes, profile: str) -> dict[Concept, Pools]:
    """Return the pools of shapes for the pictures of each concept."""
    table = _labels(shapes) if profile == "verified" else shapes.table
    pools = {}
    for columns in (*((k,) for k in range(len(ATTRIBUTES))), *combinations(range(len(ATTRIBUTES)), 2)):
        labels = table[:, columns]
        patterns = [[1, 1], [0, 1], [1, 0]] if len(columns) == 2 else [[1], [0]]
        rows = [np.flatnonzero((labels == pattern).all(axis=1)) for pattern in patterns]
        if min(map(len, rows)) >= LEAST:
            concept = tuple(ATTRIBUTES[k] for k in columns)
            pools[concept] = tuple(tuple(shapes.all[k] for k in pool) for pool in rows)
    return pools


def disputes(shapes: Shapes) -> dict[str, tuple[str, ...]]:
    """Return attributes with different labels in shapes that draw the same figure, by the name of each such shape.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> disputes(catalogue())
    {}
    """
    attributes_of = {}
    for first, rows in stroke_styles.repeats(shapes).items():
        labels = shapes.table[[first, *rows]]
        names = tuple(ATTRIBUTES[k] for k in np.flatnonzero((labels != labels[0]).any(axis=0)))
        attributes_of |= {shapes.all[row].name: names for row in (first, *rows)}
    return attributes_of


def _labels(shapes: Shapes) -> np.ndarray:
    """Return the labels of figures: the first shape of a figure keeps the labels that all its shapes share."""
    table, numbers = shapes.table.copy(), {shape.name: k for k, shape in enumerate(shapes)}
    for name, doubts in disputes(shapes).items():
        table[numbers[name], [ATTRIBUTES.index(attribute) for attribute in doubts]] = -1
    for rows in stroke_styles.repeats(shapes).values():
        table[rows] = -1
    return table


def _draw(pools: Pools, rng: np.random.Generator) -> tuple[list[Shape], list[Shape]]:
    """Return the shapes of both sides; of a pair, three negatives lack one attribute and four the other."""
    positives = _sample(pools[0], A_SIDE, rng)
    if len(pools) == 2:
        return positives, _sample(pools[1], A_SIDE, rng)
    counts = rng.permutation([3, 4])
    negatives = [shape for pool, count in zip(pools[1:], counts, strict=True) for shape in _sample(pool, count, rng)]
    return positives, [negatives[k] for k in rng.permutation(A_SIDE)]


def _sample(pool: Sequence[Shape], count: int, rng: np.random.Generator) -> list[Shape]:
    return [pool[k] for k in rng.choice(len(pool), count, replace=False)]


def _balanced(pools: Pools, types: Sequence[str], rng: np.random.Generator, concept: Concept):
    """Return sides with certain labels, and equally many stampable shapes on each, or else all strokes normal."""
    for allowed in (types, stroke_styles.NORMAL):
        for _ in range(_DRAWS):
            sides = _draw(pools, rng)
            counts = [sum(shape.stampable for shape in side) for side in sides]
            if allowed != stroke_styles.NORMAL and counts[0] != counts[1]:
                continue
            if not any(contradictions(shape, concept) for side in sides for shape in side):
                return _with_types(sides, allowed)
    raise RuntimeError(f"no shapes for {' and '.join(concept)} whose labels geometry bears out, in {_DRAWS} draws")


def contradictions(shape: Shape, concept: Iterable[str]) -> list[str]:
    """Return the attributes for which reliable geometry disagrees with the table of the shapes.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> any(contradictions(shape, ["has_curve"]) for shape in catalogue())
    False
    """
    names = [name for name in concept if name in attributes.CERTIFIED]
    return [name for name in names if attributes.compute(shape.program)[name] != shape.attributes[name]]


def _with_types(sides: Iterable[Sequence[Shape]], types: Sequence[str]):
    return [[[(shape, types if shape.stampable else stroke_styles.NORMAL)] for shape in side] for side in sides]
