"""The door: what a user's classifier comes to, by hand; what changes nothing; and every bad input in one sentence."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from knocking import NAMES, WEIGHTS, Constant, Seen, by_hand, reordered, values
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from cogkit import stats
from cogkit.generalization.estimator import GRStar, compare
from cogkit.generalization.learners.groups import Choices
from cogkit.generalization.metric.gr_star import Constants


def test_five_lines_are_enough(x, y):
    scores = [
        GRStar(profile="verified").score(model, x, y) for model in (LogisticRegression(), RandomForestClassifier(20))
    ]
    table = compare(scores)
    assert [score.who for score in scores] == ["LogisticRegression", "RandomForestClassifier"]
    assert table[["first", "second"]].iloc[0].tolist() == ["LogisticRegression", "RandomForestClassifier"]
    for score in scores:
        assert score.table.component.tolist() == ["accuracy", "A_c", "P", "S", "L", "C", "GRc"]
        assert score.stamp["not there"] == "L, C" and score.stamp["profile"] == "verified"
        rows = score.table.dropna(subset="value")
        assert ((rows.low <= rows.value) & (rows.value <= rows.high)).all()


def test_verified_numbers_are_those_of_the_library_alone(x, y, moved):
    score = GRStar().score(GaussianNB(), x, y, X_shift={"older": moved, "as it is": x}, reference=WEIGHTS)
    _, _, x_test, y_test, model, scaler, test = by_hand(x, y, GaussianNB())
    accuracy, g = (model.predict(x_test) == y_test).mean(), np.bincount(y_test).max() / 120
    under = (model.predict(scaler.transform(moved.to_numpy())[test]) == y_test).mean()
    a_c = (accuracy - g) / (1 - g)
    s = (under - g) / (accuracy - g)
    p = (1 + a_c) / 2 * (1 - math.sqrt(1 - a_c**2))
    numbers = values(score)
    assert 0 < s < 1 and (numbers["accuracy"], numbers["A_c"], numbers["P"], numbers["S"]) == pytest.approx(
        (accuracy, a_c, p, s)
    )
    importance = score.attribution.importance.to_numpy()
    assert numbers["L"] == pytest.approx((1 + np.corrcoef(importance, WEIGHTS)[0, 1]) / 2)
    assert numbers["GRc"] == pytest.approx(p * s * numbers["L"])
    row = score.table.set_index("component").loc["accuracy"]
    assert (row.low, row.high) == pytest.approx(stats.wilson(round(120 * accuracy), 120)) and row.n == 120
    assert score.stamp["chance"] == g and score.stamp["shifts"] == "older, as it is"
    assert score.stamp["S is of"] == "your shifts" and score.stamp["not there"] == "C"
    error = math.sqrt(accuracy * (1 - accuracy) / 120) / (1 - g)
    row = score.table.set_index("component").loc["A_c"]
    assert (row.high - row.low) / 2 == pytest.approx(1.96 * error, rel=0.15)


def test_rows_are_brought_to_the_scale_of_those_for_training(x, y, moved):
    Seen.rows.clear()
    GRStar().score(Seen(), x, y, X_shift=moved)
    x_train, _, x_test, _, _, scaler, test = by_hand(x, y, GaussianNB())
    expected = x_train, x_test, scaler.transform(moved.to_numpy())[test]
    assert all(np.array_equal(first, second) for first, second in zip(Seen.rows, expected, strict=False))
    assert len(Seen.rows) == 4 and np.abs(x_test.mean(axis=0)).max() > 0.01 > np.abs(x_train.mean(axis=0)).max()


def test_published_numbers_are_those_of_the_formula(x, y):
    choices = Choices("correlation", "increasing", training_rows=True, constants=Constants(tau=0.5))
    score = GRStar("as_published", choices=choices).score(GaussianNB(), x, y)
    x_train, y_train, x_test, y_test, model, _, _ = by_hand(x, y, GaussianNB())
    a = (model.predict(x_test) == y_test).mean()
    r = np.array([abs(np.corrcoef(column, y_train)[0, 1]) for column in x_train.T])
    p = r / r.sum()
    alignment = (1 + np.corrcoef(p, np.arange(6))[0, 1]) / 2
    spread = -(p * np.log(p)).sum() / math.log(6)
    cost = 0.15 + math.log(1.28) + 0.5 * math.sqrt(0.06) + spread
    expected = a * (1 - 2 * math.sqrt(a * (1 - a))) * (0.5 + alignment) / cost
    numbers = values(score)
    assert list(numbers) == ["accuracy", "D_align", "D̃", "GR*"]
    assert list(numbers.values()) == pytest.approx([a, alignment, spread, expected])
    assert score.factors.log.sum() == pytest.approx(math.log(expected))
    assert score.attribution.relevance.to_numpy() == pytest.approx(
        r
    ) and score.attribution.share.sum() == pytest.approx(1)
    table = score.table.set_index("component")
    assert table.low["GR*"] < expected < table.high["GR*"] and math.isnan(table.low["D_align"])


def test_names_of_columns_stay(x, y):
    score = GRStar().score(GaussianNB(), x, y, reference=dict(zip(reversed(NAMES), reversed(WEIGHTS), strict=True)))
    assert score.attribution.column.tolist() == NAMES and score.attribution.reference.tolist() == WEIGHTS.tolist()
    assert score.attribution.importance.idxmax() == 0 and score.attribution.relevance.idxmax() == 0
    reference = pd.Series(WEIGHTS, index=NAMES).sample(frac=1, random_state=0)
    assert GRStar().score(GaussianNB(), x, y, reference=reference).attribution.equals(score.attribution)
    plain = GRStar().score(GaussianNB(), x.to_numpy(), y.tolist(), reference=list(WEIGHTS))
    assert plain.attribution.column.tolist() == [f"column {j}" for j in range(1, 7)]
    assert plain.table.equals(score.table)


def test_the_estimator_stays_as_it_is(x, y):
    model = RandomForestClassifier(5, random_state=3)
    before = model.get_params()
    GRStar().score(model, x, y)
    assert not hasattr(model, "classes_") and model.get_params() == before
    copies = x.copy(), y.copy()
    GRStar("as_published").score(LogisticRegression(), x, y, X_shift=x, reference=WEIGHTS)
    assert x.equals(copies[0]) and y.equals(copies[1])


def test_a_seed_gives_the_same_score_and_another_seed_another(x, y):
    first, again, other = (GRStar(seed=seed).score(GaussianNB(), x, y, reference=WEIGHTS) for seed in (2, 2, 3))
    assert first.table.equals(again.table) and first.attribution.equals(again.attribution)
    assert not first.table.equals(other.table)


@pytest.mark.parametrize(("chance", "wanted"), [("majority", 0.6), ("classes", 1 / 3), (0.25, 0.25)])
def test_chance_is_the_one_that_is_asked_for(chance, wanted):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [120, 40, 40])
    rows = rng.normal(size=(200, 3)) + labels[:, None]
    score = GRStar(chance=chance).score(GaussianNB(), rows, labels)
    assert score.stamp["chance"] == pytest.approx(wanted) and score.stamp["classes"] == 3
    accuracy = values(score)["accuracy"]
    assert values(score)["A_c"] == pytest.approx((accuracy - wanted) / (1 - wanted))


def test_few_test_rows_are_said(x, y):
    notes = [GRStar().score(GaussianNB(), x[:n], y[:n]).table.note[0] for n in (70, 400)]
    assert notes == ["only 21 test rows", ""]


def test_below_one_half_the_published_score_is_flagged(x):
    rng = np.random.default_rng(3)
    score = GRStar("as_published").score(GaussianNB(), x, rng.integers(5, size=400))
    assert values(score)["accuracy"] < 0.5 and values(score)["GR*"] > 0
    assert "rises as accuracy falls" in score.table.set_index("component").note["GR*"]
    assert values(GRStar(chance="classes").score(GaussianNB(), x, rng.integers(5, size=400)))["P"] < 0.01


# Order of columns.


def test_the_order_of_columns_decides_the_published_score_and_no_verified_one(x, y, moved):
    """With the user's own shift; naive Bayes itself does not mind the order."""
    order = [5, 4, 3, 2, 1, 0]
    plain, turned = (
        [GRStar(profile).score(GaussianNB(), rows, y, **options) for profile in ("verified", "as_published")]
        for rows, options in (reordered(x, moved, list(range(6))), reordered(x, moved, order))
    )
    same = ["accuracy", "A_c", "P", "S"]
    first, second = (scores[0].table.set_index("component") for scores in (plain, turned))
    assert np.array_equal(first.loc[same, ["value", "low", "high"]], second.loc[same, ["value", "low", "high"]])
    # L shuffles columns, each from another place of the stream: the same up to that.
    assert first.value["L"] == pytest.approx(second.value["L"], abs=0.05)
    defect = [values(scores[1]) for scores in (plain, turned)]
    assert defect[0]["accuracy"] == defect[1]["accuracy"] and defect[0]["GR*"] > 3 * defect[1]["GR*"]
    assert defect[1]["D_align"] == pytest.approx(1 - defect[0]["D_align"])


