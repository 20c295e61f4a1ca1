"""A person and learners name the same pictures: after each answer, the widget shows what the learners call them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cogkit.core.study import Study
from cogkit.mewl import scoring
from cogkit.mewl.learners.ablation import chances
from cogkit.mewl.people import study
from cogkit.mewl.problems.episodes import PANELS
from cogkit.mewl.views.learn import Learn
from cogkit.mewl.views.names import called
from cogkit.stats import wilson
from cogkit.study.trials import Trials

_SIGNS = {"you": "★", "model": "◆"}  # before the names of the others stands a stroke, as in figures


class Beside(Learn):
    """Name a few pictures, and see after each answer what learners call them.

    The items are episodes of the test part, in which no network was trained. There is no tutorial. The answers are
    stored apart from sittings of the paper's study, and results of people leave them out. ``learners`` need no
    pictures; they answer the same episodes. ``tests`` is how many episodes a round has; ``trials``, ``seed`` and
    ``profile`` are as for `Learn`.

    Examples
    --------
    >>> from cogkit.mewl.learners.floors import reference
    >>> beside = Beside("number", [reference("ideal-learner")], seed=0)
    >>> beside.answer(beside.correct), beside.scene["others"]["heads"]
    (True, [['observer', '', 'ideal observer']])
    """

    def __init__(
        self, task: str, learners: Sequence[scoring.Learner], trials: Trials | None = None, seed: int | None = None,
        profile: str = "verified", tests: int = 5,
    ) -> None:  # fmt: skip
        self._learners, self._answers = tuple(learners), ()
        super().__init__(task, seed, trials, profile=profile, tests=tests)

    def _study(self, task: str | None, **options) -> Study:
        return study.beside_of(task, **options)

    def scores(self) -> pd.DataFrame:
        """Return the share right of all your answers beside learners in this task, as a row of `ablation.growth`.

        The table is empty before the first answer.
        """
        rows = self.sitting.trials.frame(who=self.sitting.who, source=study.BESIDE)
        right = rows.correct[rows.task == self.sitting.plan.task].dropna()
        n, common = len(right), {"who": "you", "kind": "you", "inputs": "pixels", "task": self.sitting.plan.task}
        low, high = wilson(right.sum(), n) if n else (0, 0)
        value = {"panels": PANELS, "value": float(right.mean()), "low": float(low), "high": float(high), "n": n}
        return pd.DataFrame([common | value]).head(int(n > 0))

    def _end(self) -> str:
        return "Run this cell again for new episodes."

    def _results(self) -> dict:
        """Return what the learners hold of an item with feedback, or at the end, how many each had right."""
        if not self._answers:
            episodes = [item.episode for item in self.sitting.items]
            self._answers = tuple(scoring.judge(learner, episodes) for learner in self._learners)
        heads = [[each.kind, _SIGNS.get(each.kind, ""), called(each.who)] for each in self._answers]
        if self.over:
            n = len(self.sitting.order)
            counts = [sum(self.sitting.right), *(each.score.sum() for each in self._answers)]
            cells = [[f"{count:.1f}".removesuffix(".0"), count / n] for count in counts]
            others = {"title": f"Right of {n}", "heads": [["you", _SIGNS["you"], "you"], *heads], "rows": [["", cells]]}
        elif presentation := self.sitting.feedback:
            place = [item.name for item in self.sitting.items].index(presentation.item.name)
            shares = [chances(each)[place].tolist() for each in self._answers]
            rows = [
                [option, [[f"{share[k]:.2f}", share[k]] for share in shares]]
                for k, option in enumerate(presentation.item.trial.options)
            ]
            others = {"title": "Chance of each name for", "heads": heads, "rows": rows}
        else:
            others = None
        return {"table": None, "others": others}
