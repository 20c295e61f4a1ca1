"""The sitting of the paper: which problems, in which order, after which pages; run through without a widget."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from cogkit.bongard.logo.programs import Line
from cogkit.bongard.people import instructions, published, study
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core.contracts import InputError, Presentation
from cogkit.study.sitting import Sitting, included
from cogkit.study.trials import Trials

NOVEL = "has_eight_straight_lines"


@pytest.fixture(scope="module")
def whole():
    return study.items("verified/7")


@pytest.fixture
def store(tmp_path) -> Trials:
    return Trials(tmp_path / "trials.sqlite")


def test_twenty_of_each_type_none_twice(whole):
    assert [item.task for item in whole] == ["FF"] * 20 + ["BA"] * 20 + ["abstract"] * 20
    assert len({item.problem.name for item in whole}) == 60
    for item in whole:
        concept = item.problem.concept
        if item.task == "FF":
            assert item.test == "FF" and concept[0] in ("nact9", "nact4_5")
        elif item.task == "BA":
            assert item.test == "BA" and len(concept) == 2 and item.problem.kind == "bd"
        else:
            assert item.problem.kind == "hd" and item.test == ("NV" if NOVEL in concept else "CM")
            assert NOVEL in concept or len(concept) == 2


def test_no_problem_is_from_training(whole):
    parts = sets.split(spec.name for spec in sets.specs())
    taught = {*parts["train"], *parts["val"]}
    assert len(taught) == 10_200 and not taught & {item.problem.name for item in whole}


def test_both_abstract_tests_have_their_share():
    tests = [item.test for k in range(12) for item in study.items(f"verified/{k}", 5) if item.task == "abstract"]
    share = 400 / 720
    assert abs(tests.count("CM") - 60 * share) < 4 * math.sqrt(60 * share * (1 - share))


def test_a_condition_is_the_same_again_and_others_are_other(whole):
    study.items.cache_clear()
    again, other = study.items("verified/7"), study.items("verified/8")
    assert again == whole
    assert len({item.problem.name for item in other} & {item.problem.name for item in whole}) < 12
    assert {item.problem.profile for item in study.items("as_published/7", 2)} == {"as_published"}


def test_queries_are_the_seventh_pictures_and_either_side_comes_first(whole):
    firsts = [item.first for item in whole]
    assert abs(sum(firsts) - 30) < 4 * math.sqrt(15)
    for item in whole:
        seventh = (item.problem.positives[6], item.problem.negatives[6])
        assert item.queries == (seventh if item.first == 0 else seventh[::-1])
        assert item.support == (item.problem.positives[:6], item.problem.negatives[:6])


@pytest.mark.parametrize("condition", ["verified", "verified/", "verified/x", "verified/-1", "else/3", "/7"])
def test_a_strange_condition_is_refused(condition):
    with pytest.raises(InputError, match="a profile and a number"):
        study.items(condition)


def test_types_follow_one_another_and_are_shuffled():
    orders = [study.order(k, 60) for k in range(20)]
    for order in orders:
        blocks = [order[k : k + 20] for k in (0, 20, 40)]
        assert [sorted(block) for block in blocks] == [list(range(k, k + 20)) for k in (0, 20, 40)]
        assert blocks[0] != [k - 20 for k in blocks[1]]
    assert len({tuple(order) for order in orders}) == 20


def test_conditions_are_drawn():
    conditions = {study.STUDY.assign(k) for k in range(50)}
    assert len(conditions) == 50 and all(re.fullmatch(r"verified/\d+", condition) for condition in conditions)


def answered(item, query: int, response: str) -> dict:
    """What is stored of an answer to one of an item's two queries."""
    presentation = Presentation("items", "verified/7", item, "verified/7/00", 0, 60, responses=("positive",) * query)
    return study.answered(presentation, response)


def knows(item, query) -> str:
    """The right side of a query, from the pictures themselves."""
    return "positive" if item.queries[query] in item.problem.positives else "negative"