def test_nor_do_the_librarys_shifts_and_shuffles(x, y):
    order = [3, 5, 0, 4, 2, 1]
    plain = GRStar().score(GaussianNB(), x, y, reference=WEIGHTS)
    turned = GRStar().score(GaussianNB(), x.iloc[:, order], y, reference=WEIGHTS[order])
    assert values(plain) == pytest.approx(values(turned), nan_ok=True)


# What is not there has a note.


@pytest.mark.parametrize(
    ("score", "component", "note"),
    [
        (lambda x, y: GRStar().score(GaussianNB(), x, y), "L", "no reference"),
        (
            lambda x, y: GRStar().score(GaussianNB(), x.iloc[:, :4], y, reference=WEIGHTS[:4]),
            "L",
            "fewer than 5 columns",
        ),
        (
            lambda x, y: GRStar().score(DummyClassifier(), x, y),
            "S",
            "accuracy is not above chance (binomial test, 5 %)",
        ),
    ],
    ids=["no reference", "four columns", "no better than chance"],
)
def test_what_is_not_there_says_why(x, y, score, component, note):
    table = score(x, y).table.set_index("component")
    assert math.isnan(table.value[component]) and table.note[component] == note
    assert component not in table.note["GRc"].split(" · ") and not math.isnan(table.value["GRc"])


