"""Recipes: the space is drawn evenly, tasks follow their recipe, and shares are counted by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from cogkit.core.records import RESULT_COLUMNS
from cogkit.generalization.learners import groups
from cogkit.generalization.metric.gr_star import performance
from cogkit.generalization.paper import claims, multiverse, recipes
from cogkit.generalization.suites import GENERATED, MULTIVERSE, RECIPES, MultiverseConfig, Suite

PLAIN = recipes.recipe(0) | {
    "rows": 500, "rows curved": 300, "columns": 10, "informative": "half", "redundant": 2, "test share": 0.2,
    "standardised on": "training rows", "difficulty": "same", "stratified": "yes", "score of a side": "mean GR*",
}  # fmt: skip


def test_each_option_is_drawn_as_often_as_the_others():
    drawn = pd.DataFrame([recipes.recipe(k) for k in range(200)])
    assert drawn.columns.tolist() == RECIPES.choice.tolist() and RECIPES.choice.is_unique and RECIPES.says.all()
    for row in RECIPES.itertuples():
        values, counts = recipes.options(row.options), drawn[row.choice].value_counts()
        share = 1 / len(values)
        error = np.sqrt(share * (1 - share) / 200)
        # k = 4 standard errors, n = 200
        assert {*counts.index} == {*values} and (counts / 200 - share).abs().max() <= 4 * error, row.choice


def test_a_task_has_the_sizes_of_its_recipe():
    sizes = {"Linear 0": (500, 10), "Shift 3": (500, 10), "Moons 1": (300, 2), "Iris 0": (150, 4)}
    for name, (n, s) in sizes.items():
        made = recipes.problem(name, PLAIN, 0, 10)
        assert (made.n, made.s, len(made.y_test)) == (n, s, n // 5)
        assert made.x.mean(axis=0) == pytest.approx(np.zeros(s), abs=1e-9) and made.x.std(axis=0) == pytest.approx(1)
    degrees = {"expansion of degree 2": 9, "expansion of degree 3": 19, "boundary of degree 2": 3}
    for poly, columns in degrees.items():  # (3 + 2 choose 2) - 1, (3 + 3 choose 3) - 1
        assert recipes.problem("Poly 0", PLAIN | {"poly": poly, "poly columns": 3}, 0, 10).s == columns
    rare = recipes.problem("Imbalance 0", PLAIN | {"rare class": 0.1, "flipped": 0.0}, 0, 10)
    assert np.bincount([*rare.y, *rare.y_test]).tolist() == [450, 50]


def test_options_change_what_they_say():
    inner = recipes.problem("Circles 0", PLAIN | {"circles noise is of": "radius", "circles radius": 0.5}, 0, 10)
    points = np.hypot(*(inner.x * inner.spread + inner.centre).T)
    error = PLAIN["circles noise"] / np.sqrt(120)  # k = 4, n = 120 rows of each class
    assert [points[inner.y == kind].mean() for kind in (0, 1)] == pytest.approx([1, 0.5], abs=4 * error)
    whole = recipes.problem("Iris 0", PLAIN | {"standardised on": "all rows"}, 0, 10)
    assert np.concatenate([whole.x, whole.x_test]).mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-9)
    assert (whole.centre == pytest.approx(load_iris().data.mean(axis=0))) and whole.seed == 0
    up = {"shift": "all columns up", "shift by": 1.0}
    moved, still = (recipes.problem("Shift 0", PLAIN | up | {"shift by": by}, 0, 10) for by in (1.0, 0.0))
    assert moved.x_test - still.x_test == pytest.approx(1)
    easy, hard = (recipes.problem(f"Moons {k}", PLAIN | {"difficulty": "rising"}, 0, 10) for k in (0, 9))
    assert not np.array_equal(easy.x, hard.x) and np.array_equal(
        easy.x, recipes.problem("Moons 0", PLAIN | {"difficulty": "rising"}, 0, 10).x
    )


def test_the_mean_of_three_scores_is_that_of_its_accuracy():
    accuracies = [0.62, 0.8, 0.97]
    assert performance(multiverse.together(accuracies, "mean GR*")) == pytest.approx(performance(accuracies).mean())
    assert multiverse.together(accuracies, "GR* of best accuracy") == 0.97
    assert multiverse.together(accuracies, "GR* of mean accuracy") == pytest.approx(2.39 / 3)


@pytest.mark.usefixtures("lightly")
@pytest.mark.parametrize("relevance", recipes.options(RECIPES.set_index("choice").options["relevance"]))
def test_scores_are_a_table_as_of_our_own_recipe(relevance, small, monkeypatch):
    monkeypatch.setattr(recipes, "recipe", lambda k: PLAIN | {"relevance": relevance, "map": "half"})
    suite = Suite(1, ("Linear", "Moons"))
    table = multiverse.scores(MultiverseConfig(suite), 0)
    assert set(table) == set(groups.score(small)) and table.task.tolist() == ["Linear 0"] * 2 + ["Moons 0"] * 2
    assert table.accuracy.between(0.5, 1).all() and table.alignment.between(0, 1).all()
    own = table.groupby("task").alignment.nunique().max()
    assert own == (2 if relevance in ("permutation importance", "correlation with answers") else 1)
    monkeypatch.setattr(
        recipes, "recipe", lambda k: PLAIN | {"map": "half", "template": "falling over sorted relevance"}
    )
    assert multiverse.scores(MultiverseConfig(suite), 0).alignment.ge(0.5).all()


def made_up(*recipes_of_statistics: dict) -> pd.DataFrame:
    rows = [
        dict.fromkeys(RESULT_COLUMNS, "") | {"cell": MULTIVERSE, "seed": k, "metric": name, "value": value}
        for k, statistics in enumerate(recipes_of_statistics)
        for name, value in statistics.items()
    ]
    return pd.DataFrame(rows)


def test_a_recipe_counts_where_it_has_the_numbers_of_a_claim():
    deltas = {f"Δ {family}": 0.1 for family in GENERATED}
    first = deltas | {"agreement": 0.8}  # not further than a tenth from the printed .86
    second = deltas | {"Δ Moons": -0.1, "agreement": 0.7}
    third = {"continual": 0.5}  # without agreement, and without differences
    table = multiverse.shares(made_up(first, second, third)).set_index("claim")
    assert table.loc["Both sides rank the tasks alike: ρ = .86"].tolist() == [1, 2]
    assert table.loc["Machines are ahead in every family (mean Δ > 0)"].tolist() == [1, 2]
    assert table.loc["GR* drops before accuracy under a shift"].tolist() == [0, 0]
    assert len(table) == len(claims.claims(made_up()[:0].reindex(columns=RESULT_COLUMNS)))
