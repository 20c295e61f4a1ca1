"""The widget of a sitting without a browser: what is drawn, told and stored, and what is never sent too early."""

from __future__ import annotations

import base64
import io
import json
import time

import numpy as np
import pytest
from PIL import Image

from cogkit.core.contracts import InputError
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.views import pictures
from cogkit.mewl.views.learn import Learn
from cogkit.mewl.world.things import ATTRIBUTE_OF
from cogkit.study.trials import Trials

SIZE, COARSE = (320, 240), (80, 60)
TOLD = "step", "phase", "head", "prompt", "text", "names", "options", "chosen", "right"


@pytest.fixture
def trials(home) -> Trials:
    return Trials()


def learn(trials: Trials | None, task: str = "number", seed: int = 5, **options) -> Learn:
    return Learn(task, seed, trials, **({"tests": 2, "attention": 1} | options))


def taught(task: Learn) -> Learn:
    """The same, its tutorial passed."""
    while task.scene["phase"] == "tutorial":
        task.next(1.0)
    task.choose(task.correct, 1.0)
    return task


def press(task: Learn, **message) -> None:
    """What the browser sends for a click, or a key."""
    task._handle_custom_msg({"step": task.scene["step"]} | message, [])


def through(task: Learn):
    """Yield at every scene, and do the next thing: every second answer is wrong."""
    k = 0
    while not task.over:
        yield task.scene
        if task.scene["phase"] in ("tutorial", "feedback"):
            task.next(1.0)
        else:
            wrong = task.scene["phase"] == "answer" and k % 2
            task.answer((task.correct + bool(wrong)) % 5, rt_s=1.0)
            k += 1
    yield task.scene


def file(uri: str) -> bytes:
    kind, data = uri.split(",")
    assert kind == "data:image/webp;base64"
    return base64.b64decode(data)


def image(uri: str) -> Image.Image:
    return Image.open(io.BytesIO(file(uri)))


def draw_all(task: Learn) -> int:
    """Ask for pictures as the browser does, until none is left to draw; return how many were drawn."""
    k = 0
    while task.drawing["left"]:
        count = task.drawing["told"]
        press(task, more=True)
        assert task.drawing["told"] > count  # else the browser would not ask again
        k += 1
    return k


def test_pictures_are_coarse_at_once_and_then_those_of_the_scenes(trials):
    task = taught(learn(trials))
    assert [image(uri).size for uri in task.pictures] == [COARSE] * 7
    rough = [np.array(image(uri).resize(SIZE).convert("L"), float) for uri in task.pictures]
    press(task, more=True)
    sizes = [image(uri).size for uri in task.pictures]
    assert sizes[0] == SIZE and COARSE in sizes
    draw_all(task)
    for uri, scene in zip(task.pictures, task.sitting.scenes, strict=True):
        assert file(uri) == rendering.webp(rendering.render(scene))
    sharp = [np.array(image(uri).convert("L"), float) for uri in task.pictures]
    apart = np.array([[np.abs(first - second).mean() for second in sharp[:6]] for first in rough[:6]])
    assert (apart.argmin(axis=1) == np.arange(6)).all()  # each grows into itself; a check's query is one of the six
    press(task, more=True)  # one too many does nothing
    assert not task.drawing["left"]


def test_pictures_of_the_next_item_are_drawn_while_one_thinks_and_not_sent(trials):
    task = taught(learn(trials))
    sent, scenes = [], set(task.sitting.scenes)
    task.observe(lambda change: sent.append(change.new), "pictures")
    count = draw_all(task)
    assert len(sent) == len(scenes)
    task.choose(task.correct)
    assert [image(uri).size for uri in task.pictures] == [SIZE] * 7
    assert count == len(scenes | set(task.sitting.scenes))
    coming = [uri for uri, scene in zip(task.pictures, task.sitting.scenes, strict=True) if scene not in scenes]
    assert coming and not any(uri in message for uri in coming for message in sent[:-1])


def test_a_choice_between_two_pictures_is_stored_and_what_is_asked_for_late_is_harmless(trials):
    task = taught(learn(trials))
    step = task.scene["step"]
    press(task, more=True)
    press(task, option=task.correct, rt_s=2.0)
    press(task, more=True, step=step)
    assert len(task.trials()) == 5 and task.scene["head"][1] == "Item 2 of 3"
    draw_all(task)
    for uri, scene in zip(task.pictures, task.sitting.scenes, strict=True):
        assert file(uri) == rendering.webp(rendering.render(scene))


