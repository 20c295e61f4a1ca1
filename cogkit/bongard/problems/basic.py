"""Basic problems: one shape or two are the concept; a negative puts a relative in place of one (Nie et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from cogkit.bongard.logo.programs import TYPES
from cogkit.bongard.problems import placing, stroke_styles
from cogkit.bongard.problems.placing import Concept
from cogkit.bongard.problems.records import A_SIDE, Problem
from cogkit.bongard.shapes.inventory import Shape, Shapes, available
from cogkit.core import presets, seeding

USED = 4000  # concepts of the published set: the first of the 5,000 that its program lists
_PUBLISHED_SEED = 123
Relatives = tuple[Shape, tuple[Shape, ...]]  # a shape, and all shapes that may replace it


def concepts(shapes: Shapes, profile: str = "verified", seed: int = 0) -> tuple[Concept, ...]:
    """Return the names of the one or two shapes of each concept: first single shapes, then random pairs, at most 4,000.

    No pair is listed twice, in either order. ``as_published`` draws like the paper's program and ignores the seed, so
    the published shapes give exactly the pairs of the published set. ``verified`` leaves out a shape that draws the
    same figure as an earlier one, and a shape with fewer than seven others in its super class to draw negatives from.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> found = concepts(catalogue(), "as_published")
    >>> len(found[0]), len(found[-1]), len(found) == len(set(found))
    (1, 2, True)
    """
    return _plan(shapes, presets.profile(profile), seed)[0]


def problem(index: int, profile: str = "verified", seed: int = 0, shapes: Shapes | None = None) -> Problem:
    """Return one basic problem.

    Problem ``index`` has concept ``index % k``, where k is the number of `concepts`. The default shapes are the
    published ones, or our own if those are not available.

    ``as_published``: each negative replaces one shape by any other of the same super class, regardless of the other
    negatives. Strokes have random types if the concept's shape in that place is stampable, and are normal otherwise.
    Shapes may overlap.

    ``verified``: all seven negatives are different figures. A place has random types only if every shape that appears
    in it is stampable, so types reveal nothing about the side. Every centre line is on the paper, and two shapes do not
    touch.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> made = problem(0, shapes=catalogue())
    >>> made.kind, len(made.positives), len(made.negatives)
    ('bd', 7, 7)

    Notes
    -----
    Differs from the paper: the paper does not say that negatives come from the same super class, or that half of the
    shapes are drawn in normal strokes only; its program does both.
    """
    all_concepts, relatives = _plan(available() if shapes is None else shapes, presets.profile(profile), seed)

    def sides(concept: Concept, rng: np.random.Generator):
        pictures = _sides([relatives[target] for target in concept], rng, profile == "verified")
        return stroke_styles.dressed(pictures, rng)

    return placing.problem("bd", index, all_concepts, profile, seed, sides)


@cache
def _plan(shapes: Shapes, profile: str, seed: int) -> tuple[tuple[Concept, ...], dict[str, Relatives]]:
    """Return the concepts in order, and by name each shape with its relatives."""
    copies = (
        {row for rows in stroke_styles.repeats(shapes).values() for row in rows} if profile == "verified" else set()
    )
    pool = [shape for number, shape in enumerate(shapes) if number not in copies]
    families: dict[str, list[Shape]] = {}
    for shape in pool:
        families.setdefault(shape.super_class, []).append(shape)
    least = A_SIDE if profile == "verified" else 1
    relatives = {
        shape.name: (shape, tuple(other for other in families[shape.super_class] if other is not shape))
        for shape in pool
        if len(families[shape.super_class]) > least
    }
    names = list(relatives)
    first, second = np.triu_indices(len(names), 1)
    published = profile == "as_published"
    rng = np.random.RandomState(_PUBLISHED_SEED) if published else seeding.stream(seed, "bongard/verified/bd/concepts")
    pairs = rng.permutation(len(first))[: max(0, USED - len(names))]
    all_concepts = [(name,) for name in names] + [(names[first[pair]], names[second[pair]]) for pair in pairs]
    return tuple(all_concepts[:USED]), relatives


def _sides(targets: Sequence[Relatives], rng: np.random.Generator, verified: bool) -> tuple[list, list]:
    """Return the shapes of each picture on both sides: positives have the targets, negatives replace one of them."""
    slots = np.zeros(A_SIDE, int)  # the place that each negative changes; of two places, each at least three times
    if len(targets) == 2:
        slots = rng.permutation([0] * 3 + [1] * 3 + [int(rng.integers(2))])
    swaps, cells = [], []
    for place, (target, relatives) in enumerate(targets):
        types, others = _replacements(target, relatives, int((slots == place).sum()), rng, verified)
        cells.append((target, types))
        swaps.append(iter(others))
    negatives = [[next(swaps[slot]) if place == slot else cell for place, cell in enumerate(cells)] for slot in slots]
    return [cells] * A_SIDE, negatives


def _replacements(target: Shape, relatives: Sequence[Shape], count: int, rng: np.random.Generator, verified: bool):
    """Return the stroke types of a target, and ``count`` shapes to replace it, each with its stroke types."""
    types = TYPES if target.stampable else stroke_styles.NORMAL
    if not verified:
        shapes = [relatives[k] for k in rng.integers(len(relatives), size=count)]
        return types, [(other, types if other.stampable else stroke_styles.NORMAL) for other in shapes]
    if target.stampable:
        stampable = [other for other in relatives if other.stampable]
        relatives, types = (stampable, TYPES) if len(stampable) >= count else (relatives, stroke_styles.NORMAL)
    return types, [(relatives[k], types) for k in rng.permutation(len(relatives))[:count]]
