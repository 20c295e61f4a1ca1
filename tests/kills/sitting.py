"""The widgets that are killed, as a notebook makes them, and a reader who knows the answers."""

from __future__ import annotations

from functools import partial

import numpy as np

from cogkit.bongard.views import Solve
from cogkit.equivalence.views import MatchingToSample
from cogkit.mewl.views import Learn
from cogkit.study.trials import Trials
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import TileBoard


def _board(seed: int, trials: Trials) -> TileBoard:
    boards = np.random.default_rng(seed).integers(0, 2, (3, 7, 7), dtype=np.uint8)
    boards[:, 0, :2] = 1
    return TileBoard(Items(list(boards), [0, 0, 0], "demo/abstract", f"test {seed}"), trials=trials)


WIDGETS = {
    "tiles": _board,
    "bongard": partial(Solve, 2),
    "mewl": partial(Learn, "number", tests=6, attention=1),
    "matching": MatchingToSample,
}


def begin(name: str, seed: int):
    """Return a widget of the reader's own sitting, begun or gone on with."""
    return WIDGETS[name](seed=seed, trials=Trials())


def reply(name: str, widget) -> dict | None:
    """Return the message of a page to what it shows; None at the end."""
    scene = widget.scene
    if widget.over:
        return None
    if name == "tiles":
        return {"next": True} if scene["next"]["ready"] else {"click": scene["shown"].rindex("."), "rt_s": 0.5}
    if name == "matching":
        return ({"next": True} if scene["told"] else {"answer": widget.correct, "rt_s": 0.5}) | {
            "trial": scene["trial"]
        }
    by_phase = {
        "instructions": {"read": True, "rt_s": 2.0},
        "tutorial": {"next": True, "rt_s": 2.0},
        "feedback": {"next": True},
    }
    if scene["phase"] in by_phase:
        message = by_phase[scene["phase"]]
    elif name == "bongard":
        message = {"side": len(scene["step"]) % 2, "rt_s": 0.5} if scene["chosen"] < 0 else {"level": 2}
    else:
        message = {"option": widget.correct, "rt_s": 0.5}
    return message | {"step": scene["step"]}
