"""A sitting on two steps of a ladder: boards of a rule without a family, and then boards of the family. Ours.

A person gets to know a rule on fifteen boards, as an agent does on thousands. The fifteen boards after them are of a
kind that was not among the first, so whoever plays them as well has more than the boards in mind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cogkit.core.seeding import stream
from cogkit.core.study import Presentation, Study
from cogkit.study.sitting import ITEMS
from cogkit.tiles.people.study import LADDER as SOURCE
from cogkit.tiles.people.study import STUDY, clicked
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules.boards import Items, to_bits

STEP = 15
"""The number of boards on each step."""
CONDITIONS = ("rectangle/short-side-3", "symmetry/long-side-5", "cross/diagonal")
"""The families, each equally likely: those on which networks were trained first."""


def items(condition: str, seed: int = 0) -> Items:
    """Return fifteen boards of a split's training pool, and then fifteen of its test, with start tiles of their own.

    Examples
    --------
    >>> boards = items("rectangle/short-side-3")
    >>> len(boards), splits.held("rectangle", np.array(boards.contents, np.uint64)).tolist() == 15 * [0] + 15 * [1]
    (30, True)
    """
    parts, name = splits.of_task(condition), f"ladder/{condition}"
    boards = np.concatenate([parts.train.sample(STEP, 0, name), parts.test.boards[:: len(parts.test) // STEP][:STEP]])
    return Items(boards, records.draw_starts(boards, 0, name), condition, "generated")


def row(presentation: Presentation, tile: int) -> dict:
    """Return the fields to store for a click, as `study.clicked`; the task says on which step the board is."""
    condition, (board, _) = presentation.condition, presentation.item
    rule = condition.partition("/")[0]
    task = condition if splits.held(rule, to_bits(board[None]))[0] else f"{rule}/abstract"
    return clicked(presentation, tile) | {"task": task}


def order(seed: int, n: int) -> list[int]:
    """Return the order of presentation: each step shuffled, the family last."""
    rng = stream(seed, "tiles/ladder/order")
    return [*rng.permutation(STEP).tolist(), *(STEP + rng.permutation(n - STEP)).tolist()]


def of_row(first: Mapping[str, Any]) -> Study | None:
    """Return the study if a stored first row is of it."""
    return LADDER if first["source"] in (SOURCE, STUDY.source) and first["response"] in CONDITIONS else None


LADDER = replace(
    STUDY, assign=lambda seed: CONDITIONS[stream(seed, "tiles/ladder").integers(len(CONDITIONS))], items=items, row=row,
    order=order, source=SOURCE, phases={ITEMS: "ladder"}, of=of_row,
)  # fmt: skip
"""Thirty boards of one rule. Its results stand apart from those of the paper's sitting."""
