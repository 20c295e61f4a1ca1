"""Everybody on one scale: places by hand, floors kept apart by profile, a sixth instrument, and the reader."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from classes import sat
from scipy.stats import t as student

from cogkit.app import claims, gallery, one_scale, scale
from cogkit.core import registry
from cogkit.core.presets import PROFILES
from cogkit.core.records import RESULT_COLUMNS
from cogkit.core.splits import HIGHER
from cogkit.data import results
from cogkit.extras.classroom.hand_in import pseudonym
from cogkit.stats.scale import COLUMNS
from cogkit.study.trials import Trials

HOUSE = ("tiles", "bongard", "mewl", "equivalence", "generalization")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return scale.result_rows()


@pytest.fixture(scope="module")
def standings(rows) -> pd.DataFrame:
    return scale.standings(scale.everybody(rows))


def component(who: str, kind: str, value: float, half: float = 0.1, seed: int = 0, **fields) -> dict:
    """A row of A_c with limits on both sides of it."""
    row = dict.fromkeys(COLUMNS, "") | {"instrument": "mewl", "profile": "verified", "task": "shape", "seed": seed}
    row |= {"who": who, "kind": kind, "inputs": "pixels", "component": "A_c", "value": value, "n": 600, "chance": 0.2}
    return row | {"low": value - half, "high": value + half} | fields


# Tiles by z


def z_row(who: str, kind: str, value: float, low: float, high: float, task: str = "copy/abstract") -> dict:
    row = dict.fromkeys(RESULT_COLUMNS, "") | {"instrument": "tiles", "metric": "z", "who": who, "kind": kind}
    limits = {"low": low, "high": high, "interval": "95% t, boards"}
    return row | {"task": task, "inputs": "board", "seed": 0, "value": value, "n": 25} | limits


def test_z_is_placed_between_random_and_the_ideal_observer():
    """By hand: random 4, ideal -4, so a z of 2 is a quarter of the way, and -1 five eighths."""
    players = [z_row("random", "floor", 4, 3, 5), z_row("Bayes-greedy", "observer", -4, -5, -3)]
    players += [z_row("a", "model", 2, 1, 3), z_row("b", "model", -1, -6, 0), z_row("c", "model", -6, -7, -5)]
    players += [z_row("a", "model", 0, -1, 1, task="tree/metamer")]
    table = scale.components(pd.DataFrame(players))
    above = table[(table.component == "A_c") & (table.task == "copy/abstract")].set_index("who")
    assert above.value.to_dict() == {"random": 0, "Bayes-greedy": 1, "a": 0.25, "b": 0.625, "c": 1}
    assert above.loc["a", ["low", "high"]].tolist() == [0.125, 0.375]  # a high z is a low place
    assert above.loc["b", ["low", "high"]].tolist() == [0.5, 1.0]
    assert above.note["c"].endswith("better than the ideal observer") and not above.note["b"].endswith("observer; ")
    rest = table[(table.component != "A_c") | (table.task != "copy/abstract")]
    assert rest.value.isna().all() and rest.note.str.startswith("not there: ").all()


# Standings


def test_runs_are_pooled_and_the_floor_is_taken_off():
    """By hand: the better floor is .5, so .75 is half of what is left, and .25 is half as much below it."""
    table = pd.DataFrame([
        component("a guess", "floor", 0.1), component("a shortcut", "floor", 0.5),
        component("net", "model", 0.7, seed=0), component("net", "model", 0.8, half=0.3, seed=1),
        component("weak", "model", 0.25), component("ideal", "observer", 1.0, half=0.0),
    ])  # fmt: skip
    table = scale.standings(table).set_index("who")
    runs, items = 0.05**2, (0.1**2 + 0.3**2) / 2 / 1.96**2  # variances of the mean of two runs, and of their items
    half = student(df=(runs + items) ** 2 / runs**2).ppf(0.975) * np.sqrt(runs + items)
    net = table.loc["net", ["value", "low", "high", "runs"]].tolist()
    assert net == pytest.approx([0.75, 0.75 - half, 0.75 + half, 2], abs=1e-4)
    assert table.above_floor.to_dict() == pytest.approx(
        {"a guess": -0.8, "a shortcut": 0, "net": 0.5, "weak": -0.5, "ideal": 1}
    )
    worst, best = (0.75 - half - 0.6) / 0.4, (0.75 + half - 0.4) / 0.6  # the floor lies between .4 and .6
    assert table.loc["net", ["above_floor_low", "above_floor_high"]].tolist() == pytest.approx([worst, best], abs=1e-3)
    assert table.loc["a shortcut", ["above_floor_low", "above_floor_high"]].isna().all()
    assert table.note.to_dict() == dict.fromkeys(table.index, "") | {"weak": "one run"}


def test_a_floor_counts_for_its_own_task_and_profile_alone():
    table = pd.DataFrame([
        component("a shortcut", "floor", 0.2), component("a shortcut", "floor", 0.9, profile="as_published"),
        component("net", "model", 0.6), component("net", "model", 0.6, profile="as_published"),
        component("net", "model", 0.6, task="color"), component("another", "model", 0.5, task="color"),
        component("net", "model", 0.6, task="number"),
    ])  # fmt: skip
    net = scale.standings(table).query("who == 'net'").set_index(["profile", "task"])
    assert net.above_floor[("verified", "shape")] == pytest.approx(0.5)
    assert net.above_floor[("as_published", "shape")] == pytest.approx(-3)
    assert math.isnan(net.above_floor[("verified", "color")])
    assert "no floor has this task" in net.note[("verified", "color")]
    assert ("verified", "number") not in net.index  # nobody stands beside it there


def test_the_best_machine_sees_what_people_see():
    table = pd.DataFrame([
        component("reader", "model", 0.9, inputs="captions"), component("looker", "model", 0.4),
        component("slower", "model", 0.3), component("people", "person", 0.8),
        component("ideal", "observer", 1.0, inputs="symbols"), component("nobody", "floor", np.nan),
    ])  # fmt: skip
    best = scale.best(scale.standings(table)).set_index("role").who.to_dict()
    assert best == {"machine": "looker", "people": "people", "ideal observer": "ideal"}
    limits = scale.best(scale.standings(table)).set_index("role").low
    assert limits.isna().to_dict() == {"machine": True, "people": False, "ideal observer": False}  # one of two machines
    alone = table[table.kind != "person"]
    assert scale.best(scale.standings(alone)).set_index("role").who["machine"] == "reader"


def test_every_instrument_has_everybody_that_there_is(standings):
    assert tuple(dict.fromkeys(standings.instrument)) == HOUSE  # in the order of the notebooks
    kinds = standings.groupby("instrument").kind.agg(set)
    assert all({"floor", "model", "observer"} <= kinds[name] for name in HOUSE)
    assert {name for name in HOUSE if "person" in kinds[name]} == {"tiles", "bongard", "mewl"}
    assert standings.groupby("instrument").task.nunique().to_dict() == dict(zip(HOUSE, (8, 4, 9, 18, 8), strict=True))
    assert standings.value.between(0, 1).sum() == standings.value.notna().sum() > 600
    printed = standings[(standings.kind == "person") & (standings.task == "relation")].iloc[0]
    assert (printed.accuracy, printed.value) == (0.487, pytest.approx((0.487 - 0.2) / 0.8))  # Jiang et al., Table 2


def test_floors_of_verified_stand_in_where_a_profile_has_none():
    verified, other = (scale.standings(scale.everybody(scale.result_rows("bongard", profile=p))) for p in PROFILES)
    floors = [table[table.kind == "floor"].set_index(["task", "who"]).value for table in (verified, other)]
    assert len(floors[1]) and floors[1].to_dict() == floors[0][floors[1].index].to_dict()
    assert other[other.kind == "model"].floor.notna().all()


# Ceilings


def test_a_ceiling_is_one_or_is_listed_with_its_reason(standings):
    """No floor above an ideal observer, and no learner by more than its interval; each exception in the list is one."""
    published = scale.standings(scale.everybody(scale.result_rows(profile="as_published")))
    table = pd.concat([standings, published])
    assert not table.note.str.contains("better than the ideal observer").any()  # tiles, where A_c ends at 1
    amiss = []
    for where, part in table.groupby(["profile", "instrument", "task"], sort=False):
        players, ideals = part[part.kind != "observer"], part[part.kind == "observer"]
        for ideal in ideals.itertuples():
            listed, chance = ideal.note.startswith(scale.NO_CEILING), part.chance.min()
            assert listed == math.isnan(ideal.value), ideal
            value = max((ideal.accuracy - chance) / (1 - chance), 0) if listed else ideal.value
            sure = players.value.where(players.kind == "floor", players.low)
            above = list(players.who[sure > value + 1e-9])
            if bool(above) != listed:
                amiss.append((*where, ideal.who, above))
    assert not amiss
    ceilings = table[table.kind == "observer"].groupby(["profile", "instrument"]).value.count()
    assert len(ceilings) == 9 and ceilings.min() > 0  # GR* as published has no floor and no observer


# What is shown


def test_the_map_and_the_tables_say_the_same(standings):
    page = BeautifulSoup(one_scale.standings_map(standings)._repr_html_(), "html.parser")
    links = [str(link["href"]) for link in page.select("a.ck-row")]
    assert len(links) == len(standings[["instrument", "task"]].drop_duplicates()) == 47
    assert set(links) == set(gallery.places("scale").values())
    table = one_scale.standings_table(standings).frame
    people = standings.query("instrument == 'bongard' and task == 'BA' and who == 'experts'").iloc[0]
    assert table.loc[("bongard", "BA"), ("people", "value")] == f"{people.value:.2f}"
    floor = one_scale.standings_table(standings, "floor").frame
    assert floor.loc[("bongard", "BA"), ("people", "value")] == f"{people.above_floor:.2f}"
    assert "experts" in repr(one_scale.names(standings))


def test_map_and_list_say_why_an_observer_is_no_ceiling():
    """By hand: logic gets .9 and counting 1, so logic is no ceiling; elsewhere and under the other rules it is one."""
    players = [("ideal learner", "observer", 0.9), ("associative learner", "model", 1.0), ("text", "floor", 0.4)]
    table = scale.standings(pd.DataFrame([
        component(who, kind, value, inputs="symbols", task=task, profile=profile)
        for who, kind, value in players for task in ("shape", "bootstrap") for profile in PROFILES
    ]))  # fmt: skip
    places = table[table.kind == "observer"].set_index(["profile", "task"]).value
    assert places.isna().to_dict() == {
        (profile, task): (profile, task) == ("as_published", "bootstrap")
        for task in ("shape", "bootstrap") for profile in PROFILES
    }  # fmt: skip
    page = BeautifulSoup(one_scale.standings_map(table)._repr_html_(), "html.parser")
    (gap,) = page.select(".ck-gap")
    assert gap.find_parent(class_="ck-row").b.text == "bootstrap" and gap["data-profile"] == "as_published"
    (row,) = one_scale.gaps(table).frame.to_numpy().tolist()
    assert gap["title"] == scale.NO_CEILING + row[-1] and "no sentence had" in row[-1]


def test_claims_are_counted_and_shown(mirror):
    table = claims.claims("bongard", "mewl")
    counts = {bar.name: sum(bar.x) for bar in one_scale.verdicts(table).data}
    assert {name: n for name, n in counts.items() if n} == table.verdict.value_counts().to_dict()
    html = one_scale.survey(table)._repr_html_()
    assert all(escape(command) in html for command in table.command)


def test_the_coverage_of_intervals_is_shown_by_rule():
    table = one_scale.coverage().frame
    assert len(table) == 8 and float(table.loc[table["rule"].str.startswith("answers of each"), "lowest"].item()) > 0.9


# The reader, and a sixth instrument


def test_the_reader_is_on_the_scale_and_two_sittings_are_two_runs(home):
    assert "you" not in set(scale.everybody(scale.result_rows("mewl")).kind)
    for _ in range(2):
        sat("mewl", Trials(), pseudonym())
    table = scale.standings(scale.everybody(scale.result_rows("mewl")))
    mine = table[table.kind == "you"]
    assert mine[["task", "runs", "value"]].values.tolist() == [["shape", 2, 1.0]]
    assert "★" in one_scale.standings_map(table)._repr_html_()


def test_a_sixth_instrument_is_in_map_table_and_claims_without_an_edit(sixth):
    """By hand: accuracies .6, .7 and .9 of two options are .2, .4 and .8: the net is at .6, half of the way from .2."""
    rows = scale.result_rows("counting", "mewl")
    table = scale.standings(scale.everybody(rows))
    net = table[table.who == "net"].iloc[0]
    assert [net.value, net.floor, net.above_floor, net.runs] == pytest.approx([0.6, 0.2, 0.5, 2])
    assert "counting, pairs: " in repr(one_scale.standings_map(table))
    assert "no template" in repr(one_scale.reasons(scale.available(scale.everybody(rows))))
    assert "net · last digit" in one_scale.shared_errors(rows).layout.yaxis.ticktext
    assert "seven days" in repr(one_scale.survey(claims.claims("counting", "mewl")))


def test_the_highest_rung_of_each_learner_is_one_that_it_learnt():
    every = pd.concat([results.shipped(name) for name in registry.names()])
    above = every[(every.metric == "above memory") & (every.kind == "model")]
    table = one_scale.climbed().frame.set_index(["instrument", "who"])
    assert {*table.index} == {*above[["instrument", "who"]].itertuples(index=False, name=None)}
    for (instrument, who), row in table.iterrows():
        own = above[(above.instrument == instrument) & (above.who == who)]
        assert int(row["tests"]) == own.split.nunique()
        # a run that is not above half of the way, on average, has not learnt the split
        means = own.groupby(["rung", "split"], observed=True).value.mean()
        good = {*means[means >= 0.5].index.get_level_values("rung")} & {*HIGHER}
        assert row["rung"] in {"none", *good}


def test_the_map_and_a_card_say_what_a_learner_has_learnt_beyond_memory(standings):
    titles = [
        mark["title"]
        for mark in BeautifulSoup(one_scale.standings_map(standings)._repr_html_(), "html.parser").select("i")
    ]
    assert any(title.startswith("convolutional (") and "rung learnt: interpolation" in title for title in titles)
    assert not any(title.startswith("RNN") and "rung learnt" in title for title in titles)
    cards = gallery.markdown().split("</td")
    (tiles,) = (card for card in cards if "03_tile_agents" in card)
    yes, no = tiles.partition("memory gives: ")[2].split(" Not: ")
    assert "convolutional" in yes and "LSTM, 2 M clicks" in no and "memory gives" not in "".join(cards[:2])
