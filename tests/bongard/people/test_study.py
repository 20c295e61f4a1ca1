"""The sitting of the paper: which problems, in which order, after which pages."""

from __future__ import annotations

import math
import re

import pytest
from cases import case

from cogkit.bongard.people import study
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core.errors import InputError

NOVEL = "has_eight_straight_lines"


@pytest.fixture(scope="module")
def whole():
    return study.items("verified/7")


@pytest.fixture(scope="module")
def parts():
    return sets.split(spec.name for spec in sets.specs())


def test_twenty_of_each_type_none_twice_and_none_from_training(whole, parts):
    assert [item.task for item in whole] == ["FF"] * 20 + ["BA"] * 20 + ["abstract"] * 20
    names, taught = {item.problem.name for item in whole}, {*parts["train"], *parts["val"]}
    assert len(names) == 60 and len(taught) == 10_200 and not taught & names
    for item in whole:
        concept, kind = item.problem.concept, item.problem.kind
        test = "NV" if NOVEL in concept else "CM" if item.task == "abstract" else item.task
        assert item.test == test and kind == {"FF": "ff", "BA": "bd", "abstract": "hd"}[item.task]
        assert concept[0] in ("nact9", "nact4_5") if test == "FF" else test == "NV" or len(concept) == 2


def test_both_abstract_tests_have_their_share():
    tests = [item.test for k in range(5) for item in study.items(f"verified/{k}", 5) if item.task == "abstract"]
    share = 400 / 720
    assert abs(tests.count("CM") - 25 * share) < 4 * math.sqrt(25 * share * (1 - share))


def test_a_condition_is_the_same_again_and_others_are_other(whole):
    study.items.cache_clear()
    again, other = study.items("verified/7"), study.items("verified/8")
    assert again == whole
    assert len({item.problem.name for item in other} & {item.problem.name for item in whole}) < 12
    assert {item.problem.profile for item in study.items("as_published/7", 2)} == {"as_published"}
    conditions = {study.STUDY.assign(k) for k in range(50)}
    assert len(conditions) == 50 and all(re.fullmatch(r"verified/\d+", condition) for condition in conditions)
    for wrong in ("verified", "verified/x", "verified/-1", "else/3", "/7"):
        with case(wrong), pytest.raises(InputError, match="a profile and a number"):
            study.items(wrong)


def test_queries_are_the_seventh_pictures_and_either_side_comes_first(whole):
    assert abs(sum(item.first for item in whole) - 30) < 4 * math.sqrt(15)
    for item in whole:
        seventh = (item.problem.positives[6], item.problem.negatives[6])
        assert item.queries == (seventh if item.first == 0 else seventh[::-1])
        assert item.support == (item.problem.positives[:6], item.problem.negatives[:6])


def test_types_follow_one_another_and_are_shuffled():
    orders = [study.order(k, 60) for k in range(20)]
    for order in orders:
        blocks = [order[k : k + 20] for k in (0, 20, 40)]
        assert [sorted(block) for block in blocks] == [list(range(k, k + 20)) for k in (0, 20, 40)]
    assert len({tuple(order) for order in orders}) == 20


# The pages


@pytest.mark.parametrize("task", study.TYPES)
def test_a_page_has_two_examples_from_training(task, parts):
    page = study.page(task)
    for example in page.examples:
        assert example.problem.name in parts["train"] and len(example.words) == 2
    first, second = (example.problem for example in page.examples)
    assert first.kind == second.kind == {"FF": "ff", "BA": "bd", "abstract": "hd"}[task]
    if task == "abstract":
        assert (len(first.concept), len(second.concept)) == (1, 2) and set(page.glossary) == set(ATTRIBUTES)
    else:
        assert (len(first.positives[0]), len(second.positives[0])) == (1, 2) and page.glossary == {}
