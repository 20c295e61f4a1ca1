"""Common parts of the figures: kinds and marks of the sides, words for numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from cogkit.generalization.suites import SIDES
from cogkit.ui import theme

KINDS = {name: kind for kind, name in SIDES.items()}
THIN = theme.stroke("floor")
STROKE = {"color": theme.INK, "line": {"width": 2}}
GLYPHS = {"floor": "|", "proxy": "○", "model": "◆", "person": "●", "observer": "|"}  # in the order of their rows
CONSTANTS = {
    "alpha": ("α", "sample cost"), "beta": ("β", "scale cost"), "gamma": ("γ", "abstraction cost"),
    "tau": ("τ", "alignment for all"), "c0": ("c₀", "baseline cost"),
}  # fmt: skip
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def sign(kind: str) -> str:
    """Return the mark of a kind of player as a coloured character, for notes and labels."""
    return theme.coloured(theme.WHO[kind].colour, GLYPHS[kind])


def key(kinds: Iterable[str]) -> str:
    """Return the marks of several kinds of players and their names, for a note."""
    return "&nbsp; ".join(f"{sign(kind)} {SIDES.get(kind, theme.WHO[kind].label)}" for kind in kinds)


KEY = key(SIDES)


def sided(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the kind of each side, proxies before machines."""
    order = pd.Categorical(table.side, list(KINDS))
    return table.assign(side=order, kind=table.side.map(KINDS)).sort_values("side", kind="stable")


def spread(n: int, width: float) -> np.ndarray:
    """Return n fixed offsets that are spread over a width around 0."""
    golden = (np.sqrt(5) - 1) / 2  # of all steps, its multiples stay farthest apart
    return ((0.5 + golden * np.arange(n)) % 1 - 0.5) * width


def p_in_words(p: float) -> str:
    """Return a p value in words.

    Examples
    --------
    >>> p_in_words(0.0123), p_in_words(2.09e-8)
    ('p = .012', 'p = 2.1·10⁻⁸')
    """
    if not p > 0:
        return "p = 0" if p == 0 else "no p"
    if p >= 0.001:
        return f"p = {p:.3f}".replace("= 0", "= ")
    digits, power = f"{p:.1e}".split("e")
    return f"p = {digits}·10{str(int(power)).translate(_RAISED)}"