def test_a_picture_file_holds_its_pixels_and_nothing_else(trials):
    task = taught(learn(trials))
    press(task, more=True)
    for uri in task.pictures:
        picture = image(uri)
        assert not picture.getexif() and not {"comment", "xmp", "exif", "icc_profile"} & set(picture.info)


def test_a_picture_is_drawn_once_and_what_cannot_be_drawn_is_refused(trials):
    scene = taught(learn(trials)).sitting.scenes[0]
    assert pictures.shown(scene) is pictures.shown(scene) and pictures.coarse(scene) is pictures.coarse(scene)
    assert len(pictures.shown(scene)) <= 10_000 and len(pictures.coarse(scene)) < len(pictures.shown(scene))
    with pytest.raises(InputError, match="quality"):
        pictures.shown(scene, "finest")


@pytest.mark.parametrize("task", ["color", "composite", "pragmatic"])
def test_nothing_that_travels_tells_before_the_answer_is_stored(trials, task):
    """Names of values (red, cube, large, …) are in no text until then; the names of pictures are new words."""
    widget = learn(trials, task, feedback=True)
    count = 0
    for scene in through(widget):
        assert set(scene) == {*TOLD, "draw", "status", "spoken", "sure", "alts", "table"}
        if scene["phase"] in ("check", "answer"):
            count += 1
            words = json.dumps([scene, widget.still]).replace(scene["head"][0], "")
            assert not [value for value in ATTRIBUTE_OF if f" {value}" in words or f'"{value}' in words]
            assert scene["right"] == -1 and scene["spoken"] == "" and scene["table"] is None and scene["text"] == []
            called = [f"Picture {k}, called {name}" for k, name in enumerate(scene["names"], 1)]
            assert scene["alts"] == [*called, "The picture that is asked about"]
        elif scene["phase"] == "feedback":
            things = widget.sitting.scenes[6].things
            assert all(str(thing) in scene["alts"][6] for thing in things)
            assert scene["spoken"] == " ".join(scene["text"])
            assert scene["right"] == widget.sitting.feedback.item.episode.answer
    assert count == 4
    traits = {name for name in widget.get_state() if not name.startswith("_")}
    assert traits <= {"scene", "pictures", "drawing", "still", "layout", "tabbable", "tooltip"}


def test_what_is_sent_does_not_depend_on_the_right_answer(trials):
    """By default only the tutorial tells: the same presses, rightly or wrongly given, look the same to the end."""
    first, second = taught(learn(trials)), taught(learn(None))
    for _ in range(2):
        first.answer(first.correct, rt_s=1.0)
        second.answer((second.correct + 1) % 5, rt_s=1.0)
        assert first.scene == second.scene and first.pictures == second.pictures
        assert first.scene["status"].startswith("Stored. Item ")


def test_keys_and_methods_are_one_and_a_second_press_counts_nothing(trials):
    task = learn(trials)
    step = task.scene["step"]
    press(task, next=True, rt_s=12.5)
    press(task, step=step, next=True, rt_s=13.0)
    assert task.trials().rt_s.tolist() == [12.5] and task.scene["status"] == "Tutorial, step 2 of 4."
    press(task, next=True, rt_s="soon")
    press(task, next=True, rt_s=-3)
    assert task.scene["phase"] == "check" and (task.trials().rt_s < 60).all()
    press(task, option=(task.correct + 1) % 5, rt_s=3.0)
    assert task.scene["status"] == "Not right ✗ Once more." and task.scene["chosen"] == (task.correct + 1) % 5
    press(task, option=task.correct, rt_s=4.0)
    assert task.scene["status"] == "Right ✓ Now the items. Item 1 of 3."
    step = task.scene["step"]
    press(task, option=2, rt_s=5.0)
    for late in ({"option": 3}, {"next": True}, {"level": 1}):
        press(task, step=step, **late)
    press(task, level=1)  # how sure is not asked
    rows = task.trials()
    assert rows.rt_s.iloc[3:].tolist() == [3.0, 4.0, 5.0] and task.scene["head"][1] == "Item 2 of 3"
    assert rows.extra.iloc[5]["choice"] == 2 and rows.extra.iloc[5]["confidence"] is None


