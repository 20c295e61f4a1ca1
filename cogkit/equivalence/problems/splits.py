"""Splits of matching trials: what was trained, and which relations between members are tested without training."""

from __future__ import annotations

from itertools import product

import numpy as np

from cogkit.core import presets
from cogkit.core.splits import Split
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import NEGATIVES, RELATIONS, STRUCTURES, Design

RUNGS = {
    "baseline": "iid", "symmetry": "orbit", "transitivity alone": "composition", "equivalence alone": "composition"
}  # fmt: skip
"""The rung of each relation: trained, its mirror image, and those that put trained pairs together."""
_PLACES = RUNGS | {"trained": "iid", "transitivity": "composition"} | {f"nodes {n}": "composition" for n in range(1, 6)}
LOW = 0.05  # what floors get at most, in skill, where negatives are standard and relations are put together


def names() -> tuple[str, ...]:
    """Return the names of all splits: of each condition the relations that it has.

    Examples
    --------
    >>> names()[:3]
    ('LS/select-reject, baseline', 'LS/select-reject, symmetry', 'LS/select-reject, transitivity alone')
    """
    return tuple(
        f"{design.condition}, {relation}"
        for design in (Design(*parts) for parts in product(STRUCTURES, RELATIONS, NEGATIVES))
        for relation in RUNGS
        if relation in _relations(design)
    )


def _relations(design: Design) -> np.ndarray:
    """Return the relation of each ordered pair of members, as `RUNGS` names it, (pairs,)."""
    table = design.pairs()
    return np.where(table.type == "transitivity", table.relation + " alone", table.type)


def split(name: str) -> Split:
    """Return a split: the trials that are trained, and every trial of a relation.

    There is no validation: an agent learns for a fixed time.

    Examples
    --------
    >>> parts = split("OTM/select-only/standard, equivalence alone")
    >>> parts.rung, len(parts.train), len(parts.test)
    ('composition', 432, 2160)
    """
    condition, _, relation = presets.choose(name, names(), "split").rpartition(", ")
    design, rung = Design(*condition.split("/")), RUNGS[relation]
    trials = records.tests(design)
    test = trials[_relations(design)[trials.pair] == relation]
    bound = LOW if design.negatives == "standard" and rung == "composition" else 1.0
    note = "Which comparison is right follows from the trained pairs alone." * (rung == "composition")
    return Split(name, f"{condition}/{relation}", rung, records.training(design), trials[:0], test, bound, note)


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task, such as ``LS/select-only/symmetry``.

    Rows about all trials of a task, or about one pair of sets, have none, and reflexivity has no rung.

    Examples
    --------
    >>> place("LS/select-only/symmetry"), place("LS/select-only")
    (('LS/select-only, symmetry', 'orbit'), ('', ''))
    """
    condition, _, relation = task.rpartition("/")
    if relation not in _PLACES or "/" not in condition:
        return "", ""
    return f"{condition}, {relation}", _PLACES[relation]
