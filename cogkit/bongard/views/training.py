"""The training panel of a network: its learning curves, and its current answers about some problems."""

from __future__ import annotations

import numpy as np

from cogkit.bongard.problems.records import KINDS, SIDES, SUPPORT, Problem
from cogkit.bongard.views import style
from cogkit.ui import live, panel
from cogkit.ui.files import script

_SIZE = 128  # pixels per side, shown at half the size: sharp on every screen


class TrainPanel(panel.AnswerPanel):
    """Train a network and watch its answers about some problems; see `ui.panel.AnswerPanel`.

    The view of the run is (k, 2): the probability that the seventh positive, and the seventh negative, is a positive.
    At most four problems are watched.
    """

    _esm = live.SCRIPT + script(__file__, "answers.js", "training.js")
    _css = live.STYLE + script(__file__, "training.css")
    noun, most, answers = "problems", 4, len(SIDES)

    def _question_view(self, question: Problem) -> dict:
        title = f"{KINDS[question.kind].capitalize()}: {style.conditions(question)}"
        return {"title": title, "pictures": [style.uri(side[SUPPORT], _SIZE) for side in question.sides]}

    def _answer_views(self, question: Problem, chances: np.ndarray) -> list[dict]:
        return [_query_view(side, chance) for side, chance in enumerate(chances.tolist())]


def _query_view(side: int, chance: float) -> dict:
    """Return the display of one query: the length of the bar, its words, and whether the answer is right."""
    if np.isnan(chance):
        return {"chance": 0, "text": "–", "told": f"{SIDES[side]} query: not asked yet"}
    right = "half" if chance == 0.5 else "right" if (chance > 0.5) == (side == 0) else "wrong"
    sign = {"right": "✓", "wrong": "✗", "half": "="}[right]
    words = f"{SIDES[side]} query: chance of a positive {chance:.2f}, {right}"
    return {"chance": round(chance, 3), "text": f"{chance:.2f} {sign}", "told": words}
