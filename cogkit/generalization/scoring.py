"""From a classifier to scores, in the same way for proxies, machines, floors and the observer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, clone

from cogkit import stats
from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.generalization.metric import calibrated, relevance
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric.calibrated import Evidence
from cogkit.generalization.problems.records import Problem
from cogkit.stats.bootstrap import ENDS
from cogkit.study import answers as shared

SHIFTS = {"moved": 0.5, "noisy": 0.5, "stretched": 1.5}  # see `shifted`
REPEATS = 3  # shuffles of a column for its importance
DRAWS = 100  # of a random shift, over which the score of a reader's table is averaged
NONE = -1  # in place of a class: no answer


class Learner(BaseLearner, Protocol):
    """A trained classifier, as in scikit-learn; its inputs are columns."""

    def predict(self, X: np.ndarray, /) -> Any:
        """Return a class for each row, (n,); a language model gives `NONE` for no answer."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """The answers of one classifier on the test rows of one task.

    Attributes
    ----------
    under_shift : (len(SHIFTS), n) int64 or None
        Predictions with every column shifted, see `shifted`; None under ``as_published``.
    shuffled : (n, d) float64 or None
        How often each row is right when one column is shuffled among the test rows. It is also None if the informative
        columns are unknown.
    replies : (k, n) array of objects, optional
        Of a language model: first the replies behind ``predicted``, then those under each shift, then any others.
    """

    instrument = "generalization"
    predicted: np.ndarray
    under_shift: np.ndarray | None = None
    shuffled: np.ndarray | None = None

    @property
    def missing(self) -> np.ndarray:
        """Which test rows have no answer, (n,) bool; only a language model leaves any out."""
        return (self.predicted == NONE) & (self.replies is not None)

    @property
    def right(self) -> np.ndarray:
        """Whether each answer is right, (n,) bool."""
        return self.predicted == self.items.y_test

    @property
    def importance(self) -> np.ndarray | None:
        """Loss of accuracy when each column is shuffled among the test rows, (d,)."""
        return None if self.shuffled is None else self.right.mean() - self.shuffled.mean(axis=0)

    @property
    def evidence(self) -> Evidence:
        """The data for the calibrated components; the chance level is that of a constant answer.

        If all test rows have one class, it is that of a constant answer to the training rows.
        """
        truth, shuffled = self.items.y_test, self.shuffled
        shifts = {} if self.under_shift is None else dict(zip(SHIFTS, self.under_shift == truth, strict=True))
        losses = None if shuffled is None else self.right[:, None] - shuffled
        counted = truth if (truth != truth[0]).any() else self.items.y
        chance = float(np.bincount(counted).max() / len(counted))
        return Evidence(self.right, chance, shifts, losses, None if shuffled is None else self.items.truth)

    def _trials(self) -> Iterator[dict]:
        """Yield one row per test row."""
        rows = zip(self.predicted.tolist(), self.items.y_test.tolist(), self.missing.tolist(), strict=True)
        for k, (answer, truth, missing) in enumerate(rows):
            yield {
                "item": self.items.name(k), "response": None if missing else answer,
                "correct": int(answer == truth),
                "extra": {"phase": "judge", "answer": truth} | self.reply_record(0, k),
            }  # fmt: skip


def judge(
    learner: Learner, items: Problem, *, profile: str | None = None, seed: int | None = None, name: str = "",
    kind: str = "",
) -> Answers:  # fmt: skip
    """Return the answers of a trained classifier, which only sees the test rows.

    Parameters
    ----------
    profile : {"verified", "as_published"}, optional
        ``verified``, the default, also tests it under shift and with shuffled columns, for the calibrated components.
        ``as_published`` only uses the test rows, for GR*.
    seed : int, optional
        Seed of shifts and shuffles, the same for every classifier; by default that of the task.
    name, kind : str, optional
        Name and kind in rows, in place of the name of its class and ``model``.

    Examples
    --------
    >>> from cogkit.generalization.learners import floors
    >>> from cogkit.generalization.problems import records
    >>> made = records.problem("Linear 0", 0)
    >>> judge(floors.floor("majority class", made), made).predicted.shape
    (300,)
    """
    facts = shared.described(learner, "columns")
    facts |= {key: value for key, value in (("who", name), ("kind", kind)) if value}
    facts["supervision"] = getattr(learner, "supervision", supervision(facts["kind"]))
    n, under_shift, shuffled = len(items.y_test), None, None
    predicted, replies = ask(learner, items.x_test), [shared.replies(learner, n)]
    rules = shared.rules_of(items, profile, seed)
    if rules["profile"] == "verified":
        rng = seeding.stream(rules["seed"], f"generalization/{items.task}/asked")
        tests = np.stack([shifted(items.x_test, shift, rng) for shift in SHIFTS])
        under_shift = ask(learner, tests.reshape(-1, items.s)).reshape(len(SHIFTS), n)
        replies.append(shared.replies(learner, under_shift.size))
        if items.truth is not None:
            shuffled = shuffled_columns(learner, items.x_test, items.y_test, rng)
            replies.append(shared.replies(learner, REPEATS * shuffled.size))
    all_replies = shared.joined(replies)
    return Answers(
        **facts, **rules, task=items.task, items=items, predicted=predicted,
        under_shift=under_shift, shuffled=shuffled, replies=None if all_replies is None else all_replies.reshape(-1, n),
    )  # fmt: skip


def supervision(kind: str) -> str:
    """Return what a classifier of a kind was taught from: estimators are fitted to the classes of training rows.

    Examples
    --------
    >>> supervision("proxy"), supervision("floor")
    ('answers', '')
    """
    return "answers" if kind in ("model", "proxy") else ""


def summarise(answers: Answers, *, resamples: int = 1000) -> pd.DataFrame:
    """Return result rows of one classifier on one task: its accuracy, and the scores of its profile.

    Parameters
    ----------
    resamples : int
        Resamples of the test rows, for the intervals.

    Returns
    -------
    DataFrame
        ``verified``: A_c, P, S and L if they exist, and ``GRc, P · S · L``, or the product of those that exist.
        ``as_published``: D_align and D̃ of the task, and GR* with the paper's constants.

    Examples
    --------
    >>> from cogkit.generalization.learners import floors
    >>> from cogkit.generalization.problems import records
    >>> made = records.problem("Moons 0", 0)
    >>> answers = judge(floors.floor("one column", made), made, profile="as_published")
    >>> summarise(answers).metric.tolist()
    ['accuracy', 'D_align', 'D̃', 'GR*']
    """
    return answers.table(result_rows(answers, resamples=resamples))


def result_rows(answers: Answers, *, resamples: int = 1000) -> list[dict]:
    """Return the rows of `summarise` as dicts, without the columns that a runner fills in."""
    right, problem, n = answers.right, answers.items, len(answers.predicted)
    rng = seeding.stream(answers.seed, f"generalization/{answers.task}/resampled")
    if answers.profile == "verified":
        table, product = components(answers.who, answers.evidence, rng, resamples)
        table = table.replace({"component": {"GRc": f"GRc, {product}"}}).dropna()
        values = [(row.component, row.value, (row.low, row.high)) for row in table.itertuples()]
    else:
        weights = relevance.mutual_information(problem.x, problem.y, answers.seed)
        parts = float(relevance.alignment(weights)), float(relevance.entropy(weights)), problem.n, problem.s
        limits = np.quantile(metric.gr_star(resampled(right, rng, resamples), *parts), ENDS)
        values = [("accuracy", right.mean(), stats.wilson(int(right.sum()), n)), ("D_align", parts[0], None)]
        values += [("D̃", parts[1], None), ("GR*", metric.gr_star(right.mean(), *parts), limits)]
    how = "95% Wilson", *["95% bootstrap, items"] * (len(values) - 1)
    rows = [answers.row(name, value, n, limits, kind) for (name, value, limits), kind in zip(values, how, strict=True)]
    return rows + answers.unanswered()


def components(
    who: str, evidence: Evidence, rng: np.random.Generator, resamples: int = 1000
) -> tuple[pd.DataFrame, str]:
    """Return accuracy, A_c, P, S, L and GRc of one classifier, with intervals, and the factors of GRc.

    Returns
    -------
    DataFrame, str
        Columns who, component, value, low, high, NaN for a missing component; and factors such as ``P · S · L``.
    """
    table, draws = calibrated.intervals({who: [evidence]}, rng, resamples)
    whole = calibrated.summary(table, draws)
    right, n = int(evidence.correct.sum()), len(evidence.correct)
    columns = ["who", "component", "value", "low", "high"]
    accuracy = pd.DataFrame([(who, "accuracy", right / n, *stats.wilson(right, n))], columns=columns)
    parts = [accuracy, table[columns], whole.assign(component="GRc")[columns]]
    return pd.concat(parts, ignore_index=True), whole.of[0]


def resampled(right: np.ndarray, rng: np.random.Generator, resamples: int = 1000) -> np.ndarray:
    """Return the accuracy in resamples of the items, (resamples,)."""
    n = len(right)
    return rng.multinomial(n, np.full(n, 1 / n), size=resamples) @ right / n


def assess(
    learner: ClassifierMixin, items: Sequence[Problem], *, profile: str = "verified", seed: int = 0,
    source: str = "", name: str = "", kind: str = "",
) -> list[dict]:  # fmt: skip
    """Return the result rows of a classifier on several tasks. A copy of it is trained on each.

    It is untrained, and does not change; the rest is as in `judge`.
    """
    rows = []
    for problem in items:
        copy = clone(learner).fit(problem.x, problem.y)
        answers = judge(copy, problem, profile=profile, seed=seed, name=name, kind=kind)
        rows += result_rows(answers)
    return shared.sourced(rows, source)


def shifted(x: np.ndarray, name: str, rng: np.random.Generator) -> np.ndarray:
    """Return standardised rows under one of the `SHIFTS`.

    ``moved``: each column by half a standard deviation, up or down; ``noisy``: Gaussian noise of half a standard
    deviation on every value; ``stretched``: each column times 1.5.

    Examples
    --------
    >>> shifted(np.ones((1, 2)), "stretched", np.random.default_rng(0))
    array([[1.5, 1.5]])
    """
    size = SHIFTS[name]
    if name == "moved":
        return x + size * rng.choice([-1.0, 1.0], x.shape[1])
    if name == "noisy":
        return x + size * rng.standard_normal(x.shape)
    return x * size


def right_under_shift(
    learner: Learner, x: np.ndarray, y: np.ndarray, rng: np.random.Generator, places: np.ndarray
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return whether each row is right under each of `SHIFTS`, (n,), or under each draw of a random shift, (DRAWS, n).

    ``places`` gives the number of the draw for each column.
    """
    hits = {}
    for name in SHIFTS:
        draws = 1 if name == "stretched" else DRAWS
        tests = np.concatenate([shifted(x[:, np.argsort(places)], name, rng)[:, places] for _ in range(draws)])
        hits[name] = (ask(learner, tests).reshape(draws, len(x)) == y).squeeze()
    return hits


def shuffled_columns(
    learner: Learner, x: np.ndarray, y: np.ndarray, rng: np.random.Generator, places: np.ndarray | None = None
) -> np.ndarray:
    """Return how often each row is right when one column is shuffled among the rows, (n, d), the mean of 3 shuffles.

    All shuffles are predicted at once. ``places`` gives the number of the draw for each column; by default its
    position.
    """
    n, d = x.shape
    orders = rng.permuted(np.tile(np.arange(n), (REPEATS, d, 1)), axis=2)
    tests = np.tile(x, (REPEATS, d, 1, 1))
    for j in range(d):
        tests[:, j, :, j] = x[orders[:, j if places is None else places[j]], j]
    right = ask(learner, tests.reshape(-1, d)).reshape(REPEATS, d, n) == y
    return right.mean(axis=0).T


def ask(learner: Learner, x: np.ndarray) -> np.ndarray:
    """Return the predicted class of each row. `InputError` if the predictions are anything else."""
    n = len(x)
    values = shared.checked(learner.predict(x), (n,), "predictions", f"one class for each of {n} rows")
    classes = values.astype(np.int64)
    if (classes != values).any():
        raise InputError("predictions that are no classes", "the classes as whole numbers", "bring a classifier")
    return classes
