"""The sitting of Kumar et al. 2023 ("Human experiment"): one of sixteen conditions, 25 boards, no training."""

from __future__ import annotations

import numpy as np

from cogkit.contracts import Study
from cogkit.tiles import problems
from cogkit.tiles.boards import Items

PROMPT = (
    "Click tiles to reveal two-dimensional patterns on a grid and score points. A red tile scores a point and a blue "
    "tile costs one; the last red tile of a board scores ten. The next board comes when every red tile is open."
)


def assign(rng: np.random.Generator) -> str:
    """Return one of the sixteen conditions (rule × abstract or metamer), each equally likely."""
    return problems.CONDITIONS[rng.integers(len(problems.CONDITIONS))]


def items(condition: str) -> Items:
    """Return the held-out boards of a condition."""
    return problems.items(condition)


def order(rng: np.random.Generator, n: int) -> list[int]:
    """Return a random order of n boards."""
    return rng.permutation(n).tolist()


STUDY = Study(prompt=PROMPT, assign=assign, items=items, order=order)
"""Differs from the paper: its text says 24 boards, its files and programs 25; people here see all 25. There were no
attention checks and nobody was excluded, so neither is here."""
