"""Two exercises of this instrument: right and wrong answers to them. Solutions of all run with their notebooks."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import cohen_kappa_score

from cogkit.app.exercises import check


def share_that_agrees(first, second):
    return float(np.mean(np.array(first) == np.array(second)))


def of_right_answers_alone(first, second):
    both = np.mean(np.array(first) * np.array(second))
    chance = np.mean(first) * np.mean(second)
    return (both - chance) / (1 - chance)


def test_kappa_of_another_library_passes_and_another_measure_does_not():
    assert check("11-same-errors", cohen_kappa_score).passed
    for answer in (share_that_agrees, of_right_answers_alone, lambda first, second: 0.0, ..., 0.3):
        assert not check("11-same-errors", answer).passed


def test_a_fair_score_is_neither_above_nor_below_0_for_less_than_chance():
    def signed(accuracy, classes):
        return (accuracy - 1 / classes) / (1 - 1 / classes)

    assert check("10-fair-score", lambda accuracy, classes: max(0.0, signed(accuracy, classes))).passed
    verdict = check("10-fair-score", signed)
    assert not verdict.passed and "worse than chance, not 0" in verdict.text
