"""Result rows: back to scores without a loss, curves and components as means of what they are means of."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats as tests

from cogkit.core.contracts import INPUTS, KINDS
from cogkit.data import results
from cogkit.generalization.learners import groups, rows
from cogkit.generalization.learners.predictions import NONE
from cogkit.generalization.metric import calibrated
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric.calibrated import COMPONENTS
from cogkit.generalization.problems import records
from cogkit.generalization.suites import PLAYERS, Suite, family_of


def stored(found, tmp_path, profile: str = "as_published", seed: int = 0, cell: str = "generalization/repro62"):
    """Write rows to a store and read them back."""
    manifest = results.manifest(cell, {"seed": seed}, profile, "quick", seed, 0.0)
    store = results.Store(tmp_path)
    whole = [{"low": None, "high": None, "interval": "", "source": "cogkit"} | row for row in found]
    store.write(manifest, whole)
    return store.load()


def asked_rows(fitted) -> dict[str, int]:
    return {name: int((row != NONE).sum()) for name, row in zip(fitted.names, fitted.truth, strict=True)}


def test_scores_come_back_as_they_were(small, scores, tmp_path):
    table = stored(rows.of_sides(small), tmp_path)
    assert set(table.kind) <= set(KINDS) and set(table.inputs) <= set(INPUTS)
    assert set(table.metric) == {"GR*", "accuracy", "D_align", "D̃"} and len(table) == 6 * len(small.names)
    assert table[["low", "high"]].isna().all(axis=None) and not table.duplicated(["task", "who", "metric"]).any()
    assert table.groupby("task").n.first().to_dict() == asked_rows(small)
    back = rows.scores(table)
    assert (back.seed == 0).all()
    pd.testing.assert_frame_equal(
        back[list(scores)], scores, check_dtype=False, rtol=1e-9, atol=0
    )  # stored to ten digits


def test_scores_of_several_seeds_keep_apart(small, scores, tmp_path):
    turned = dataclasses.replace(small, relevance=np.nanmax(small.relevance) - small.relevance)
    tables = {1: (turned, groups.score(turned)), 0: (small, scores)}
    assert (tables[1][1].gr_star != scores.gr_star).mean() > 0.9
    for seed, (answers, _) in tables.items():
        lines = stored(rows.of_sides(answers), tmp_path, seed=seed)
    back = rows.scores(lines)
    assert back.seed.tolist() == [0] * len(scores) + [1] * len(scores)
    for seed, (_, table) in tables.items():
        part = back[back.seed == seed].reset_index(drop=True)
        pd.testing.assert_frame_equal(part[list(scores)], table, check_dtype=False)


def test_so_do_those_of_one_side(small, scores, tmp_path):
    config = dataclasses.replace(small.config, players=small.config.players[1:])
    alone = dataclasses.replace(
        small, config=config, predicted=small.predicted[:, 1:], under_shift=small.under_shift[:, 1:],
        importance=small.importance[:, 1:],
    )  # fmt: skip
    machines = scores[scores.kind == "model"].reset_index(drop=True)
    back = rows.scores(stored(rows.of_sides(alone), tmp_path))
    pd.testing.assert_frame_equal(back[list(scores)], machines, check_dtype=False)


def test_rows_without_a_score_are_refused(asked, tmp_path, refused):
    table = stored(rows.of_components(asked, 0), tmp_path, "verified")
    with refused("without a GR*", "as_published"):
        rows.scores(table)


def test_sizes_are_those_of_the_tasks():
    for task in records.problems(Suite(1), 0):
        sizes = rows.SIZES.get(task.family, (1000, 20, 2))
        assert (task.n, task.s, task.classes) == sizes == (len(task.y) + len(task.y_test), task.x.shape[1], sizes[2])
        assert len(set(task.y)) == sizes[2]


# Curves.


@pytest.fixture(scope="module")
def curves() -> pd.DataFrame:
    """Made-up curves: three tasks at two levels and both places."""
    rng = np.random.default_rng(0)
    lines = []
    for task, level, place, (side, kind) in itertools.product(
        range(3), (0.0, 0.4), ("first", "last"), (("human proxies", "proxy"), ("machines", "model"))
    ):
        row = {
            "task": f"Linear {task}",
            "side": side,
            "kind": kind,
            "curve": "spurious",
            "level": level,
            "place": place,
        }
        row |= dict(zip(("accuracy", "alignment", "gr_star"), rng.uniform(0.4, 0.9, 3), strict=True))
        lines.append(row | {"abstraction": 0.7, "n": 1000, "s": 21, "classes": 2})
    return pd.DataFrame(lines)


@pytest.mark.parametrize("profile", ["as_published", "verified"])
def test_a_level_is_the_mean_of_its_tasks_with_a_t_interval(curves, profile, tmp_path):
    table = stored(rows.of_curves(curves, profile), tmp_path, profile)
    assert set(table.task) == {f"spurious/{place}/{level}" for place in ("first", "last") for level in ("0", "0.4")}
    expected = {"GR*", "accuracy", "f(accuracy)", "D_align"} if profile == "as_published" else {"A_c", "P"}
    assert set(table.metric) == expected and len(table) == 4 * 2 * len(expected)
    for row in table.itertuples():
        _, place, level = row.task.split("/")
        part = curves[(curves.place == place) & (curves.level == float(level)) & (curves.side == row.who)]
        above = np.maximum(2 * part.accuracy - 1, 0)
        values = {
            "GR*": part.gr_star, "accuracy": part.accuracy, "D_align": part.alignment, "A_c": above,
            "f(accuracy)": metric.performance(part.accuracy),
            "P": (1 + above) / 2 * (1 - np.sqrt(1 - above**2)),
        }[row.metric]  # fmt: skip
        limits = tests.t.interval(0.95, 2, np.mean(values), tests.sem(values))
        assert (row.value, row.low, row.high) == pytest.approx((np.mean(values), *limits)) and row.n == 3
        assert row.interval == "95% t, tasks"


def test_a_place_in_a_stream_is_one_task_and_the_first_has_no_past(curves):
    part = curves[(curves.place == "first") & (curves.level == 0)]
    stream = part.assign(curve="continual", place="", level=part.task.str[-1].astype(float))
    stream["past"] = np.where(stream.level > 0, 0.8, np.nan)
    table = pd.DataFrame(rows.of_curves(stream, "as_published"))
    assert set(table.task) == {"continual/0", "continual/1", "continual/2"} and (table.n == 1).all()
    assert table.low.isna().all() and set(table.interval) == {""}
    past = table[table.metric == "accuracy on earlier tasks"]
    assert set(past.task) == {"continual/1", "continual/2"} and (past.value == 0.8).all()


# Components.


def test_what_a_player_did_is_told_task_by_task(asked):
    rarer = (asked.truth == 1) & (np.arange(asked.truth.shape[1]) % 3 == 0)
    asked = dataclasses.replace(asked, truth=np.where(rarer, 0, asked.truth))  # classes that are not balanced
    evidence = rows.by_task(asked)
    assert list(evidence) == list(asked.config.players)
    for task, name in enumerate(asked.names):
        n, s = asked_rows(asked)[name], asked.sizes[task, 1]
        truth = asked.truth[task, :n]
        for place, who in enumerate(asked.config.players):
            part = evidence[who][task]
            if who == "recipe" and name == "Iris 0":
                assert part is None
                continue
            assert (part.correct == (asked.predicted[task, place, :n] == truth)).all()
            assert part.chance == np.bincount(truth).max() / n and list(part.shifted) == ["moved", "noisy", "stretched"]
            for k, under in enumerate(part.shifted.values()):
                assert (under == (asked.under_shift[task, place, k, :n] == truth)).all()
            if family_of(name) != "Linear":
                assert part.losses is None and part.reference is None
                continue
            assert part.losses.shape == (n, s) and (part.reference == asked.informative[task, :s]).all()
            assert part.losses.mean(axis=0) == pytest.approx(asked.importance[task, place, :s])
    iris = rows.by_task(asked, "classes")["naive Bayes"][asked.names.index("Iris 0")]
    assert iris.chance == 1 / 3


def test_of_those_who_were_asked_for_no_components_there_are_fewer(small):
    table = pd.DataFrame(rows.of_components(small, 0))
    assert set(table.metric) == {"A_c", "P"} and all(
        not part.shifted and part.losses is None for tasks in rows.by_task(small).values() for part in tasks
    )


def test_components_are_means_by_family_and_over_all(asked, tmp_path):
    table = stored(rows.of_components(asked, 0), tmp_path, "verified")
    assert set(table.kind) == {"proxy", "model", "floor", "observer"} and set(table.inputs) == {"columns"}
    assert all(PLAYERS[row.who] == row.kind for row in table.itertuples())
    units = {name: "tasks" if name == "L" else "tasks and items" for name in COMPONENTS}
    assert (table.interval == "95% bootstrap, " + table.metric.map(units)).all() and set(table.metric) == set(units)
    assert ((table.low <= table.value) & (table.value <= table.high)).all()
    evidence = rows.by_task(asked)
    lookup = table.set_index(["task", "who", "metric"])
    for family, who in itertools.product(("Linear", "Moons", "Iris", "all"), asked.config.players):
        places = [t for t, name in enumerate(asked.names) if family in (family_of(name), "all")]
        parts = [evidence[who][t] for t in places if evidence[who][t] is not None]
        values = np.array([calibrated.components(task)[0] for task in parts]).reshape(-1, 4)
        for k, name in enumerate(COMPONENTS):
            mask = ~np.isnan(values[:, k])
            assert ((family, who, name) in lookup.index) == mask.any()
            if mask.any():
                row = lookup.loc[(family, who, name)]
                assert row.value == pytest.approx(values[mask, k].mean())
                assert row.n == sum(len(task.correct) for task, there in zip(parts, mask, strict=True) if there)
    # Of the columns of Moons and Iris nothing is known: their alignment is not there, and is not made up.
    assert ("Moons", "naive Bayes", "L") not in lookup.index and ("Iris", "naive Bayes", "L") not in lookup.index
    assert lookup.loc[("all", "naive Bayes", "L")].value == lookup.loc[("Linear", "naive Bayes", "L")].value
    assert lookup.loc[("all", "majority class", "A_c")].value == 0


def test_the_observer_stands_above_and_the_floor_below(asked):
    table = pd.DataFrame(rows.of_components(asked, 0)).set_index(["task", "who", "metric"]).value
    for family in ("Linear", "Moons"):
        assert table[family, "recipe", "A_c"] >= table[family, "RBF support vectors", "A_c"] > 0.5
        assert table[family, "majority class", "P"] == 0


def test_a_seed_gives_its_intervals_again(asked):
    first, again, other = (pd.DataFrame(rows.of_components(asked, seed)) for seed in (0, 0, 1))
    assert first.equals(again) and first.value.equals(other.value) and not first.low.equals(other.low)
