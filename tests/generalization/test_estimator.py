"""The door: what a user's classifier comes to, by hand; what changes nothing; and every bad input in one sentence."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from knocking import NAMES, WEIGHTS
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cogkit import stats
from cogkit.generalization.estimator import GRStar, compare
from cogkit.generalization.metric import calibrated, relevance
from cogkit.generalization.metric.gr_star import gr_star
from cogkit.generalization.paper import tables
from cogkit.generalization.scoring import DRAWS, right_under_shift

PROFILES = ("verified", "as_published")


def values(score) -> dict[str, float]:
    return score.table.set_index("component").value.to_dict()


def by_hand(x, y, estimator, seed: int = 0):
    """Split, scale and train by the library alone; return training rows, test rows and their classes, and the model."""
    kinds = (np.asarray(y) == "yes").astype(int)
    values = ((x - x.mean()) / x.std(ddof=0)).round(6).to_numpy()
    columns = sorted(range(x.shape[1]), key=lambda j: sorted(values[:, j]))
    order = np.array(sorted(range(len(x)), key=lambda i: values[i, columns].tolist()))
    train, test = (order[part] for part in train_test_split(
        np.arange(len(x)), test_size=0.3, stratify=kinds[order], random_state=seed
    ))  # fmt: skip
    scaler = StandardScaler().fit(x.to_numpy()[train])
    rows = scaler.transform(x.to_numpy())
    return rows[train], kinds[train], rows[test], kinds[test], estimator.fit(rows[train], kinds[train]), scaler, test


def test_verified_numbers_are_those_of_the_library_alone(x, y, moved):
    score = GRStar().score(GaussianNB(), x, y, X_shift={"older": moved, "as it is": x}, reference=WEIGHTS)
    _, _, x_test, y_test, model, scaler, test = by_hand(x, y, GaussianNB())
    accuracy, g = (model.predict(x_test) == y_test).mean(), np.bincount(y_test).max() / 120
    under = (model.predict(scaler.transform(moved.to_numpy())[test]) == y_test).mean()
    a_c = (accuracy - g) / (1 - g)
    s = (under - g) / (accuracy - g)
    p = (1 + a_c) / 2 * (1 - math.sqrt(1 - a_c**2))
    numbers = values(score)
    assert list(numbers) == ["accuracy", "A_c", "P", "S", "L", "GRc"] and score.stamp["profile"] == "verified"
    assert 0 < s < 1 and (numbers["accuracy"], numbers["A_c"], numbers["P"], numbers["S"]) == pytest.approx(
        (accuracy, a_c, p, s)
    )
    importance = score.attribution.importance.to_numpy()
    assert numbers["L"] == pytest.approx((1 + np.corrcoef(importance, WEIGHTS)[0, 1]) / 2)
    assert numbers["GRc"] == pytest.approx(p * s * numbers["L"])
    row = score.table.set_index("component").loc["accuracy"]
    assert (row.low, row.high) == pytest.approx(stats.wilson(round(120 * accuracy), 120)) and row.n == 120
    assert score.stamp["chance"] == g and score.stamp["shifts"] == "older, as it is"
    assert score.stamp["S is of"] == "your shifts" and score.stamp["not there"] == "nothing"
    error = math.sqrt(accuracy * (1 - accuracy) / 120) / (1 - g)
    row = score.table.set_index("component").loc["A_c"]
    assert (row.high - row.low) / 2 == pytest.approx(1.96 * error, rel=0.15)


def test_published_numbers_are_those_of_the_formula(x, y):
    score = GRStar("as_published").score(GaussianNB(), x, y)
    x_train, y_train, x_test, y_test, model, _, _ = by_hand(x, y, GaussianNB())
    accuracy = (model.predict(x_test) == y_test).mean()
    weights = relevance.mutual_information(x_train, y_train)
    parts = accuracy, float(relevance.alignment(weights)), float(relevance.entropy(weights))
    expected = float(gr_star(*parts, 400, 6))
    assert values(score) == pytest.approx(
        dict(zip(["accuracy", "D_align", "D̃", "GR*"], [*parts, expected], strict=True))
    )
    assert score.attribution.relevance.to_numpy() == pytest.approx(weights)
    assert score.attribution.share.sum() == pytest.approx(1)
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


def test_few_test_rows_and_a_published_score_below_one_half_are_said(x, y):
    notes = [GRStar().score(GaussianNB(), x[:n], y[:n]).table.note[0] for n in (70, 400)]
    assert notes == ["only 21 test rows", ""]
    score = GRStar("as_published").score(GaussianNB(), x, np.random.default_rng(3).integers(5, size=400))
    assert values(score)["accuracy"] < 0.5 and values(score)["GR*"] > 0
    assert "rises as accuracy falls" in score.table.set_index("component").note["GR*"]


# Order of columns.


def test_the_order_of_columns_decides_the_published_score(x, y):
    """Naive Bayes itself does not mind the order."""
    plain, turned = (values(GRStar("as_published").score(GaussianNB(), x.iloc[:, ::way], y)) for way in (1, -1))
    assert plain["accuracy"] == turned["accuracy"] and plain["GR*"] > 3 * turned["GR*"]
    assert turned["D_align"] == pytest.approx(1 - plain["D_align"])


# Units and order.


def changed(x, y) -> dict:
    """Return the same table in other units and in other orders of rows and columns."""
    rows, columns = np.random.default_rng(0).permutation(len(x)), [2, 0, 3, 1]
    return {
        "times ten": (x * 10, y), "each column in units of its own": (x * [0.001, 60, 2.54, 1e6], y),
        "from other zeros": (x + [273.15, -40, 1000, 3], y), "rows": (x[rows], y[rows]),
        "all": (10 * x[rows][:, columns] - 7, y[rows]),
    }  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
def test_units_and_the_order_of_rows_change_no_score_and_the_order_of_columns_no_verified_one(profile):
    """Iris has 4 columns with many equal values; a tree and 3 neighbours meet ties."""
    x, y = load_iris(return_X_y=True)
    for model in (GaussianNB(), KNeighborsClassifier(3), DecisionTreeClassifier(random_state=0)):
        first = GRStar(profile).score(model, x, y).table
        for name, table in changed(x, y).items():
            if name == "all" and (profile == "as_published" or not isinstance(model, GaussianNB)):
                continue
            second = GRStar(profile).score(model, *table).table
            for column in ("value", "low", "high"):
                assert first[column].to_numpy() == pytest.approx(second[column].to_numpy(), abs=1e-9, nan_ok=True), name


def test_the_noise_moves_a_score_far_less_than_its_interval_is_wide():
    """S of naive Bayes on Iris, from 30 seeds of the noise, on the split that the door makes."""
    x, y = load_iris(return_X_y=True)
    score = GRStar().score(GaussianNB(), x, y)
    table = score.table.set_index("component")
    rows, _ = tables.orders(x, y)
    train, test = (rows[part] for part in train_test_split(
        np.arange(150), test_size=0.3, stratify=y[rows], random_state=0
    ))  # fmt: skip
    z, stable = StandardScaler().fit(x[train]).transform(x), []
    model = GaussianNB().fit(z[train], y[train])
    right = (model.predict(z[test]) == y[test]).mean()
    for seed in range(30):
        hits = right_under_shift(model, z[test], y[test], np.random.default_rng(seed), np.arange(4))
        assert hits["moved"].shape == (DRAWS, 45)
        stable.append(min((share.mean() - 1 / 3) / (right - 1 / 3) for share in hits.values()))
    spread = np.std(stable, ddof=1)
    # The mean of 30 seeds has a standard error of spread / √30; k = 4, and the door's own draw adds its spread.
    assert table.value["S"] == pytest.approx(np.mean(stable), abs=4 * spread * np.sqrt(1 + 1 / 30))
    # The standard deviation of 30 values has a standard error of 13 %; 1.5 is k = 4 of them.
    assert DRAWS >= 20 and 0 < 1.5 * spread < (table.high["S"] - table.low["S"]) / 4


def test_draws_of_a_shift_are_part_of_the_interval():
    """Half of the draws spoil all of 1000 items, so that S is about one half and its error that of a coin, by draws."""
    hits = np.zeros((100, 1000), bool)
    hits[:50] = True
    right, rng = np.ones(1000, bool), np.random.default_rng(0)
    table, _ = calibrated.intervals({"a": [calibrated.Evidence(right, 0.0, {"moved": hits})]}, rng, 4000)
    row = table.set_index("component").loc["S"]
    # An end is a quantile of 4000 resamples; its standard error is about .002; k = 4.
    assert row.value == 0.5 and (row.low, row.high) == pytest.approx((0.5 - 1.96 * 0.05, 0.5 + 1.96 * 0.05), abs=0.01)


# What is not there has a note.


def test_what_is_not_there_says_why(x, y):
    cases = {
        "no reference": (GaussianNB(), x, {}, "L"),
        "fewer than 5 columns": (GaussianNB(), x.iloc[:, :4], {"reference": WEIGHTS[:4]}, "L"),
        "accuracy is not above chance (binomial test, 5 %)": (DummyClassifier(), x, {}, "S"),
        "the importances, or the reference, are all alike": (DummyClassifier(), x, {"reference": WEIGHTS}, "L"),
    }
    for note, (model, rows, options, component) in cases.items():
        table = GRStar().score(model, rows, y, **options).table.set_index("component")
        assert math.isnan(table.value[component]) and table.note[component] == note
        assert component not in table.note["GRc"].split(" · ") and not math.isnan(table.value["GRc"])


# Comparing.


def test_a_better_classifier_is_called_better_and_a_like_one_is_not(x, y):
    score = GRStar().score
    good, like = (score(LogisticRegression(C=c), x, y, name=name) for c, name in ((1, "a"), (0.5, "b")))
    poor = score(LogisticRegression(), x.assign(age=0.0, size=0.0), y, name="c")
    table = compare([good, like, poor]).set_index(["first", "second"])
    assert table.claim.to_dict() == {("a", "b"): "none", ("a", "c"): "first", ("b", "c"): "first"}
    assert table.difference["a", "c"] == pytest.approx(values(good)["A_c"] - values(poor)["A_c"])
    assert compare([good, like, poor]).equals(compare([good, like, poor]))


def test_scores_of_other_rows_are_not_compared(x, y, moved, refused):
    def score(rows=x, kinds=y, name="b", shift=None, **options):
        return GRStar(**options).score(GaussianNB(), rows, kinds, X_shift=shift, name=name)

    first, order = score(name="a"), np.random.default_rng(0).permutation(400)
    others = {
        "n, test rows": score(x[:300], y[:300]),
        "columns": score(x.iloc[:, :5]),
        "seed": score(seed=1),
        "shifts": score(shift=moved),
        "the same rows": score(x.iloc[order], y),  # as many
    }
    for message, other in others.items():
        with refused(message, "the same rows"):
            compare([first, other])
    assert compare([first, score(x.iloc[order], y[order])]).difference.item() == 0  # they are the same rows
    with refused("each with a name of its own"):
        compare([first, first])
    with refused("two or more"):
        compare([first])
    with refused("component"):
        compare([first, score()], "GR*")


# Bad input is refused in one sentence, before anything is trained.


def hole(x):
    return x.mask(np.indices(x.shape).sum(axis=0) == 4, np.nan).iloc[:, :2].join(x.iloc[:, 2:])


def bad_rows(x, y):
    """What is wrong, and words of the refusal."""
    return [
        (x, ["no"] * 400, ("y with 1 classes", "two classes")),
        (x, [*y[:399], "maybe"], ("1 rows of maybe",)),
        (hole(x), y, ("X contains NaN", "SimpleImputer")),
        (x, [None, *y[1:]], ("1 classes that are missing",)),
        (x["age"].to_numpy(), y, ("Expected 2D array", "two columns")),
        (x[:63], y[:63], ("63 rows, of which 19", "at least 20 test rows", "so 64 rows in all")),
        (x.assign(town="Ulm"), y, ("'Ulm'", "OneHotEncoder")),
        (x, y[:399], ("y of shape (399,)", "400 rows")),
        (x[:80], np.arange(80) // 2, ("of each class",)),
    ]


def bad_options(x):
    return [
        ({"reference": WEIGHTS[:5]}, ("reference of shape (5,)", "6 columns")),
        ({"reference": dict.fromkeys([*NAMES[:5], "colour"], 1.0)}, ("colour", "one weight for each of")),
        ({"reference": pd.Series(WEIGHTS, index=[*NAMES[:5], "colour"])}, ("colour",)),  # not taken by position
        ({"reference": [1, 2, 3, 4, 5, np.nan]}, ("1 of its weights missing",)),
        ({"X_shift": {"fog": x[NAMES[:5]]}}, ("'fog'", "(400, 5)")),
        ({"X_shift": x[NAMES[::-1]]}, ("'shift'", "in their order")),
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_bad_input_is_one_sentence(x, y, profile, refused):
    for rows, kinds, words in bad_rows(x, y):
        with refused(*words):
            GRStar(profile).score(GaussianNB(), rows, kinds)
    for options, words in bad_options(x):
        with refused(*words):
            GRStar(profile).score(GaussianNB(), x, y, **options)
    with refused("profile", "verified or as_published"):
        GRStar("calibrated")
    with refused("class"):
        GRStar(profile).score(LinearRegression(), x, (y == "yes").astype(int))


def test_a_column_that_never_varies_does_no_harm_and_the_fewest_rows_are_64(x, y):
    for profile in ("verified", "as_published"):
        score = GRStar(profile).score(GaussianNB(), x.assign(same=5.0), y)
        row = score.attribution.set_index("column").loc["same"]
        assert row.relevance == row.share == row.importance == 0 and score.table.value.notna().sum() >= 4
    assert values(GRStar().score(GaussianNB(), x[:64], y[:64]))["accuracy"] > 0.5  # 20 of 64 are for the test
