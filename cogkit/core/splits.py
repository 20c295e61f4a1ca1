"""Splits: how items of one task are parted, and what is new in the test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

RUNGS = ("iid", "orbit", "interpolation", "extrapolation", "composition", "rule")
"""What is new in a test. From *interpolation* on, a learner that only remembers and copies has no right to be good.

================== =================================================================================================
``iid``            The item alone: another board, another episode of the same kind.
``orbit``          The item alone, and a shifted, turned or mirrored copy of it was trained on.
``interpolation``  A shape, size or value between those trained on.
``extrapolation``  A shape, size or value beyond them.
``composition``    A pair of things that are known apart.
``rule``           The rule itself.
================== =================================================================================================
"""
HIGHER = RUNGS[2:]
"""The rungs on which a rule can be said to be learnt."""


@dataclass(frozen=True)
class Split:
    """A named partition of the items of one task.

    Attributes
    ----------
    name : str
        Such as ``rectangle, short side 3``.
    task : str
        The task whose items they are.
    rung : str
        What is new in the test, one of `RUNGS`.
    train : object
        All that a learner of this split may train on, in the form that the instrument trains on.
    val, test : Items
        Items by which weights are chosen, of the same kind as those in training; and items that are asked once.
    bound : float
        What the best floor of memory gets at most on the test, in skill.
    note : str
        What the split asks.
    """

    name: str
    task: str
    rung: str
    train: Any
    val: Any
    test: Any
    bound: float
    note: str = ""
