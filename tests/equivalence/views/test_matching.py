"""The matching-to-sample widget without a browser: what is asked and told, what is stored, and what is never sent."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.equivalence.problems.names import SHAPES
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.views import MatchingToSample
from cogkit.equivalence.views.shapes import shapes
from cogkit.study.trials import BEGIN

SMALL = {"repeats": 1, "each": 1}  # blocks of 6 trials, a test of 27


def wrong(task: MatchingToSample) -> int:
    return (task.correct + 1) % 3


def master(task: MatchingToSample) -> None:
    while task.sitting.stage == "practice":
        task.answer(task.correct)


def shape_names(task: MatchingToSample) -> list[str]:
    """The names of what is shown: the sample, then the comparisons."""
    return [shape["name"] for shape in (task.scene["sample"], *task.scene["comparisons"])]


def test_feedback_follows_an_answer_and_shows_the_same_trial(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    before, right = shape_names(task), task.correct
    head = ["Training, block 1", "Trial 1 of 6", "0 right so far", "6 of 6 needed"]
    assert task.scene["told"] is None and task.scene["head"] == head
    assert task.answer(right) and task.scene["status"] == "Right ✓"
    assert task.scene["told"] == {"given": right, "right": right} and shape_names(task) == before
    assert not task.scene["waits"] and task.scene["head"][1:3] == ["Trial 1 of 6", "1 right so far"]
    task.next()
    assert task.scene["told"] is None and task.scene["head"][1] == "Trial 2 of 6"
    right, choice = task.correct, wrong(task)
    assert not task.answer(choice) and task.scene["waits"]
    assert task.scene["status"].startswith(f"Not that one ✗ The right one is ringed: {right + 1}.")
    assert task.scene["told"] == {"given": choice, "right": right}
    task.answer(task.correct)  # a program need not call next
    assert task.scene["head"][1:3] == ["Trial 3 of 6", "2 right so far"]


def test_a_block_below_mastery_is_followed_by_another_and_mastery_by_the_test(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    for k in range(6):
        task.answer(task.correct if k else wrong(task))
    assert "Block 1 done: 5 of 6 right. 6 are needed: another block comes next." in task.scene["status"]
    task.next()
    assert task.scene["status"] == "Block 2 begins." and task.scene["head"][:2] == ["Training, block 2", "Trial 1 of 6"]
    assert [row["text"] for row in task.scene["beside"]["rows"]] == ["5 of 6"]
    master(task)
    assert task.scene["waits"] and task.scene["status"].endswith("6 of 6 right. Mastered: the test comes next.")
    task.next()
    assert task.scene["status"] == "The test begins: 27 trials." and task.scene["head"] == ["Test", "Trial 1 of 27"]
    assert not task.scene["can_skip"] and not task.scene["training"]


def test_the_test_tells_nothing_until_its_end(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    master(task)
    task.next()
    rng, scores = np.random.default_rng(0), {}
    for k in range(27):
        scene, trial = task.scene, task.sitting.item
        assert scene["told"] is None and scene["head"] == ["Test", f"Trial {k + 1} of 27"]
        assert "right" not in scene["status"].lower()
        name = {"AC": "transitivity", "CA": "equivalence"}.get(trial.frame().pair[0], trial.types[0])
        place = int(rng.integers(3))
        scores.setdefault(name, []).append(place == task.correct)
        task.answer(place)
    assert task.over and task.scene["sample"] is None and task.scene["head"] == ["All done", "27 test trials"]
    order = ("baseline", "reflexivity", "symmetry", "transitivity", "equivalence")
    texts = [row["text"] for row in task.scene["beside"]["rows"]]
    assert texts == [*(f"{sum(scores[n])} of {len(scores[n])}" for n in order), "1 of 3"]
    assert [len(scores[name]) for name in order] == [6, 9, 6, 3, 3]
    derived, old = sum(sum(scores[name]) for name in order[1:]), sum(scores["baseline"])
    new = f"{derived} of 21 right where nothing was trained"
    assert task.scene["status"] == f"{new}, {old} of 6 on the trained pairs."
    with pytest.raises(InputError, match="a sitting with items left"):
        task.answer(0)
    assert len(task.trials()) == 33 and len(trials.frame()) == 34


def test_nothing_that_travels_tells_the_class_or_the_answer_before_the_answer(trials):
    task, sent = MatchingToSample(trials=trials, **SMALL), []
    names = {name for name in task.plan.design.tokens}
    task.observe(lambda change: sent.append(change.new), "scene")
    scenes = [task.scene]
    while not task.over:
        task.answer(task.correct)
        task.next()
        scenes.append(task.scene)
    for scene in (*scenes[:-1], *(message for message in sent if message["sample"] and message["told"] is None)):
        words = set(re.findall(r"\w+", json.dumps(scene)))
        assert scene["told"] is None and not words & names
        for shape in (scene["sample"], *scene["comparisons"]):
            assert set(shape) == {"name", "path"}
        assert set(scene) == {
            "draw", "trial", "head", "prompt", "sample", "comparisons", "told", "waits", "training", "can_skip",
            "status", "beside",
        }  # fmt: skip
    traits = set(task.get_state()) - {name for name in task.get_state() if name.startswith("_")}
    assert traits <= {"scene", "layout", "tabbable", "tooltip"}


def test_shapes_belong_to_stimuli_by_the_seed_alone_and_dummies_are_in_training_alone():
    design, by_seed = Design(relation="select-only", members=3, classes=3), []
    for seed in range(2):
        task, pictures = MatchingToSample(design, seed=seed, **SMALL), {}
        while not task.over:
            tokens = task.sitting.item.tokens[0, :4].tolist()
            assert sum(token >= 9 for token in tokens) == (2 if task.sitting.stage == "practice" else 0)
            for token, name in zip(tokens, shape_names(task), strict=True):
                assert pictures.setdefault(token, name) == name
            task.answer(task.correct)
            task.next()
        assert len(set(pictures.values())) == len(pictures) and set(range(9)) <= set(pictures)
        by_seed.append(pictures)
    assert by_seed[0] != by_seed[1]


def test_a_key_and_the_method_are_one_and_a_second_press_counts_nothing(trials, page):
    task = MatchingToSample(trials=trials, **SMALL)

    def press(**message):
        page(task, {"trial": task.scene["trial"]} | message)

    number, choice = task.scene["trial"], wrong(task)
    for _ in range(2):
        press(answer=choice, trial=number, rt_s=1.25)
    press(answer=0)  # feedback is not answered
    assert task.scene["told"]["given"] == choice and len(task.trials()) == 1
    number = task.scene["trial"]
    press(next=True, trial=number)
    assert task.scene["told"] is None
    draw = task.scene["draw"]
    press(next=True, trial=number)
    assert task.scene["draw"] == draw
    press(answer=task.correct, rt_s="soon")
    assert task.trials().rt_s[0] == 1.25 and task.trials().rt_s[1] >= 0
    press(skip=True)
    assert task.scene["head"][0] == "Test" and task.sitting.skipped and task.scene["told"] is None


def test_an_answer_is_on_the_disk_before_it_is_told(trials):
    task, events = MatchingToSample(trials=trials, **SMALL), []
    task.observe(lambda change: events.append((change.new["told"] is not None, len(trials.frame()))), "scene")
    task.answer(task.correct)
    task.next()
    task.answer(task.correct)
    assert events == [(True, 2), (False, 2), (True, 3)]


def test_an_answer_that_cannot_be_stored_is_not_told(trials, page):
    task, window = (MatchingToSample(trials=trials, **SMALL) for _ in range(2))  # the same sitting in two windows
    window.answer(0)
    page(task, {"answer": 1, "trial": task.scene["trial"]})
    assert task.scene["status"].startswith("Not stored, so not counted") and task.scene["told"] is None
    assert trials.frame()["item"].tolist()[0] == BEGIN and len(trials.frame()) == 2


def test_what_cannot_be_played_is_refused_before_anything_is_stored(trials):
    with pytest.raises(InputError, match="1 to 80, one a syllable"):
        MatchingToSample(Design(members=12), trials=trials)
    with pytest.raises(InputError, match="1 or more"):
        MatchingToSample(trials=trials, repeats=0)
    assert trials.frame().empty


def test_shapes_of_a_seed_are_different_and_fill_their_square():
    assert shapes(15, 3) == shapes(15, 3) != shapes(15, 4)
    figures = shapes(49, 0)  # what the paper's design needs with its dummies
    assert len({shape.name for shape in figures}) == len({shape.path for shape in figures}) == 49
    assert {shape.name for shape in figures} <= set(SHAPES)
    assert len({syllable[:2] for syllable in SHAPES}) == len(SHAPES) == 80  # no two share onset and vowel
    for shape in figures:
        numbers = np.array(re.findall(r"-?\d+", shape.path), int)
        assert max(np.ptp(numbers[::2]), np.ptp(numbers[1::2])) >= 40  # of 64
