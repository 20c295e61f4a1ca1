"""Bad input at the door is one sentence, before anything is trained."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from knocking import BAD, NAMES, WEIGHTS, by_hand, hole, two, values
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from cogkit.core.contracts import InputError
from cogkit.generalization.estimator import GRStar
from cogkit.generalization.metric import relevance


@pytest.mark.parametrize("profile", ["verified", "as_published"])
@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(x, y, case, profile, refused):
    rows, options, words = BAD[case]
    options = options(x) if callable(options) else options
    with refused(*words):
        GRStar(profile).score(GaussianNB(), *(rows(x, y) if rows else (x, y)), **options)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: GRStar("calibrated"), ("profile", "verified or as_published")),
        (lambda: GRStar(chance="clases"), ("level of chance", "did you mean 'classes'")),
        (lambda: GRStar(chance=1.5).score(GaussianNB(), *two()), ("chance level of 1.5",)),
    ],
)
def test_a_wrong_setting_is_one_sentence(build, words, refused):
    with refused(*words):
        build()


@pytest.mark.parametrize(
    "case",
    ["a ragged table", "more classes than test rows", "classes of two kinds", "words for weights", "a rare class"],
)
def test_more_bad_input_is_one_sentence(x, y, case, refused):
    score = GRStar().score
    calls = {
        "a ragged table": (lambda: score(GaussianNB(), [[1, 2], [3]], [0, 1]), "X"),
        "more classes than test rows": (lambda: score(GaussianNB(), x[:80], np.arange(80) // 2), "of each class"),
        "classes of two kinds": (lambda: score(GaussianNB(), x, pd.Series([1, "a"] * 200, dtype=object)), "y"),
        "words for weights": (lambda: score(GaussianNB(), x, y, reference=list("abcdef")), "reference"),
        "a rare class": (lambda: score(GaussianNB(), x[:100], [0] * 98 + [1] * 2), "class"),
    }
    call, word = calls[case]
    with refused(word):
        call()


def test_weights_under_other_names_are_not_taken_by_position(x, y, refused):
    with refused("colour"):
        GRStar().score(GaussianNB(), x, y, reference=pd.Series(WEIGHTS, index=[*NAMES[:5], "colour"]))


def test_what_gives_no_classes_is_refused(x, y, refused):
    with refused("class"):
        GRStar().score(LinearRegression(), x, (y == "yes").astype(int))


def test_the_fewest_rows_are_those_that_the_sentence_names(x, y, refused):
    assert values(GRStar().score(GaussianNB(), x[:64], y[:64]))["accuracy"] > 0.5  # 20 of 64 are for the test
    with refused("63 rows, of which 19", "so 64 rows in all"):
        GRStar().score(GaussianNB(), x[:63], y[:63])


def test_the_error_is_the_one_that_the_command_line_tells(x, y):
    with pytest.raises(InputError) as error:
        GRStar().score(GaussianNB(), hole(x), y)
    assert isinstance(error.value, ValueError) and error.value.fix


def test_a_column_that_never_varies_does_no_harm(x, y):
    for profile in ("verified", "as_published"):
        score = GRStar(profile).score(GaussianNB(), x.assign(same=5.0), y)
        row = score.attribution.set_index("column").loc["same"]
        assert row.relevance == row.share == row.importance == 0 and score.table.value.notna().sum() >= 4


def test_relevance_is_of_the_training_rows(x, y):
    x_train, y_train, *_ = by_hand(x, y, GaussianNB())
    expected = relevance.mutual_information(x_train, y_train, 0)
    assert GRStar().score(GaussianNB(), x, y).attribution.relevance.to_numpy() == pytest.approx(expected)
