"""The study of tiles as a web page: the board of the notebooks, and the game in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cogkit.core.errors import InputError
from cogkit.core.study import Presentation, Study
from cogkit.extras.online.web_study import WebStudy
from cogkit.tiles.people import climb
from cogkit.tiles.people.study import STUDY
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import Items, decode, encode
from cogkit.tiles.views import board
from cogkit.ui.files import script

BOARDS = 25

SCRIPT = ("base.js", "asker.js", "grid.js", "board.js", "web.js")


def study() -> WebStudy:
    """Return the study as `WebStudy` describes it.

    A board holds its colours on the page, because the page must show each tile as soon as it is opened.

    Examples
    --------
    >>> len(study().conditions)
    16
    """
    return WebStudy(
        "Tiles", records.CONDITIONS, of, script(__file__, *SCRIPT, beside=board.__file__),
        script(board.__file__, "base.css", "board.css"), _item, packed=packed, unpacked=unpacked,
        named=climb.CONDITIONS,
    )  # fmt: skip


def of(condition: str, n: int | None = None) -> Study:
    """Return the study of one condition with the first ``n`` boards of a random order; all 25 by default.

    A family of boards, such as ``rectangle/short-side-3``, is the study on two steps of a ladder, and always whole.

    Examples
    --------
    >>> len(of("copy/abstract", 3).order(0, 25)), len(of("cross/diagonal").order(0, 30))
    (3, 30)
    """
    if condition in climb.CONDITIONS:
        if n is not None:
            raise InputError(f"{n} boards of {condition}", "no number: a ladder has two steps of 15 boards")
        return replace(climb.LADDER, assign=lambda seed: condition)
    if n is not None and not 1 <= n <= BOARDS:
        raise InputError(f"{n} boards", f"1 to {BOARDS}")
    every = STUDY.order
    assert every is not None
    return replace(STUDY, assign=lambda seed: condition, order=lambda seed, count: every(seed, count)[:n])


def packed(boards: Items) -> dict[str, Any]:
    """Return boards as values that JSON holds."""
    return {
        "boards": [encode(board) for board in boards.boards], "starts": boards.starts.tolist(), "task": boards.task,
        "source": boards.source,
    }  # fmt: skip


def unpacked(values: Mapping[str, Any]) -> Items:
    """Return the boards that `packed` wrote.

    Examples
    --------
    >>> boards = records.items("copy/abstract")
    >>> unpacked(packed(boards)).hash == boards.hash
    True
    """
    return Items(
        np.array([*map(decode, values["boards"])]), values["starts"], str(values["task"]), str(values["source"])
    )


def _item(presentation: Presentation) -> dict:
    tiles, start = presentation.item
    # The code goes into each row: whoever reads the answers sees whether they are about the boards that are here.
    return {"board": "".join(str(int(tile)) for tile in tiles.ravel()), "start": int(start), "code": encode(tiles)}