@pytest.mark.parametrize("case", ["flat importance", "flat reference", "hardly above chance"])
def test_and_in_every_other_case_too(x, y, case):
    if case == "flat importance":
        score, component = GRStar().score(DummyClassifier(), x, y, reference=WEIGHTS), "L"
    elif case == "flat reference":
        score, component = GRStar().score(GaussianNB(), x, y, reference=np.ones(6)), "L"
    else:
        coin = np.random.default_rng(8).random(400) < 0.9
        score, component = GRStar().score(GaussianNB(), x, np.where(coin, np.arange(400) % 2 == 0, y == "yes")), "S"
        limit = stats.chance_limit(120, score.evidence.chance)
        if not score.evidence.chance < values(score)["accuracy"] < limit:
            raise RuntimeError("these classes are no such case")
    table = score.table.set_index("component")
    assert math.isnan(table.value[component]) and table.note[component]


def test_a_constant_answer_is_at_chance_and_a_worse_one_below(x, y):
    at, below = (GRStar().score(Constant(kind), x, y).table.set_index("component") for kind in (1, 0))
    if at.value["accuracy"] < below.value["accuracy"]:
        at, below = below, at
    assert "anti-aligned" in below.note["A_c"] and "anti-aligned" not in at.note["A_c"]


# Comparing.


def test_a_better_classifier_is_called_better_and_a_like_one_is_not(x, y):
    score = GRStar().score
    good, like, poor = (
        score(LogisticRegression(), x, y, name="a"),
        score(LogisticRegression(C=0.5), x, y, name="b"),
        score(LogisticRegression(), x.assign(age=0.0, size=0.0), y, name="c"),
    )
    table = compare([good, like, poor]).set_index(["first", "second"])
    assert table.claim.to_dict() == {("a", "b"): "none", ("a", "c"): "first", ("b", "c"): "first"}
    assert table.difference["a", "c"] == pytest.approx(values(good)["A_c"] - values(poor)["A_c"])
    assert compare([good, like, poor]).equals(compare([good, like, poor]))


def test_scores_of_other_rows_are_not_compared(x, y, moved, refused):
    first = GRStar().score(GaussianNB(), x, y, name="a")
    scores = {
        "n": GRStar().score(GaussianNB(), x[:300], y[:300], name="b"),
        "columns": GRStar().score(GaussianNB(), x.iloc[:, :5], y, name="b"),
        "seed": GRStar(seed=1).score(GaussianNB(), x, y, name="b"),
        "chance": GRStar(chance=0.4).score(GaussianNB(), x, y, name="b"),
        "shifts": GRStar().score(GaussianNB(), x, y, X_shift=moved, name="b"),
    }
    for differing, score in scores.items():
        with refused("scores that differ in", differing, "the same rows"):
            compare([first, score])
    with refused("each with a name of its own"):
        compare([first, first])
    with refused("two or more"):
        compare([first])
    with refused("component"):
        compare([first, GRStar().score(LogisticRegression(), x, y)], "GR*")


def test_nor_those_of_as_many_other_rows(x, y, refused):
    first = GRStar().score(GaussianNB(), x, y, name="a")
    order = np.random.default_rng(0).permutation(400)
    with refused("the same rows"):
        compare([first, GRStar().score(GaussianNB(), x.iloc[order], y[order], name="b")])


# Bad input.


def test_cost_is_there_for_whoever_declares_units_and_part_of_no_score(x, y):
    without, with_units = (GRStar(units=units).score(GaussianNB(), x, y) for units in (None, (100, 3)))
    assert math.isnan(values(without)["C"]) and "C" in without.stamp["not there"]
    assert values(with_units)["C"] == pytest.approx(math.log(1 + 280 / 100) + math.log(1 + 6 / 3))
    assert values(with_units)["GRc"] == values(without)["GRc"]


def test_what_the_paper_leaves_open_stands_beside_its_score(x, y):
    score = GRStar("as_published").score(GaussianNB(), x, y)
    table, value = score.varied.set_index("varied"), values(score)["GR*"]
    choices = table.drop("everything")
    assert (choices.low <= value + 1e-12).all() and (choices.high >= value - 1e-12).all()
    turned = GRStar("as_published", choices=Choices(direction="increasing")).score(GaussianNB(), x, y)
    assert sorted((value, values(turned)["GR*"])) == pytest.approx(
        table.loc["direction of the template", ["low", "high"]].tolist()
    )
    assert GRStar().score(GaussianNB(), x, y).varied.empty
