"""Sheets of what a concept search saw and held: what they show at once, and what waits in the fold."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd

from cogkit.bongard.learners.lessons import STROKES, TAUGHT
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import A_SIDE, SIDES
from cogkit.bongard.views import concept_figures

HELD = [("the same figure",), ("has_curve", "necked"), ("convex",)]


def made(n: int = 3, shapes: int = 1) -> SimpleNamespace:
    """Thoughts on n problems: picture k of a problem has k + 1 lines, and every positive is thin."""
    rows = [
        dict.fromkeys(STROKES, 0.2) | dict.fromkeys(TAUGHT, 0.1)
        | {"problem": number, "side": side, "place": place, "line normal": place + 1.2, "arc square": 1.8,
           "shapes": shapes, "thin_shape": 0.9 if side == SIDES[0] else 0.2}
        for number in range(n) for side in SIDES for place in range(A_SIDE)
    ]  # fmt: skip
    concepts = pd.DataFrame({
        "problem": np.repeat(np.arange(n), 3), "concept": HELD * n, "posterior": [0.71, 0.2, 0.05] * n,
    })  # fmt: skip
    return SimpleNamespace(seen=pd.DataFrame(rows), concepts=concepts, chances=np.array([[0.83, 0.04]] * n))


def parts(sheet) -> tuple[str, str]:
    """Return what a sheet shows at once, and what is in its fold."""
    visible, _, hidden = sheet._repr_html_().partition("<details")
    return re.sub(r'src="[^"]*"', "", visible), hidden


def test_below_each_picture_stands_what_was_seen_and_all_else_waits_in_the_fold():
    problems = [sets.problems(task, 1, source="catalogue")[0] for task in ("FF", "BA", "CM")]
    for sheet, problem in zip(concept_figures.thoughts(made(), problems), problems, strict=True):
        visible, hidden = parts(sheet)
        seen = ["1 line, 2 arcs", *(f"{k} lines, 2 arcs" for k in range(2, 7))]
        assert re.findall(r"<span>([^<]*)</span>", visible)[:6] == seen
        assert "Query A: 7 lines, 2 arcs" in visible and "Query B: 7 lines, 2 arcs" in visible
        for secret in ("0.83", "0.71", "the same figure", "has curve and necked", "positive.", *problem.concept):
            assert secret not in visible, secret
        for phrase in ("0.83", "0.04", "0.71", "thin shape (6 of 6)"):
            assert phrase in hidden, phrase
        assert hidden.index("the same figure") < hidden.index("has curve and necked") < hidden.index("convex<")
    (sheet,) = concept_figures.thoughts(made(1, shapes=2), problems[1:2])
    assert "thin" not in sheet._repr_html_()  # of pictures with two shapes no attribute is told
