"""A language model as a classifier: it reads some labelled rows as text, and names the group of a further row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cogkit.core import seeding
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import Prompt, closing, fingerprint, lettered
from cogkit.generalization import scoring
from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.problems.records import Problem

SHOWN = 40  # labelled rows of all classes together
GROUPS = ("red", "blue", "green", "yellow", "black", "white", "purple", "orange", "brown", "pink")
"""Names of classes, which say nothing about them."""
_START = (
    "Each line below has the numbers of one thing and the group that it belongs to. Find out how the numbers differ "
    "between groups. Then choose the group of one more thing."
)


class Classifier(PromptedLearner):
    """A language model that is shown labelled training rows, equally many of each class, and classifies other rows.

    Numbers have two decimals, columns are called x1, x2, …, and classes have the names of colours, drawn at random. A
    question is about one row. Asked for words, the model reads the groups with letters, in an order that the seed turns
    round; asked for probabilities, it completes the row.

    Parameters are those of `lm.learner.PromptedLearner`. The seed also draws the labelled rows
    and the names of classes.

    Attributes
    ----------
    groups : tuple of str
        The name of each class, once it is fitted.

    Examples
    --------
    >>> from cogkit.extras.models.lm.transcript import Transcript
    >>> rows, classes = np.array([[-1.0], [1.0]]), np.array([0, 1])
    >>> Classifier(Transcript("nobody", {}, {}, {})).fit(rows, classes).predict(rows).tolist()
    [-1, -1]
    """

    inputs, supervision = "columns", ""
    groups: tuple[str, ...] = ()

    def fit(self, X: np.ndarray, y: np.ndarray) -> Classifier:
        """Choose the rows to show, and return this learner; classes are whole numbers from 0."""
        rng, classes = seeding.stream(self.seed, "generalization/shown"), int(y.max()) + 1
        self.groups = tuple(rng.permutation(GROUPS)[:classes].tolist())
        each = [rng.permutation(np.flatnonzero(y == k))[: SHOWN // classes] for k in range(classes)]
        columns = ", ".join(f"x{k + 1}" for k in range(X.shape[1]))
        lines = [f"{_numbers(X[row])}, {self.groups[y[row]]}" for row in rng.permutation(np.concatenate(each))]
        self._start, self._columns = "\n".join([_START, "", f"{columns}, group", *lines]), columns
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class of each row, (n,) int64, or `scoring.NONE` for no answer."""
        prompts, orders, classes = [], [], len(self.groups)
        for row in map(_numbers, X):
            item = fingerprint(self._start, row)
            order = self.order(item, classes)
            options = tuple(self.groups[k] for k in order)
            if self.how == "text":
                thing = f"{self._columns}\n{row}\n\nWhich group does it belong to?\n{lettered(options)}"
                text, endings = f"{self._start}\n\nOne more thing:\n{thing}\n\n{closing()}", ()
            else:
                text, endings = f"{self._start}\n{row},", tuple(f" {option}" for option in options)
            prompts.append(Prompt(item, (("user", text),), options, endings, labelled=self.how == "text", cue="group:"))
            orders.append(order)
        scores = self.scores(self.ask(prompts, orders), classes)
        return np.where(np.isnan(scores).any(axis=1), scoring.NONE, scores.argmax(axis=1))


def judge(learner: Classifier, items: Problem, *, profile: str = "verified", seed: int = 0) -> scoring.Answers:
    """Return a model's answers to the test rows of a task, after it was shown training rows; see `scoring.judge`.

    Under ``verified`` it has four questions for each test row, which it also meets under three shifts. No column is
    shuffled, because the task does not say which are informative, and there is no L.
    """
    return scoring.judge(learner.fit(items.x, items.y), replace(items, truth=None), profile=profile, seed=seed)


def _numbers(row: np.ndarray) -> str:
    return ", ".join(f"{number:.2f}" for number in np.round(row, 2) + 0.0)  # so that no -0.00 comes out


INTERVIEW = Interview(
    tasks=INSTRUMENT.tasks,
    items=lambda task, n, **rules: INSTRUMENT.items(task, **rules)[:n],  # the first test rows; tasks have 45 to 540
    learner=lambda participant, task, **settings: Classifier(participant, **settings),
    judge=judge,
    result_rows=scoring.result_rows,
)
