"""The matching-to-sample widget without a browser: what is asked and told, what is stored, and what is never sent."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.equivalence.problems.records import Design
from cogkit.equivalence.views import MatchingToSample
from cogkit.equivalence.views.shapes import SYLLABLES, Shape, shapes
from cogkit.study.trials import BEGIN, Trials

SMALL = {"repeats": 1, "each": 1}  # blocks of 6 trials, a test of 27


@pytest.fixture
def trials(home) -> Trials:
    return Trials()


def wrong(task: MatchingToSample) -> int:
    return (task.correct + 1) % 3


def master(task: MatchingToSample) -> None:
    while task.sitting.stage == "practice":
        task.answer(task.correct)


def shown(task: MatchingToSample) -> list[str]:
    """The names of what is shown: the sample, then the comparisons."""
    return [shape["name"] for shape in (task.scene["sample"], *task.scene["comparisons"])]


def test_feedback_follows_an_answer_and_shows_the_same_trial(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    before, right = shown(task), task.correct
    assert task.scene["told"] is None and task.scene["head"] == [
        "Training, block 1",
        "Trial 1 of 6",
        "0 right so far",
        "6 of 6 needed",
    ]
    assert task.answer(right) and task.scene["status"] == "Right ✓"
    assert task.scene["told"] == {"given": right, "right": right} and shown(task) == before
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
    assert task.scene["head"] == ["Training, block 1", "Trial 6 of 6", "5 right so far", "6 of 6 needed"]
    task.next()
    assert task.scene["status"] == "Block 2 begins." and task.scene["head"][:2] == ["Training, block 2", "Trial 1 of 6"]
    assert [row["text"] for row in task.scene["beside"]["rows"]] == ["5 of 6"]
    master(task)
    assert task.scene["waits"] and task.scene["status"].endswith(
        "Block 2 done: 6 of 6 right. Mastered: the test comes next."
    )
    task.next()
    assert task.scene["status"] == "The test begins: 27 trials." and task.scene["head"] == ["Test", "Trial 1 of 27"]
    assert not task.scene["can_skip"] and not task.scene["training"]


def test_the_test_tells_nothing_until_its_end(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    master(task)
    task.next()
    rng, scores = np.random.default_rng(0), {}
    for k in range(27):
        scene = task.scene
        assert scene["told"] is None and scene["head"] == ["Test", f"Trial {k + 1} of 27"]
        assert (
            "right" not in scene["status"].lower()
            and scene["beside"]["note"] == "Your score comes after the last trial."
        )
        relation = {"AC": "transitivity", "CA": "equivalence"}
        trial = task.sitting.item
        name = relation.get(trial.frame().pair[0], trial.types[0])
        place = int(rng.integers(3))
        scores.setdefault(name, []).append(place == task.correct)
        task.answer(place)
    assert task.over and task.scene["sample"] is None and task.scene["head"] == ["All done", "27 test trials"]
    order = ("baseline", "reflexivity", "symmetry", "transitivity", "equivalence")
    rows = task.scene["beside"]["rows"]
    assert [row["text"] for row in rows] == [*(f"{sum(scores[n])} of {len(scores[n])}" for n in order), "1 of 3"]
    assert [len(scores[name]) for name in order] == [6, 9, 6, 3, 3]
    derived = [right for name in order[1:] for right in scores[name]]
    assert task.scene["status"] == (
        f"{sum(derived)} of 21 right where nothing was trained, {sum(scores['baseline'])} of 6 on the trained pairs."
    )
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


def test_shapes_belong_to_stimuli_by_the_seed_alone():
    by_seed = []
    for seed in range(4):
        task, pictures = MatchingToSample(seed=seed, **SMALL), {}
        while not task.over:
            tokens = task.sitting.item.tokens[0, :4].tolist()
            for token, shape in zip(tokens, (task.scene["sample"], *task.scene["comparisons"]), strict=True):
                assert pictures.setdefault(token, (shape["name"], shape["path"])) == (shape["name"], shape["path"])
            task.answer(task.correct)
            task.next()
        assert len(pictures) == len(set(pictures.values())) == 9
        by_seed.append(pictures)
    assert all(first[0] != second[0] for first, second in itertools.combinations(by_seed, 2))


def test_dummies_stand_in_training_and_never_in_the_test():
    task = MatchingToSample(Design(relation="select-only", members=3, classes=3), **SMALL)
    names = {shape.name for shape in task._shapes[:9]}
    assert sum(name in names for name in shown(task)) == 2  # the sample and the right one
    master(task)
    task.next()
    while not task.over:
        assert set(shown(task)) <= names
        task.answer(task.correct)


def test_a_key_and_the_method_are_one_and_a_second_press_counts_nothing(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    number, choice = task.scene["trial"], wrong(task)
    task._handle_custom_msg({"answer": choice, "trial": number, "rt_s": 1.25}, [])
    task._handle_custom_msg({"answer": choice, "trial": number, "rt_s": 1.25}, [])
    assert task.scene["told"]["given"] == choice and len(task.trials()) == 1
    task._handle_custom_msg({"answer": 0, "trial": task.scene["trial"]}, [])  # feedback is not answered
    assert len(task.trials()) == 1
    message = {"next": True, "trial": task.scene["trial"]}
    task._handle_custom_msg(message, [])
    assert task.scene["told"] is None
    draw = task.scene["draw"]
    task._handle_custom_msg(message, [])
    assert task.scene["draw"] == draw
    task._handle_custom_msg({"answer": task.correct, "trial": task.scene["trial"], "rt_s": "soon"}, [])
    assert task.trials().rt_s[0] == 1.25 and task.trials().rt_s[1] >= 0
    task._handle_custom_msg({"skip": True, "trial": task.scene["trial"]}, [])
    assert task.scene["head"][0] == "Test" and task.sitting.skipped and task.scene["told"] is None


def test_an_answer_is_on_the_disk_before_it_is_told(trials):
    task, events = MatchingToSample(trials=trials, **SMALL), []
    task.observe(lambda change: events.append((change.new["told"] is not None, len(trials.frame()))), "scene")
    task.answer(task.correct)
    task.next()
    task.answer(task.correct)
    assert events == [(True, 2), (False, 2), (True, 3)]


def test_an_answer_that_cannot_be_stored_is_not_told(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    window = MatchingToSample(trials=trials, **SMALL)  # the same sitting in another window
    window.answer(0)
    with pytest.raises(InputError):
        task._receive(task, {"answer": 1, "trial": task.scene["trial"]}, [])
    assert task.scene["status"].startswith("Not stored, so not counted") and task.scene["told"] is None
    assert trials.frame()["item"].tolist()[0] == BEGIN and len(trials.frame()) == 2


def test_it_goes_on_where_it_stopped(trials):
    task = MatchingToSample(trials=trials, **SMALL)
    master(task)
    for _ in range(5):
        task.answer(0)
    again = MatchingToSample(trials=Trials(), **SMALL)
    assert again.sitting == task.sitting and again.scene["status"] == "It goes on where you stopped."
    assert again.scene["head"] == ["Test", "Trial 6 of 27"] and shown(again) == shown(task)


def test_without_trials_nothing_of_the_readers_is_touched(trials):
    task = MatchingToSample(**SMALL)
    master(task)
    assert trials.frame().empty and len(task.trials()) == 6


def test_what_cannot_be_played_is_refused_before_anything_is_stored(trials):
    with pytest.raises(InputError, match="1 to 80, one a syllable"):
        MatchingToSample(Design(members=12), trials=trials)
    with pytest.raises(InputError, match="1 or more"):
        MatchingToSample(trials=trials, repeats=0)
    assert trials.frame().empty


def test_what_travels_is_small(trials):
    task = MatchingToSample(trials=trials)
    assert len(task._esm.encode()) <= 15_000 and len(json.dumps(task.scene).encode()) < 3_000


def area(shape: Shape) -> np.ndarray:
    """The shape as 64 × 64 pixels, drawn from its path by the even-odd rule."""
    points = []
    for command, numbers in re.findall(r"([MLC])([-\d ]+)", shape.path):
        way = np.array(numbers.split(), float).reshape(-1, 2)
        if command == "C":
            t = np.linspace(0, 1, 12)[1:, None]
            start = points[-1]
            points += list(
                (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * way[0] + 3 * (1 - t) * t**2 * way[1] + t**3 * way[2]
            )
        else:
            points.append(way[0])
    x, y = np.meshgrid(np.arange(64) + 0.5, np.arange(64) + 0.5)
    inside = np.zeros((64, 64), bool)
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        crosses = (y0 > y) != (y1 > y)
        inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0 if y1 != y0 else 1) + x0)
    return inside


@pytest.mark.parametrize("seed", [0, 1])
def test_shapes_can_be_told_apart_and_fill_their_square(seed):
    figures = shapes(49, seed)  # what the paper's design needs with its dummies
    assert len({shape.name for shape in figures}) == 49 and {shape.name for shape in figures} <= set(SYLLABLES)
    pictures = [area(shape) for shape in figures]
    for picture in pictures:
        rows, columns = np.flatnonzero(picture.any(1)), np.flatnonzero(picture.any(0))
        assert max(np.ptp(rows), np.ptp(columns)) >= 40 and picture.sum() >= 300  # of 4,096
        assert not picture[[0, -1]].any() and not picture[:, [0, -1]].any()
    for first, second in itertools.combinations(pictures, 2):
        overlap = (first & second).sum() / (first | second).sum()
        assert overlap < 0.9


def test_no_two_syllables_share_onset_and_vowel():
    assert len({syllable[:2] for syllable in SYLLABLES}) == len(SYLLABLES) == 80
    assert all(re.fullmatch("[bdfgjklmnprtvwyz][aeiou][bdfgklmnpvxz]", syllable) for syllable in SYLLABLES)


def test_the_same_seed_gives_the_same_shapes():
    assert shapes(15, 3) == shapes(15, 3) != shapes(15, 4)
