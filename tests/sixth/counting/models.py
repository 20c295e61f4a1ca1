"""A language model at this instrument."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cogkit.core import seeding
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import Prompt, closing, fingerprint, lettered
from cogkit.study import answers as shared
from counting.instrument import OPTIONS


class Counted(PromptedLearner):
    """A language model that says which number comes next; the right one is the first option."""

    inputs = "symbols"

    def next(self, starts: list[int], options: int) -> np.ndarray:
        """Return a score for each option of each start, (n, options)."""
        prompts, orders = [], []
        for start in starts:
            named = [str(start + 3 + k) for k in range(options)]
            item = fingerprint(*named)
            orders.append(order := self.order(item, options))
            text = f"{start}, {start + 1}, {start + 2}, and then?\n{lettered([named[k] for k in order])}\n{closing()}"
            prompts.append(Prompt(item, (("user", text),), tuple(named[k] for k in order), labelled=True))
        return self.scores(self.ask(prompts, orders), options)


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """Scores of the options, (n, options); the first is right."""

    instrument = "counting"
    scores: np.ndarray

    def _trials(self) -> Iterator[dict]:
        for k, row in enumerate(self.scores):
            yield {"item": str(k), "response": None, "correct": int(row[0] == 1), "extra": self.reply_record(k)}


def judge(learner: Counted, items: list[int], *, profile: str = "verified", seed: int = 0) -> Answers:
    """Return the answers of a language model."""
    scores = learner.next(items, OPTIONS["fours"])
    description = shared.described(learner, "symbols")
    return Answers(**description, task="fours", seed=seed, scores=scores, replies=shared.replies(learner, len(items)))


def result_rows(answers: Answers) -> list[dict]:
    """Return the accuracy, and the outcomes."""
    right = answers.scores[:, 0] == 1
    return [answers.row("accuracy", right.mean(), len(right)), *answers.unanswered()]


INTERVIEW = Interview(
    tasks=lambda: ("fours",),
    items=lambda task, n, *, profile, seed: seeding.stream(seed, "counting").integers(900, size=n).tolist(),
    learner=lambda participant, task, *, how, pictures, seed: Counted(participant, how, seed),
    judge=judge,
    result_rows=result_rows,
)
