"""Both sides' scores, task by task, against a plain loop over the arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from cogkit.generalization.learners import groups
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric.gr_star import Constants, gr_star
from cogkit.generalization.problems import records
from cogkit.generalization.suites import FitConfig, Suite, side


@pytest.fixture(scope="module")
def six():
    """All six learners on tasks of 20, 2, 4 and 64 columns; what they answer is drawn, not trained."""
    from cogkit.generalization.learners import predictions

    answers = predictions.empty(FitConfig(Suite(2, ("Linear", "Moons", "Iris", "Digits"))), 0)
    rng = np.random.default_rng(0)
    kinds = [(1000, 20, 2, 300)] * 2 + [(600, 2, 2, 180)] * 2 + [(150, 4, 3, 45), (1797, 64, 10, 540)]
    for task, (n, s, classes, rows) in enumerate(kinds):
        answers.sizes[task] = n, s, classes
        answers.truth[task, :rows] = rng.integers(classes, size=rows)
        guesses = rng.integers(classes, size=(6, rows))
        answers.predicted[task, :, :rows] = np.where(rng.random((6, rows)) < 0.7, answers.truth[task, :rows], guesses)
        answers.relevance[:, task, :s] = rng.exponential(size=(2, s))
    return answers


def by_hand(made, task: int, kind: str, source: int = 0, increasing: bool = False, clip: bool = False) -> dict:
    n, s, _ = map(int, made.sizes[task])
    rows = (made.truth[task] != 255).sum()
    players = [k for k, name in enumerate(made.config.players) if name in side(kind)]
    accuracy = np.mean([(made.predicted[task, k, :rows] == made.truth[task, :rows]).mean() for k in players])
    weights = made.relevance[source, task, :s]
    cosine = np.corrcoef(weights, np.arange(s))[0, 1] * (1 if increasing else -1)
    parts = {"accuracy": accuracy, "alignment": max(0, cosine) if clip else (1 + cosine) / 2}
    parts |= {"abstraction": stats.entropy(weights) / math.log(s), "n": n, "s": s}
    return parts | {"gr_star": float(gr_star(*parts.values()))}


def test_a_side_scores_as_the_mean_accuracy_of_its_three_learners(six):
    open_choices = [
        (None, {}),
        (Choices(source="correlation"), {"source": 1}),
        (Choices(direction="increasing"), {"increasing": True}),
        (Choices(onto="clip"), {"clip": True}),
    ]
    for choices, options in open_choices:
        table = groups.score(six, choices)
        assert table.task.tolist() == [name for name in six.names for _ in range(2)]
        assert table.side.tolist() == ["human proxies", "machines"] * 6
        assert table.kind.tolist() == ["proxy", "model"] * 6
        for k, row in table.iterrows():
            for name, value in by_hand(six, k // 2, row.kind, **options).items():
                assert row[name] == pytest.approx(value), (choices, name)


def test_training_rows_alone_may_be_counted(six):
    table = groups.score(six, Choices(training_rows=True))
    assert table.n.tolist() == [700] * 4 + [420] * 4 + [105] * 2 + [1257] * 2
    for name in ("Linear 0", "Moons 0", "Iris 0", "Digits 0"):
        task = records.problem(name, 0)
        assert len(task.y) == task.n - math.ceil(task.n * 0.3)
    other = groups.score(six)
    assert (table.gr_star > other.gr_star).all() and (table.accuracy == other.accuracy).all()


def test_one_side_alone_may_be_scored_and_other_constants_taken(six):
    config = FitConfig(six.config.suite, players=side("model"))
    machines = type(six)(**(vars(six) | {"config": config, "predicted": six.predicted[:, 3:]}))
    table = groups.score(six)
    assert groups.score(machines).equals(table[table.kind == "model"].reset_index(drop=True))
    other = groups.score(six, Choices(constants=Constants(tau=0.0)))
    assert (other.gr_star / table.gr_star).to_numpy() == pytest.approx(table.alignment / (table.alignment + 0.2))
