"""The exercise on shared errors: right and wrong answers to it. Solutions of all run with their notebooks."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from cogkit.app.exercises import check


def share_that_agrees(first, second):
    return float(np.mean(np.array(first) == np.array(second)))


def of_right_answers_alone(first, second):
    both = np.mean(np.array(first) * np.array(second))
    chance = np.mean(first) * np.mean(second)
    return (both - chance) / (1 - chance)


def test_kappa_of_another_library_passes():
    assert check("11-same-errors", cohen_kappa_score).passed


@pytest.mark.parametrize("answer", [share_that_agrees, of_right_answers_alone, lambda first, second: 0.0, ..., 0.3])
def test_another_measure_does_not(answer):
    assert not check("11-same-errors", answer).passed
