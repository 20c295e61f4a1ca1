"""The panel in which a network learns words: its curves, and its current answers to some episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cogkit.mewl.problems.episodes import OPTIONS, Episode
from cogkit.mewl.views import pictures
from cogkit.mewl.views.names import called
from cogkit.ui import live, panel
from cogkit.ui.files import script

if TYPE_CHECKING:
    from cogkit.learning import Fit

_WIDTH = 144  # pixels, shown at half the size: sharp on every screen


class TrainPanel(panel.AnswerPanel):
    """Train a network while you watch its answers to at most three episodes; see `ui.panel.AnswerPanel`.

    The view of the run is (k, 5): the probability of each option in the watched episodes.
    """

    _esm = live.SCRIPT + script(__file__, "answers.js", "training.js")
    _css = live.STYLE + script(__file__, "training.css")
    noun, most, answers = "episodes", 3, OPTIONS

    def __init__(
        self, fit: Fit | Callable[[], Fit], watched: Sequence[Episode] = (), floors: Mapping[str, float] | None = None,
        observers: Mapping[str, float] | None = None, **options,
    ) -> None:  # fmt: skip
        levels = {called(who): share for who, share in (observers or {}).items()}
        super().__init__(fit, watched, floors, levels, **options)

    def _question_view(self, question: Episode) -> dict:
        picture = pictures.uri(pictures.sharp(question.trial.query, width=_WIDTH))
        return {"picture": picture, "options": question.trial.options, "answer": question.answer}

    def _answer_views(self, question: Episode, chances: np.ndarray) -> list[dict]:
        if np.isnan(chances).any():
            return [{"chance": 0, "text": "–", "most": False, "told": f"{name}: not asked yet"}
                    for name in question.trial.options]  # fmt: skip
        items, highest = [], float(chances.max())
        for place, (name, chance) in enumerate(zip(question.trial.options, chances.tolist(), strict=True)):
            is_highest, suffix = chance == highest, ", the right name" * (place == question.answer)
            text = f"{name}{suffix}: chance {chance:.2f}{', its choice' * is_highest}"
            items.append({"chance": round(chance, 3), "text": f"{chance:.2f}", "most": is_highest, "told": text})
        return items
