"""A language model in matching to sample: it reads training trials with their right answers, then one test trial.

A token such as A1 would tell class and member, so every token has an arbitrary name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.instrument import INSTRUMENT
from cogkit.equivalence.people.study import sitting
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.names import names
from cogkit.equivalence.problems.records import NEGATIVES, OPTIONS, TYPES, Design, Question, Trials
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import Prompt, closing, fingerprint, lettered

_PAIR = re.compile(r"/[A-Z]{2}$")
TIMES = 6  # training trials of each trained pair and class, two for each place of the right comparison
_START = (
    "Each trial shows a sample and three comparisons. Which of the three goes with the sample? The names mean nothing "
    "by themselves. In the first trials you are told which comparison is right; learn from them. The last trial asks "
    "the same question, perhaps also about names that were never paired before."
)

_RIGHT = "Right:"


class Matcher(PromptedLearner):
    """A language model that chooses the comparison of a test trial.

    Before each test trial it reads the same training trials of the design, see `training_trials`. Asked for words,
    it reads the three comparisons with letters, in the order of their places, which are random already. Asked for
    probabilities, it completes the line of the test trial.

    ``task`` is the condition that it is trained in, such as ``LS/select-only``; all other parameters are those of
    `lm.learner.PromptedLearner`. The seed also draws the names and the training trials.

    Attributes
    ----------
    names : tuple of str
        The name of every stimulus and dummy, by token.
    start : str
        What stands before every test trial.

    Examples
    --------
    >>> from cogkit.extras.models.lm.transcript import Transcript
    >>> matcher = Matcher(Transcript("nobody", {}, {}, {}), "LS/select-only")
    >>> matcher.choose(items("LS/select-only", 2).question()).shape, matcher.replies[0].outcome
    ((2, 3), 'failed')
    """

    inputs = "symbols"

    def __init__(self, participant: Participant, task: str | Design, **settings: Any) -> None:
        super().__init__(participant, **settings)
        design = _design(task)
        self.names = names(design, self.seed)
        trials = training_trials(design, self.seed)
        lines = [
            f"{_line(self.names[sample], [self.names[k] for k in comparisons])} {self.names[comparisons[place]]}."
            for (sample, *comparisons), place in zip(trials.tokens[:, :4].tolist(), trials.correct, strict=True)
        ]
        self.start = "\n\n".join([_START, "\n".join(lines)])

    def choose(self, question: Question) -> np.ndarray:
        """Return the chance of each comparison, (n, 3), with a row of NaN for no answer."""
        prompts = []
        for sample, comparisons in zip(question.sample, question.comparisons, strict=True):
            name, options = self.names[sample], tuple(self.names[k] for k in comparisons)
            if self.how == "text":
                own, endings = f"\n\nSample: {name}. Which comparison is right?\n{lettered(options)}\n\n{closing()}", ()
            else:
                own, endings = f"\n{_line(name, options)}", tuple(f" {option}" for option in options)
            text = self.start + own
            turns = (("user", text),)
            prompts.append(Prompt(fingerprint(text), turns, options, endings, labelled=self.how == "text", cue=_RIGHT))
        return self.chances(self.ask(prompts), OPTIONS)


def items(task: str, n: int, *, profile: str = "verified", seed: int = 0) -> Trials:
    """Return ``n`` test trials of a condition.

    The four types of trial take turns. In each type all pairs of members, classes and places of the right comparison
    occur equally often, as far as ``n`` allows; the wrong comparisons are random. Trials are the same under every
    profile.

    Examples
    --------
    >>> trials = items("LS/select-only", 8)
    >>> trials.types.tolist() == 2 * list(TYPES)
    True
    """
    design = _design(task)
    trials = records.tests(design)
    if not 1 <= n <= len(trials):
        raise InputError(f"{n} trials", f"1 to {len(trials)}")
    rng, types = seeding.stream(seed, "equivalence/asked"), design.types().ravel()
    numbers = np.arange(len(trials)).reshape(design.classes, len(types), OPTIONS, -1)
    numbers = rng.permuted(numbers, axis=3)
    chosen, turns = [], []
    for kind in TYPES:
        pairs = rng.permutation(np.flatnonzero(types == kind))
        turn = np.arange(min(n, numbers[:, pairs].size))
        at, lap = turn % len(pairs), turn // len(pairs)  # a lap has every pair once, in the next class
        cycle, lap = lap // design.classes, lap % design.classes  # a cycle has every pair of every class once
        places = (at + lap + cycle) % OPTIONS
        chosen.append(numbers[(at + lap) % design.classes, pairs[at], places, cycle // OPTIONS])
        turns.append(turn)
    order = np.argsort(np.concatenate(turns), kind="stable")[:n]
    return trials[np.concatenate(chosen)[order]]


def result_rows(answers: scoring.Answers) -> list[dict]:
    """Return result rows by type of trial, see `scoring.summarise`: so few trials say nothing about single pairs."""
    return [row for row in scoring.result_rows(answers) if not _PAIR.search(row["task"])]


def training_trials(design: Design, seed: int = 0) -> Trials:
    """Return the training trials that a model reads: each trained pair of each class `TIMES` times, block by block.

    A block has every pair and class once, in random order, and the right comparison is in the next place in the next
    block. Wrong comparisons are those that were told apart from the sample least often so far, and of these the least
    shown ones. So few trials tell as much as they can.

    Examples
    --------
    >>> len(training_trials(Design("MTO", "reject-only")))
    144
    """
    trials, rng = records.training(design), seeding.stream(seed, f"equivalence/shown/{design.condition}")
    cells, tokens = len(design.trained) * design.classes, len(design.tokens)
    numbers = np.arange(len(trials)).reshape(cells, OPTIONS, -1)
    apart, chosen = np.zeros((tokens, tokens), int), []  # how often two tokens were told apart
    for block in range(TIMES):
        for cell in rng.permutation(cells):
            rows = rng.permutation(numbers[cell, (cell + block) % OPTIONS])
            sample = trials.tokens[rows[0], 0]
            wrong = np.delete(trials.tokens[rows, 1:4], (cell + block) % OPTIONS, axis=1)
            contrasts, seen = apart[sample, wrong].sum(axis=1), apart.sum(axis=1)[wrong].sum(axis=1)
            best = np.lexsort((seen, contrasts))[0]
            apart[sample, wrong[best]] += 1
            apart[wrong[best], sample] += 1
            chosen.append(rows[best])
    return trials[np.array(chosen)]


def _design(task: str | Design) -> Design:
    if isinstance(task, Design):  # of a person's sitting
        return task
    structure, relation, negatives = (*task.split("/"), NEGATIVES[0])[:3]
    return Design(structure, relation, negatives)


def _line(sample: str, comparisons: Sequence[str]) -> str:
    return f"Sample: {sample}. Comparisons: {', '.join(comparisons)}. {_RIGHT}"


INTERVIEW = Interview(
    tasks=INSTRUMENT.tasks,
    items=items,
    learner=Matcher,
    judge=scoring.judge,
    result_rows=result_rows,
    sitting=sitting,
)
