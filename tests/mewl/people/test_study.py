"""The study: which items, which attention checks, which tutorial; and what makes a sitting not count."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.mewl.people import instructions, study
from cogkit.mewl.people.study import Plan
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import module


def test_ten_test_items_and_two_checks_no_episode_twice(task):
    items = study.items(f"verified/{task}/7/10+2")
    assert [item.attention for item in items] == [False] * 10 + [True] * 2
    assert len({item.episode.number for item in items}) == 12
    for item in items[:10]:
        assert item.episode == making.episode(task, item.episode.number, part="test")
    assert study.items(f"verified/{task}/8/10+2")[0].name != items[0].name


def test_a_check_asks_about_one_of_its_six_pictures_and_one_name_is_right(task, profile):
    places, whose = Counter(), Counter()
    n = 40
    for number in range(n):
        check = study.item(f"{profile}/test/{task}/{number:04d}/same").episode
        question, original = check.trial, making.episode(task, number, profile, part="test").trial
        assert question.panels == original.panels and len(set(question.options)) == 5
        (panel,) = [k for k, entry in enumerate(question.panels) if entry.scene == question.query]
        assert question.panels[panel].utterance == question.options[check.answer]
        fits = module(task).solve(question)[1]
        assert sum(fits) == 1 and fits[check.answer] and check.certificate["consistent"]["exact"] == 1
        assert set(question.options) <= {*original.options, *(entry.utterance for entry in question.panels)}
        places[check.answer] += 1
        whose[panel] += 1
    assert max(abs(places[k] / n - 1 / 5) for k in range(5)) < 4 * math.sqrt(0.16 / n)
    assert max(abs(whose[k] / n - 1 / 6) for k in range(6)) < 4 * math.sqrt(5 / 36 / n)


def test_an_item_is_its_name_alone():
    name = "verified/test/object/0012/same"
    item = study.item(name)
    study.item.cache_clear()
    assert study.item(name) == item and item.attention and not study.item(name.removesuffix("/same")).attention

    names = ["", "verified/test/shape/12", "verified/test/shape/0600", "verified/dev/shape/0001", "a/b/c/d/e/f"]
    for name in [*names, "else/test/shape/0001", "verified/test/size/0001", "verified/test/shape/0001/other"]:
        with pytest.raises(InputError, match="the name of an item"):
            study.item(name)


def test_plans_and_their_conditions():
    plan = Plan("pragmatic", 3, "as_published", 4, 1, True)
    assert plan.condition == "as_published/pragmatic/3/4+1/feedback" and Plan.of(plan.condition) == plan
    assert Plan.of("verified/shape/0/10+2") == Plan("shape", 0)
    strange = {"verified/shape/7": "a condition such as", "verified/shape/07/10+2": "verified/shape/7/10"}
    strange |= {
        "verified/size/7/10+2": "a task",
        "verified/shape/7/0+2": "tests=0",
        "verified/shape/7/101+0": "1 to 100",
    }
    for condition, words in (strange | {"verified/shape/7/10+2/x": "such as", "verified/shape/x/10+2": "such"}).items():
        with pytest.raises(InputError, match=words):
            Plan.of(condition)


def test_people_get_every_task():
    n = 900
    plans = [Plan.of(study.STUDY.assign(k)) for k in range(n)]
    tasks = Counter(plan.task for plan in plans)
    assert max(abs(tasks[task] / n - 1 / 9) for task in TASKS) < 4 * math.sqrt(8 / 81 / n)
    assert {(plan.profile, plan.tests, plan.attention, plan.feedback) for plan in plans} == {("verified", 10, 2, False)}
    orders = [study.STUDY.order(k, 12) for k in range(300)]
    assert all(sorted(order) == list(range(12)) for order in orders)
    first = np.mean([order[0] >= 10 for order in orders])  # checks are anywhere
    assert abs(first - 1 / 6) < 4 * math.sqrt(5 / 36 / 300)


# The tutorial


def test_a_tutorial_is_text_two_examples_and_a_check(task, profile):
    text, *pages = instructions.pages(task, profile)
    assert text.examples == () and len(text.text) >= 3 and len(pages) == 2
    (first,), (second,), check = *(page.examples for page in pages), instructions.check(task, profile)
    assert [item.attention for item in (first, second, check)] == [False, False, True]
    assert {item.episode.part for item in (first, second, check)} == {"train"}
    assert len({item.episode.number for item in (first, second, check)}) == 3


def test_explanations_say_what_is_so(task, profile):
    counts = ("one thing", "two things", "three things", "four things", "five things", "six things")
    for number in range(6):
        episode = making.episode(task, number, profile)
        *words, end = instructions.explained(episode)
        answer = episode.trial.options[episode.answer]
        assert end.endswith(f"So it is “{answer}”.")
        heard = [word for word in episode.lexicon if word in episode.trial.heard]
        assert len(words) == len(heard)
        for word in heard:
            (line,) = [line for line in words if line.startswith(f"“{word}” ")]
            places = [str(k + 1) for k, p in enumerate(episode.trial.panels) if word in p.utterance.split()]
            label = "picture " + places[0] if len(places) == 1 else "pictures " + ", ".join(places[:-1])
            assert label in line and (len(places) == 1 or f" and {places[-1]}" in line)
            meaning = episode.lexicon[word]
            phrase = {"left": "left of", "right": "right of", "front": "in front of"}.get(meaning, meaning)
            assert (counts[meaning - 1] if task == "number" else str(phrase)) in line
        if task in ("shape", "color", "material"):
            assert getattr(episode.trial.query.things[0], task) in end
        if task == "pragmatic":
            assert episode.lexicon[answer] in end
