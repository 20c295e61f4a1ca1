"""Both sides' scores, task by task, against a plain loop over the arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.generalization.learners import groups
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric.gr_star import Constants
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
    right = [(made.predicted[task, k, :rows] == made.truth[task, :rows]).mean() for k in players]
    accuracy = sum(right) / 3
    weights = made.relevance[source, task, :s]
    p = weights / weights.sum()
    cosine = np.corrcoef(p, np.arange(s))[0, 1] * (1 if increasing else -1)
    alignment = max(0, cosine) if clip else (1 + cosine) / 2
    spread = -sum(x * math.log(x) for x in p) / math.log(s)
    performance = accuracy * (1 - 2 * math.sqrt(accuracy * (1 - accuracy)))
    cost = 0.15 + math.log(1 + n / 1000) + 0.5 * math.sqrt(s / 100) + spread
    return {
        "accuracy": accuracy, "alignment": alignment, "abstraction": spread, "n": n, "s": s,
        "gr_star": performance * (0.2 + alignment) / cost,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (None, {}),
        (Choices(source="correlation"), {"source": 1}),
        (Choices(direction="increasing"), {"increasing": True}),
        (Choices(onto="clip"), {"clip": True}),
    ],
)
def test_a_side_scores_as_the_mean_accuracy_of_its_three_learners(six, choices, said):
    table = groups.score(six, choices)
    assert table.task.tolist() == [name for name in six.names for _ in range(2)]
    assert table.side.tolist() == ["human proxies", "machines"] * 6 and table.kind.tolist() == ["proxy", "model"] * 6
    assert table.family.tolist() == ["Linear"] * 4 + ["Moons"] * 4 + ["Iris"] * 2 + ["Digits"] * 2
    for k, row in table.iterrows():
        for name, value in by_hand(six, k // 2, row.kind, **said).items():
            assert row[name] == pytest.approx(value), name


def test_training_rows_alone_may_be_counted(six):
    table = groups.score(six, Choices(training_rows=True))
    assert table.n.tolist() == [700] * 4 + [420] * 4 + [105] * 2 + [1257] * 2
    for name in ("Linear 0", "Moons 0", "Iris 0", "Digits 0"):
        task = records.problem(name, 0)
        assert len(task.y) == task.n - math.ceil(task.n * 0.3)
    other = groups.score(six)
    assert (table.gr_star > other.gr_star).all() and (table.accuracy == other.accuracy).all()


def test_other_constants_are_taken(six):
    table, plain = groups.score(six, Choices(constants=Constants(tau=0.0))), groups.score(six)
    assert (table.gr_star / plain.gr_star).to_numpy() == pytest.approx(plain.alignment / (plain.alignment + 0.2))


def test_an_order_of_columns_changes_what_hangs_on_it_and_nothing_else(six):
    width = six.relevance.shape[-1]
    same = np.tile(np.arange(width), (6, 1))
    assert groups.score(six, columns=same).equals(groups.score(six))
    turned = same.copy()
    for row, s in zip(turned, six.sizes[:, 1], strict=True):
        row[:s] = row[:s][::-1]
    before, after = groups.score(six), groups.score(six, columns=turned)
    assert after.alignment.to_numpy() == pytest.approx(1 - before.alignment)
    assert after.abstraction.to_numpy() == pytest.approx(before.abstraction)
    assert (after.accuracy == before.accuracy).all()


def test_one_side_alone_may_be_scored(six):
    config = FitConfig(six.config.suite, players=side("model"))
    machines = type(six)(**(vars(six) | {"config": config, "predicted": six.predicted[:, 3:]}))
    table = groups.score(six)
    assert groups.score(machines).equals(table[table.kind == "model"].reset_index(drop=True))


def test_wide_has_a_row_a_task_in_order(six):
    table = groups.score(six)
    columns = groups.wide(table, "accuracy")
    assert columns.index.tolist() == six.names and set(columns) == {"human proxies", "machines"}
    assert columns["machines"].tolist() == table[table.kind == "model"].accuracy.tolist()


def test_a_choice_that_is_not_known_is_refused(six, refused):
    with refused("source of relevance"):
        Choices(source="importance")
    with refused("direction of the template"):
        groups.score(six, Choices(direction="up"))