def test_how_sure_is_asked_of_items_and_stored_with_the_name(trials, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    task = taught(learn(trials, confidence=True))
    assert task.scene["sure"] and task.scene["chosen"] == -1
    press(task, level=2)
    assert task.scene["status"] == "First choose a name: 1 to 5." and len(task.trials()) == 4
    clock[0] += 3
    press(task, option=0)
    clock[0] += 4
    press(task, option=3)  # and changes their mind: the clock is not set back
    assert task.scene["chosen"] == 3 and len(task.trials()) == 4
    clock[0] += 100
    press(task, level=2)
    row = task.trials().iloc[4]
    assert (row.rt_s, row.extra["choice"], row.extra["confidence"]) == (7.0, 3, 0.6)
    assert task.scene["chosen"] == -1
    with pytest.raises(InputError):
        task.rate(0.6)  # no name is chosen
    with pytest.raises(InputError):
        task.choose(5)
    assert len(task.trials()) == 5


def test_an_answer_is_on_the_disk_before_it_is_told(trials):
    task, events = taught(learn(trials, feedback=True)), []
    task.observe(lambda change: events.append((change.new["phase"], len(trials.frame()))), "scene")
    task.choose(0)
    task.next()
    task.choose(0)
    assert events == [("feedback", 6), ("answer", 6), ("feedback", 7)]


def test_an_answer_that_cannot_be_stored_is_not_told(trials):
    task, other = learn(trials), learn(trials)  # the same sitting in another window
    assert other.sitting.id == task.sitting.id
    other.next()
    with pytest.raises(InputError):
        task._receive(task, {"next": True, "step": task.scene["step"]}, [])
    assert task.scene["status"].startswith("Not stored, so not counted") and task.sitting.pages == 0
    assert len(trials.frame()) == 2


def test_it_goes_on_where_it_stopped(trials):
    task = taught(learn(trials, feedback=True))
    task.answer(task.correct)
    again = learn(Trials(), feedback=True)
    assert again.scene["status"] == "It goes on where you stopped." and again.scene["phase"] == "feedback"
    assert {**again.scene, "draw": 0, "status": ""} == {**task.scene, "draw": 0, "status": ""}
    assert again.pictures == task.pictures


def test_the_last_scene_has_the_answers_beside_the_published_people(trials):
    task = learn(trials, "object", feedback=False)
    *_, last = through(task)
    right = task.sitting.right
    checks = [task.sitting.items[k].attention for k in task.sitting.order]
    tests = sum(r for r, check in zip(right, checks, strict=True) if not check)
    share = {0: "0 of 2, 0 %", 1: "1 of 2, 50 %", 2: "2 of 2, 100 %"}[tests]
    check = {False: "0 of 1, 0 %", True: "1 of 1, 100 %"}[right[checks.index(True)]]
    assert last["table"] == [["Test items", share, "79.1 %"], ["Attention checks", check, ""]]  # Table 2 of the paper
    assert right == [False, True, False] and task.over and task.pictures == [] and last["alts"] == []
    line = task.scores().iloc[0]
    assert (line.answers, line.right, line.task) == (2, tests / 2, "object")


def test_who_fails_the_check_twice_is_told_so_and_has_no_items(trials):
    task = learn(trials)
    while task.scene["phase"] == "tutorial":
        task.next()
    for _ in range(2):
        task.choose((task.correct + 1) % 5)
    assert task.over and task.scene["table"] is None and task.scene["status"] == "Not right ✗"
    assert task.scene["prompt"].startswith("That was not it again") and task.pictures == []
    assert task.scores().reason.tolist() == ["tutorial failed"]


def test_without_trials_nothing_of_the_readers_is_touched(trials):
    task = taught(learn(None))
    assert trials.frame().empty and len(task.trials()) == 4


@pytest.mark.parametrize("options", [{"task": "colour"}, {"tests": 0}, {"attention": -1}, {"profile": "verifed"}])
def test_what_cannot_be_sat_is_refused_before_anything_is_stored(trials, options):
    with pytest.raises(InputError):
        learn(trials, **options)
    assert trials.frame().empty


def test_what_travels_is_small(trials):
    task = learn(trials, "bootstrap", feedback=True)
    assert len(task._esm.encode()) <= 15_000 and len(task._css.encode()) <= 10_000
    for scene in through(task):
        draw_all(task)
        assert len(json.dumps(scene).encode()) < 6_000 and len(json.dumps(task.pictures).encode()) < 40_000
