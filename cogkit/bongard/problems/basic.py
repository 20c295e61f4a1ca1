"""Basic problems: one shape or two are the concept, and a negative has a relative of one in its place (Nie et al.)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from cogkit.bongard.logo.programs import TYPES
from cogkit.bongard.problems import placing, stroke_styles
from cogkit.bongard.problems.records import A_SIDE, Problem
from cogkit.bongard.shapes.inventory import Shape, Shapes, known
from cogkit.core import presets, seeding
from cogkit.core.contracts import InputError

USED = 4000  # concepts of the published set, which are the first of 5,000 that its program lists
_PUBLISHED_SEED = 123
Concept = tuple[str, ...]
Relatives = tuple[Shape, tuple[Shape, ...]]  # a shape, and all that may stand in its place


def concepts(shapes: Shapes, profile: str = "verified", seed: int = 0) -> tuple[Concept, ...]:
    """Return the names of the shape or the two of each concept: every single shape, then random pairs, 4,000 at most.

    No pair is listed twice, in either order. ``as_published`` draws as the paper's program did, so that the published
    shapes give the very pairs of the published set, whatever the seed. ``verified`` leaves out a shape that draws the
    same figure as an earlier one, and shapes whose super class has fewer than seven others to draw negatives from.

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

    Parameters
    ----------
    index : int
        0 or more: problem ``index`` is of concept ``index % k``, where k is the number of `concepts`.
    profile : str
        ``as_published``: each negative puts any other shape of the same super class in the place of one, whatever the
        other negatives do; strokes have random types wherever the shape that the place is for can bear them, and all
        are normal elsewhere; shapes may lie over one another. ``verified``: all seven negatives are different figures;
        a place has random types only where everything that comes to stand in it can bear them, so that types tell
        nothing about the side; every centre line is on the paper, and two shapes do not touch.
    seed : int
    shapes : Shapes, optional
        By default the published ones, or our own where they cannot be had.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> made = problem(0, shapes=catalogue())
    >>> made.kind, len(made.positives), len(made.negatives)
    ('bd', 7, 7)

    Notes
    -----
    Differs from the paper: it does not say that negatives come from the same super class, nor that half of the shapes
    are only ever drawn in normal strokes; its program does both. Each problem has a seed of its own, not each worker.
    """
    if index < 0:
        raise InputError(f"problem {index}", "0 or more")
    all_concepts, relatives = _plan(known() if shapes is None else shapes, presets.profile(profile), seed)
    number, place = divmod(index, len(all_concepts))
    concept = all_concepts[place]

    def make(rng: np.random.Generator) -> Problem:
        sides = _sides([relatives[target] for target in concept], rng, profile == "verified")
        return stroke_styles.problem("bd", concept, number, sides, profile, rng)

    return placing.until_clean(make, seed, f"bongard/{profile}/bd/{index}")


@cache
def _plan(shapes: Shapes, profile: str, seed: int) -> tuple[tuple[Concept, ...], dict[str, Relatives]]:
    """Return the concepts in order, and for the name of a shape that shape and its relatives."""
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
    if not relatives:
        wanted = f"a super class of {least + 1} or more, so that there are negatives"
        raise InputError(f"{len(shapes)} {shapes.source} shapes", wanted)
    names = list(relatives)
    first, second = np.triu_indices(len(names), 1)
    published_rng = np.random.RandomState(_PUBLISHED_SEED) if profile == "as_published" else None
    rng = published_rng or seeding.stream(seed, "bongard/verified/bd/concepts")
    pairs = rng.permutation(len(first))[: max(0, USED - len(names))]
    all_concepts = [(name,) for name in names] + [(names[first[pair]], names[second[pair]]) for pair in pairs]
    return tuple(all_concepts[:USED]), relatives


def _slots(places: int, rng: np.random.Generator) -> np.ndarray:
    """Return which place each negative changes: with two, three times either and once one of them."""
    return np.zeros(A_SIDE, int) if places == 1 else rng.permutation([0] * 3 + [1] * 3 + [int(rng.integers(2))])


def _sides(targets: Sequence[Relatives], rng: np.random.Generator, verified: bool) -> tuple[list, list]:
    """Return what is in each picture of either side: the targets, or these with one of them replaced."""
    slots = _slots(len(targets), rng)
    swaps, cells = [], []
    for place, (target, relatives) in enumerate(targets):
        types, others = _replacements(target, relatives, int((slots == place).sum()), rng, verified)
        cells.append((target, types))
        swaps.append(iter(others))
    negatives = [[next(swaps[slot]) if place == slot else cell for place, cell in enumerate(cells)] for slot in slots]
    return [cells] * A_SIDE, negatives


def _replacements(target: Shape, relatives: Sequence[Shape], count: int, rng: np.random.Generator, verified: bool):
    """Return the stroke types of a target, and so many shapes to stand in its place with theirs."""
    types = TYPES if target.stampable else stroke_styles.NORMAL
    if not verified:
        shapes = [relatives[k] for k in rng.integers(len(relatives), size=count)]
        return types, [(other, types if other.stampable else stroke_styles.NORMAL) for other in shapes]
    if target.stampable:
        stampable = [other for other in relatives if other.stampable]
        relatives, types = (stampable, TYPES) if len(stampable) >= count else (relatives, stroke_styles.NORMAL)
    return types, [(relatives[k], types) for k in rng.permutation(len(relatives))[:count]]
