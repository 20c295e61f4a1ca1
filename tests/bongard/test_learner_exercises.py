"""The exercises of the notebook on learners: right answers pass, near misses do not."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.bongard.learner_exercises import EXERCISES


def towards_means(support, query):
    far = ((query[:, None] - support.mean(axis=2)) ** 2).sum(axis=-1)
    return 1 / (1 + np.exp(far[:, 0] - far[:, 1]))


def most_similar(support, query):
    far = ((query[:, None, None] - support) ** 2).sum(axis=-1).min(axis=2)
    return (far[:, 0] < far[:, 1]).astype(float)


def test_a_head_that_takes_the_means_passes():
    assert EXERCISES["06-own-head"].check(towards_means) is True


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (most_similar, "the one most similar picture"),
        (lambda support, query: np.full(len(query), 0.5), "right in 0.50 of 1000"),
        (lambda support, query: 1 - towards_means(support, query), "right in 0.2"),
        (lambda support, query: query, "an answer of shape (1000, 16)"),
        (lambda support, query: 2 * towards_means(support, query), "not 1000 chances from 0 to 1"),
    ],
)
def test_a_head_that_learns_nothing_from_the_sides_is_told_so(head, said):
    assert said in EXERCISES["06-own-head"].check(head)


def standardise(support, query, axes=(1, 2), least=1e-6):
    mean = support.mean(axis=axes, keepdims=True)
    spread = np.maximum(support.std(axis=axes, keepdims=True), least)
    return (support - mean) / spread, (query - mean[:, 0, 0]) / spread[:, 0, 0]


def each_side_by_itself(support, query):
    spread = np.maximum(support.std(axis=2, keepdims=True), 1e-6)
    return (support - support.mean(axis=2, keepdims=True)) / spread, standardise(support, query)[1]


def test_standardising_is_over_both_sides_and_survives_what_never_varies():
    check = EXERCISES["06-standardise"].check
    assert check(standardise) is True
    assert "are not finite" in check(lambda support, query: standardise(support, query, least=0.0))
    assert "measured with the support's" in check(lambda support, query: (standardise(support, query)[0], query))
    assert "what tells them apart is lost" in check(each_side_by_itself)
    assert "shapes" in check(lambda support, query: (query, support))


def test_mirrored_by_chance_wants_the_right_number_and_a_true_reflection():
    check = EXERCISES["06-mirrored"].check
    assert "is not the mirror image" in check((lambda program: program, 2 / 2**7))
