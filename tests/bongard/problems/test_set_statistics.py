"""Counts of a set's problems against problems made by hand, and against what the authors' own programs are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems import freeform, set_statistics, sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes import inventory

BASE = (Line(1.0, 0.0, "zigzag"), Line(1.0, 90.0), Arc(0.5, 90.0, 0.0, "circle"), Line(1.0, 30.0))
CHANGED = {  # stroke, what is changed, into what
    "type": (0, Line(1.0, 0.0, "square")),
    "turn": (1, Line(1.0, -30.0)),
    "size": (2, Arc(0.25, 90.0, 0.0, "circle")),
    "kind": (3, Arc(0.5, 90.0, 30.0)),
}


def picture(*programs, x=0.0):
    return tuple(Placed(program, Placement(x, 0.0, 30.0, 90.0)) for program in programs)


def edited(way):
    stroke, action = CHANGED[way]
    return (*BASE[:stroke], action, *BASE[stroke + 1 :])


def test_an_edit_is_found_wherever_shapes_lie():
    for way in CHANGED:
        assert set_statistics.edit(picture(BASE, BASE), picture(BASE, edited(way), x=40.0)) == way
    assert set_statistics.edit(picture(BASE), picture(BASE, x=5.0)) == "nothing"


def test_strokes_edits_and_different_negatives_are_counted():
    """Five different negatives: two types, three turns, one kind and one size are changed."""
    programs = [edited(way) for way in ("type", "type", "turn", "turn", "turn", "kind", "size")]
    programs[4] = (BASE[0], replace(BASE[1], turn=150.0), *BASE[2:])
    negatives = tuple(picture(program, x=10.0 * k) for k, program in enumerate(programs))
    by_hand = Problem("ff_nact4_0000", "ff", ("nact4",), (picture(BASE),) * 7, negatives)
    table = set_statistics.strokes([by_hand])
    counts = {group: dict(zip(part.value, part["count"], strict=True)) for group, part in table.groupby("group")}
    strokes = {"arc, straight on": 1, "line, straight on": 1, "line, left 90°": 1, "line, left 120°": 0, "any other": 1}
    assert counts[set_statistics.STROKES] == strokes
    assert counts[set_statistics.EDITS] == {"type": 2, "turn": 3, "kind": 1, "size": 1}
    assert counts[set_statistics.DISTINCT] == {"7": 0, "6": 0, "5": 1, "4": 0}
    released = set_statistics.released().query("group == @set_statistics.DISTINCT").set_index("value").share * 3600
    assert released.round().to_dict() == {"7": 2139, "6": 1196, "5": 235, "4": 30}  # facts, § 3
    assert (table.groupby("group").share.sum().round(9) == 1).all() and set(table.profile) == {"verified"}


def test_strokes_that_come_together_are_worth_less():
    """All strokes of a problem alike: limits are those of two problems, wider than of eight strokes."""
    problems = [
        Problem(f"ff_nact4_000{k}", "ff", ("nact4",), (picture(program),) * 7, (picture(BASE),) * 7)
        for k, program in enumerate(((Line(1.0),) * 4, (Arc(0.5, 90.0),) * 4))
    ]
    row = set_statistics.strokes(problems).query("value == 'arc, straight on'").iloc[0]
    # By hand: variance ((4 - 2)² + (0 - 2)²) / 8² · 2/1 = 1/4, so that .25 / .25 = 1 stroke's worth;
    # Wilson of one half of one: .5 ± z √(1/4 + z²/4) / (1 + z²).
    z = 1.959964
    half = z * np.sqrt(0.25 + z**2 / 4) / (1 + z**2)
    assert row.share == 0.5 and (row.low, row.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_every_promise_is_kept_by_one_profile_and_broken_by_the_other(use_mirror):
    problems = [sets.problem(spec) for profile in ("as_published", "verified") for spec in sets.specs(profile, n=60)]
    table = set_statistics.faults(problems, inventory.available())
    broken = table.groupby(["profile", "fault"])["count"].sum()
    assert (broken["verified"] == 0).all()
    assert set(broken["as_published"].index[broken["as_published"] > 0]) >= {
        "two negatives are alike", "stroke types tell the side", "a stroke cannot be made out",
    }  # fmt: skip
    assert set_statistics.ELSE not in set(table.fault)
    assert (table.low <= table.share).all() and (table.share <= table.high).all()


def test_a_fault_put_in_is_counted_once_a_problem():
    problem = freeform.problem(0)
    same = replace(problem, negatives=problem.negatives[:1] * 3 + problem.negatives[3:])  # two repeats, one problem
    wrong = replace(problem, negatives=problem.positives[:1] + problem.negatives[1:])
    table = set_statistics.faults([problem, same, wrong], None).set_index("fault")
    assert table["count"].to_dict() == {"two negatives are alike": 1, set_statistics.ELSE: 1}
    assert set(table.n) == {3} and set_statistics.faults([problem], None).empty


def test_repeats_are_those_that_a_plain_search_finds():
    step, n = len(freeform.CONCEPTS), 150
    programs = [freeform.problem(step * k, "as_published", 1).positives[0][0].program for k in range(n)]
    counts = set_statistics.repeats("as_published", n, seed=1)
    assert counts["concepts"] == n
    assert counts["same program"] == sum(program in programs[:k] for k, program in enumerate(programs))
    assert counts["same figure"] >= counts["same program"] > 0
