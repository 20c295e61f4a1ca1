"""The words and numbers that Python sends to the browser to draw a board, in play and in replay."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.game import BLUE, COVERED, RED
from cogkit.ui.tables import VALUES

STATES = {COVERED: "covered", BLUE: "blue", RED: "red"}
REWARDS = {1: "plus one", -1: "minus one", -2: "minus two", 10: "plus ten"}
# What figures call each order of `tiles.orders`, and what it counts.
ORDERS = {
    "first": ("First order", "reds − blues"),
    "second": ("Second order", "84 pairs, equal − unequal"),
    "third straight": ("Third order", "70 straight triples, equal − not"),
    "third paths": ("Third order", "214 paths, equal − not"),
}
IN_WORDS = {
    "copy": "A small shape, at most three tiles wide and high, stands on the board twice.",
    "symmetry": "One half of the shape is the mirror image of the other half.",
    "rectangle": "The red tiles are the outline of a rectangle.",
    "connected": "The red tiles are a closed ring around one blue shape.",
    "tree": "The shape grows from one tile, and each tip either ends or splits into two branches.",
    "pyramid": "The red tiles are a filled triangle with one tile at its tip.",
    "cross": "Two straight bars cross each other, either upright or diagonally.",
    "zigzag": "The red tiles are stairs with equal steps.",
}
_GLYPH = {COVERED: ".", BLUE: "0", RED: "1"}


def place(tile: int) -> str:
    """Return where a tile is, in words."""
    return f"row {tile // SIZE + 1}, column {tile % SIZE + 1}"


def is_open(tile: int) -> str:
    """Return the beginning of a sentence, that a tile is open."""
    return f"{sentence(place(tile))} is open"


def outcome(colour: int, reward: int, tile: int) -> str:
    """Return the result of a click in the words of the status line.

    Examples
    --------
    >>> outcome(1, 10, 9)
    'red, plus ten: row 2, column 3.'
    """
    return f"{STATES[int(colour)]}, {REWARDS[int(reward)]}: {place(tile)}."


def called(who: str) -> str:
    """Return what readers know a player as.

    Examples
    --------
    >>> called("nearest-neighbour")
    'Nearest neighbour'
    """
    return sentence(VALUES["who"].get(who, who))


def points(n: int) -> str:
    """Return a number of points in words."""
    return f"{n} point{'' if abs(n) == 1 else 's'}".replace("-", "−")


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def shown_word(tiles: np.ndarray) -> str:
    """Return 49 characters, one a tile: ``.`` covered, ``0`` blue, ``1`` red."""
    return "".join(_GLYPH[int(tile)] for tile in tiles)


def per_mille(chance: np.ndarray) -> list[int]:
    """Return probabilities as whole thousandths, a quarter of the bytes of floats."""
    return np.rint(chance * 1000).astype(int).tolist()


def expectation(beside, index: int) -> dict[str, float]:
    """Return the known scores of other players on one board: keys heuristic, heuristic_sd, ideal.

    ``beside`` is a table with one row per board, or ``beside(index)`` gives a mapping, in blue tiles; missing or NaN is
    left out.
    """
    if beside is None:
        return {}
    row = beside.iloc[index].to_dict() if isinstance(beside, pd.DataFrame) else beside(index)
    blue = {key: row.get(key) for key in ("heuristic", "heuristic_sd", "ideal")}
    return {key: float(value) for key, value in blue.items() if value is not None and math.isfinite(value)}


def comparison(title: str, who: tuple[str, str, str], blue: float, expected: Mapping) -> dict:
    """Return the table and strip beside a board.

    ``who`` is the player's mark, name, and number as it is printed; ``expected`` is as `expectation` gives it.
    """
    kind, label, text = who
    rows = [{"kind": kind, "label": label, "value": blue, "text": text}]
    if "heuristic" in expected:
        mean, sd = expected["heuristic"], expected.get("heuristic_sd")
        text = f"{mean:.1f}" + ("" if sd is None else f" ± {sd:.1f}")
        row = {"kind": "floor", "line": True, "label": "Nearest neighbour", "value": mean, "sd": sd}
        rows.append(row | {"text": text})
    if "ideal" in expected:
        row = {"kind": "observer", "line": True, "label": "Ideal observer", "value": expected["ideal"]}
        rows.append(row | {"text": f"{expected['ideal']:.1f}"})
    spread = ", and ± is one standard deviation" if any(row.get("sd") is not None for row in rows) else ""
    note = f"Fewer is better. The lines are means of many games{spread}." if len(rows) > 1 else "Fewer is better."
    return {"title": title, "rows": rows, "note": note}