def test_a_whole_sitting_goes_through_a_kill_and_is_read_back(store):
    sitting = Sitting.begin(study.STUDY, 3, store, who="3fa9c2d1")
    k = 0
    while not sitting.finished:
        item = sitting.item
        if sitting.page:
            sitting.next(rt_s=60.0)
        if k == 25:  # a kill between page or first query and the rest
            sitting = Sitting.resume(study.STUDY, sitting.id, store)
            sitting.next()  # the last feedback is in view again
            assert sitting.item == item
        for query in (0, 1):
            right = knows(item, query)
            wrong = {"positive": "negative", "negative": "positive"}[right]
            response = right if item.task == "BA" or (item.task == "FF" and query == 0) else wrong
            sitting.answer(response, rt_s=1.5, confidence=0.8)
        sitting.next()
        k += 1
    rows = included(store.frame(sitting=sitting.id), study.STUDY)
    assert len(rows) == 3 + 120
    table = published.scores(store.frame()).set_index("task")
    assert table.right.to_dict() == {"FF": 0.5, "BA": 1.0, "abstract": 0.0}
    assert table["first"].to_dict() == {"FF": 1.0, "BA": 1.0, "abstract": 0.0}
    assert table.problems.tolist() == [20] * 3 and table.done.all()
    assert table.instructions_s.tolist() == [60.0] * 3 and table.total_s.tolist() == [180 + 120 * 1.5] * 3


def test_nothing_shown_before_the_answer_names_the_concept(whole):
    """What a widget needs of an item is pictures; the rows alone tell more, and they are stored after the answer."""
    row = answered(whole[0], 0, "positive")
    assert row["item"].startswith(whole[0].problem.name) and row["extra"]["side"] in ("positive", "negative")
    assert {field.name for field in dataclasses.fields(whole[0])} == {"task", "test", "problem", "first"}


@pytest.mark.parametrize(
    ("response", "confidence", "words"),
    [
        ("left", 0.5, "a side"),
        ("positive", 0.4, r"0.5 \(a guess\) to 1"),
        ("positive", 1.01, r"0.5 \(a guess\) to 1"),
    ],
)
def test_bad_answers_are_refused(store, response, confidence, words):
    sitting = Sitting.begin(study.study_of(1), 3, store, who="3fa9c2d1")
    sitting.next()
    with pytest.raises(InputError, match=words):
        sitting.answer(response, confidence=confidence)
    with pytest.raises(InputError, match="a type of problem"):
        study.page("CM")


# The pages


@pytest.mark.parametrize("task", study.TYPES)
def test_a_page_has_two_examples_from_training(task):
    page, parts = study.page(task), sets.split(spec.name for spec in sets.specs())
    for example in page.examples:
        assert example.problem.name in parts["train"] and len(example.words) == 2
    first, second = (example.problem for example in page.examples)
    assert first.kind == second.kind == {"FF": "ff", "BA": "bd", "abstract": "hd"}[task]
    if task == "abstract":
        assert (len(first.concept), len(second.concept)) == (1, 2) and set(page.glossary) == set(ATTRIBUTES)
    else:
        assert (len(first.positives[0]), len(second.positives[0])) == (1, 2) and page.glossary == {}
    assert len(page.text) == 3


def test_what_the_free_form_page_says_is_so():
    for example in study.page("FF").examples:
        pairs = zip(example.problem.positives[0], example.problem.negatives[0], strict=True)
        places = [
            (shape, stroke + 1)
            for shape, (one, other) in enumerate(pairs)
            for stroke, (was, now) in enumerate(zip(one.program, other.program, strict=True))
            if was != now
        ]
        shape, stroke = places[0]
        assert f"stroke {stroke} " in example.words[1]
        if len(example.problem.positives[0]) == 2:
            assert f"of the {('first', 'second')[shape]} shape" in example.words[1]


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"type": "circle"}, "is made of circles, not plain"),
        ({"turn": 60.0}, "begins after a turn of 60°, not of 0°"),
        ({"length": 0.5}, "has another size"),
    ],
)
def test_changes_in_words(now, words):
    assert instructions._change(Line(1.0), dataclasses.replace(Line(1.0), **now)) == words


def test_an_item_of_ones_own_is_answered():
    item = study.Item("FF", "FF", Problem("ff_nact4_0000", "ff", ("nact4",), (), ()), first=0)
    marks = [answered(item, query, "positive")["correct"] for query in (0, 1)]
    assert marks == [1, 0] and answered(item, 1, "negative")["done"]
