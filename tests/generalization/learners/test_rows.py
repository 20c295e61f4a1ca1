"""Result rows: back to scores without a loss, curves and components as means of what they are means of."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats as tests

from cogkit.core.records import INPUTS, KINDS
from cogkit.data import results
from cogkit.generalization.learners import groups, rows
from cogkit.generalization.learners.predictions import NONE
from cogkit.generalization.metric import calibrated
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric.calibrated import COMPONENTS
from cogkit.generalization.suites import PLAYERS, family_of


def stored(result_rows, tmp_path, profile: str = "as_published", seed: int = 0, cell: str = "generalization/repro62"):
    """Write rows to a store and read them back."""
    manifest = results.manifest(cell, {"seed": seed}, profile, "quick", seed, 0.0)
    store = results.Store(tmp_path)
    whole = [{"low": None, "high": None, "interval": "", "source": "cogkit"} | row for row in result_rows]
    store.write(manifest, whole)
    return store.load()


def asked_rows(fitted) -> dict[str, int]:
    return {name: int((row != NONE).sum()) for name, row in zip(fitted.names, fitted.truth, strict=True)}


def test_scores_of_several_seeds_come_back_as_they_were_and_keep_apart(small, scores, tmp_path):
    turned = dataclasses.replace(small, relevance=np.nanmax(small.relevance) - small.relevance)
    tables = {1: (turned, groups.score(turned)), 0: (small, scores)}
    assert (tables[1][1].gr_star != scores.gr_star).mean() > 0.9
    for seed, (answers, _) in tables.items():
        lines = stored(rows.of_sides(answers), tmp_path, seed=seed)
    assert set(lines.kind) <= set(KINDS) and set(lines.inputs) <= set(INPUTS)
    assert set(lines.metric) == {"GR*", "accuracy", "D_align", "D̃"} and len(lines) == 2 * 6 * len(small.names)
    assert lines[["low", "high"]].isna().all(axis=None)
    assert lines.groupby("task").n.first().to_dict() == asked_rows(small)
    back = rows.scores(lines)
    for seed, (_, table) in tables.items():
        part = back[back.seed == seed].reset_index(drop=True)
        near = {"check_dtype": False, "rtol": 1e-9, "atol": 0}  # stored to ten digits
        pd.testing.assert_frame_equal(part[list(scores)], table, **near)


# Curves.


@pytest.fixture(scope="module")
def curves() -> pd.DataFrame:
    """Made-up curves: three tasks at two levels and both places."""
    sides = (("human proxies", "proxy"), ("machines", "model"))
    cells = list(itertools.product(range(3), (0.0, 0.4), ("first", "last"), sides))
    table = pd.DataFrame([(f"Linear {k}", level, place, *side) for k, level, place, side in cells])
    table.columns = ["task", "level", "place", "side", "kind"]
    table[["accuracy", "alignment", "gr_star"]] = np.random.default_rng(0).uniform(0.4, 0.9, (len(cells), 3))
    return table.assign(curve="spurious", abstraction=0.7, n=1000, s=21, classes=2)


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
    stream = part.assign(curve="continual", place="", level=part.task.str[-1].astype(float), past=0.8)
    stream.loc[stream.level == 0, "past"] = np.nan
    table = pd.DataFrame(rows.of_curves(stream, "as_published"))
    assert set(table.task) == {"continual/0", "continual/1", "continual/2"} and (table.n == 1).all()
    assert table.low.isna().all() and set(table.interval) == {""}
    assert set(table[table.metric == "accuracy on earlier tasks"].task) == {"continual/1", "continual/2"}


# Components.


def test_what_a_player_did_is_told_task_by_task(full_fit):
    rarer = (full_fit.truth == 1) & (np.arange(full_fit.truth.shape[1]) % 3 == 0)
    full_fit = dataclasses.replace(full_fit, truth=np.where(rarer, 0, full_fit.truth))  # classes that are not balanced
    evidence = rows.by_task(full_fit)
    assert list(evidence) == list(full_fit.config.players)
    for task, name in enumerate(full_fit.names):
        n, s = asked_rows(full_fit)[name], full_fit.sizes[task, 1]
        truth = full_fit.truth[task, :n]
        for place, who in enumerate(full_fit.config.players):
            part = evidence[who][task]
            if who == "recipe" and name == "Iris 0":
                assert part is None
                continue
            assert (part.correct == (full_fit.predicted[task, place, :n] == truth)).all()
            assert part.chance == np.bincount(truth).max() / n and list(part.shifted) == ["moved", "noisy", "stretched"]
            for k, under in enumerate(part.shifted.values()):
                assert (under == (full_fit.under_shift[task, place, k, :n] == truth)).all()
            if family_of(name) != "Linear":
                assert part.losses is None and part.reference is None
                continue
            assert part.losses.shape == (n, s) and (part.reference == full_fit.informative[task, :s]).all()
            assert part.losses.mean(axis=0) == pytest.approx(full_fit.importance[task, place, :s])


def test_components_are_means_by_family_and_over_all(full_fit, tmp_path):
    table = stored(rows.of_components(full_fit, 0), tmp_path, "verified")
    assert set(table.kind) == {"proxy", "model", "floor", "observer"} and set(table.inputs) == {"columns"}
    assert all(PLAYERS[row.who] == row.kind for row in table.itertuples())
    units = {name: "tasks" if name == "L" else "tasks and items" for name in COMPONENTS}
    assert (table.interval == "95% bootstrap, " + table.metric.map(units)).all() and set(table.metric) == set(units)
    assert ((table.low <= table.value) & (table.value <= table.high)).all()
    evidence = rows.by_task(full_fit)
    lookup = table.set_index(["task", "who", "metric"])
    for family, who in itertools.product(("Linear", "Moons", "Iris", "all"), full_fit.config.players):
        places = [t for t, name in enumerate(full_fit.names) if family in (family_of(name), "all")]
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
