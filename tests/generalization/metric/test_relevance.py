"""Relevance, its entropy and its alignment, each against another library or the words of its definition."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats as tests
from sklearn.feature_selection import mutual_info_classif

from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric.relevance import DIRECTIONS, alignment, correlation, entropy, mutual_information


@pytest.fixture(scope="module")
def rows():
    """Columns that tell of three classes by their mean, by their spread, and not at all; and one that never varies."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=150)
    x = rng.normal(size=(150, 4))
    x[:, 0] += y
    x[:, 1] *= 1 + 2 * y
    x[:, 3] = 7.3
    return x, y


def test_mutual_information_is_that_of_the_library_and_sees_a_spread(rows):
    x, y = rows
    info = mutual_information(x, y, seed=4)
    assert (info[:3] == mutual_info_classif(x, y, n_neighbors=3, random_state=4)[:3]).all()
    assert info[0] > 0.1 and info[1] > 0.1 and info[2] < 0.1  # which a correlation does not


def test_mutual_information_of_parted_classes_is_their_entropy():
    y = np.repeat([0, 1], 400)
    x = (np.random.default_rng(0).random(800) + 5 * y)[:, None]
    assert mutual_information(x, y)[0] == pytest.approx(math.log(2), abs=0.01)


def test_correlation_of_several_classes_is_the_mean_of_one_against_the_rest(rows):
    x, y = rows
    two = [abs(np.corrcoef(column, y > 0)[0, 1]) for column in x[:, :3].T]
    for columns, kinds in ((x, y > 0), (-3 * x + 1, y == 0)):
        assert correlation(columns, kinds)[:3] == pytest.approx(two)
    means = [np.mean([abs(np.corrcoef(column, y == kind)[0, 1]) for kind in range(3)]) for column in x[:, :3].T]
    assert correlation(x, y)[:3] == pytest.approx(means)
    assert correlation(x, np.array(["c", "a", "b"])[y])[:3] == pytest.approx(means)  # names of classes are no numbers


def test_entropy_is_that_of_the_shares_over_its_maximum():
    for d in (2, 3, 20, 64):
        relevance = np.random.default_rng(d).exponential(size=(30, d)) ** 2
        assert entropy(relevance) == pytest.approx(tests.entropy(relevance, axis=1) / math.log(d))
        assert entropy(np.ones(d) * 0.3) == pytest.approx(1) and entropy(np.eye(d)).tolist() == [0.0] * d
        assert entropy(np.zeros(d)) == pytest.approx(1)  # nothing told is told evenly
    assert entropy(np.array([[5.0]])) == 1


def test_alignment_is_the_correlation_with_the_column_number():
    for d in (3, 10, 64):
        relevance = np.random.default_rng(d).exponential(size=(30, d))
        r = np.array([np.corrcoef(row / row.sum(), np.linspace(0, 1, d))[0, 1] for row in relevance])
        assert alignment(relevance, "increasing") == pytest.approx((1 + r) / 2)
        assert alignment(relevance) == pytest.approx((1 - r) / 2)  # decreasing unless told otherwise
        assert alignment(relevance, "increasing", "clip") == pytest.approx(np.maximum(r, 0))
        assert alignment(relevance, "decreasing", "clip") == pytest.approx(np.maximum(-r, 0))
        assert alignment(5 * relevance) == pytest.approx(alignment(relevance))


def test_what_pads_a_row_changes_nothing():
    rng = np.random.default_rng(5)
    parts = [rng.exponential(size=d) for d in (2, 4, 20)]
    padded = np.full((3, 20), np.nan)
    for row, part in zip(padded, parts, strict=True):
        row[: len(part)] = part
    assert entropy(padded) == pytest.approx([float(entropy(part)) for part in parts], rel=1e-12)
    for direction, onto in itertools.product(DIRECTIONS, ("half", "clip")):
        expected = [float(alignment(part, direction, onto)) for part in parts]
        assert alignment(padded, direction, onto) == pytest.approx(expected, rel=1e-12)


def test_a_template_that_is_not_known_is_refused(refused):
    with refused("direction of the template", "did you mean 'increasing'"):
        Choices(direction="increase")
    for wrong, words in (({"onto": "square"}, "map of the cosine"), ({"source": "importance"}, "source of relevance")):
        with refused(words):
            Choices(**wrong)


# Defects of the published definition, kept and documented (facts § 4.3).


def test_defect_two_columns_give_nought_or_one():
    relevance = np.random.default_rng(6).exponential(size=(500, 2))
    scores = alignment(relevance)
    assert scores == pytest.approx((relevance[:, 0] > relevance[:, 1]).astype(float))
    assert 0.4 < scores.mean() < 0.6 and alignment(np.array([0.7, 0.7])) == 0.5
    nearly = alignment(np.array([0.7 + 1e-6, 0.7]))
    assert nearly == pytest.approx(1)  # a millionth decides


def test_defect_the_order_of_columns_decides():
    relevance = np.array([9.0, 4.0, 2.0, 1.0, 0.0])
    orders = [alignment(relevance[list(order)]) for order in itertools.permutations(range(5))]
    assert max(orders) == alignment(relevance) > 0.95 and min(orders) == pytest.approx(1 - max(orders))
    assert alignment(relevance[::-1]) == pytest.approx(alignment(relevance, "increasing"))
    spread = [entropy(relevance[list(order)]) for order in itertools.permutations(range(5))]
    assert np.ptp(spread) < 1e-12  # the other term of relevance does not mind


def test_defect_what_random_relevance_scores_hangs_on_the_number_of_columns():
    for d, wanted in ((2, 0.50), (10, 0.17), (64, 0.06)):
        scores = alignment(np.random.default_rng(d).random((4000, d)))
        assert scores.std() == pytest.approx(wanted, abs=0.01) == pytest.approx(0.5 / math.sqrt(d - 1), abs=0.01)
