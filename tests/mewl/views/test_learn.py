"""The widget of a sitting without a browser: what is drawn, told and stored, and what is never sent too early."""

from __future__ import annotations

import base64
import io
import json

import pytest
from PIL import Image

from cogkit.core.errors import InputError
from cogkit.mewl.people import published as people
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.views.learn import Learn
from cogkit.mewl.world.things import ATTRIBUTE_OF
from cogkit.study.trials import Trials

SIZE, COARSE = (320, 240), (80, 60)


def learn(trials: Trials | None, task: str = "number", seed: int = 5, **options) -> Learn:
    return Learn(task, seed, trials, **({"tests": 2, "attention": 1} | options))


def read(task: Learn) -> Learn:
    """The same at the check of its tutorial."""
    while task.scene["phase"] == "tutorial":
        task.next(1.0)
    return task


def taught(task: Learn) -> Learn:
    """The same, its tutorial passed."""
    read(task).choose(task.correct, 1.0)
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


def test_pictures_are_coarse_at_once_and_then_those_of_the_scenes(trials):
    """The next item's are drawn while one thinks, and not sent."""
    task = taught(learn(trials))
    sent, scenes, count = [], set(task.sitting.scenes), 0
    task.observe(lambda change: sent.append(change.new), "pictures")
    assert [image(uri).size for uri in task.pictures] == [COARSE] * 7
    while task.drawing["left"]:  # the browser asks for pictures until none is left to draw
        updates = task.drawing["told"]
        press(task, more=True)
        assert task.drawing["told"] > updates  # else the browser would not ask again
        count += 1
    for uri, scene in zip(task.pictures, task.sitting.scenes, strict=True):
        assert file(uri) == rendering.webp(rendering.render(scene)) and len(file(uri)) <= 10_000
        assert not image(uri).getexif() and not {"comment", "xmp", "exif", "icc_profile"} & set(image(uri).info)
    press(task, more=True)  # one too many does nothing
    assert not task.drawing["left"] and len(sent) == len(scenes)
    task.choose(task.correct)
    assert [image(uri).size for uri in task.pictures] == [SIZE] * 7
    assert count == len(scenes | set(task.sitting.scenes))
    coming = [uri for uri, scene in zip(task.pictures, task.sitting.scenes, strict=True) if scene not in scenes]
    assert coming and not any(uri in message for uri in coming for message in sent[:-1])


@pytest.mark.parametrize("task", ["color", "composite", "pragmatic"])
def test_nothing_that_travels_tells_before_the_answer_is_stored(trials, task):
    """Names of values (red, cube, large, …) are in no text until then; the names of pictures are new words."""
    widget = learn(trials, task, feedback=True)
    count, sent = 0, {"step", "phase", "head", "prompt", "text", "names", "options", "chosen", "right"}
    for scene in through(widget):
        assert set(scene) == sent | {"draw", "status", "spoken", "alts", "table", "again"} and not scene["again"]
        assert len(json.dumps(scene).encode()) < 6_000 and len(json.dumps(widget.pictures).encode()) < 40_000
        if scene["phase"] in ("check", "answer"):
            count += 1
            words = json.dumps(scene).replace(scene["head"][0], "")
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
    assert traits <= {"scene", "pictures", "drawing", "layout", "tabbable", "tooltip"}


def test_what_is_sent_does_not_depend_on_the_right_answer(trials):
    """By default only the tutorial tells: the same presses, rightly or wrongly given, look the same to the end."""
    first, second = taught(learn(trials)), taught(learn(None))
    for _ in range(2):
        first.answer(first.correct, rt_s=1.0)
        second.answer((second.correct + 1) % 5, rt_s=1.0)
        assert first.scene == second.scene and first.pictures == second.pictures
        assert first.scene["status"].startswith("Stored. Item ")


def test_a_sitting_that_ends_in_the_tutorial_can_begin_again_and_is_marked(trials):
    task = read(learn(trials))
    first = task.sitting.id
    for _ in range(2):
        press(task, option=(task.correct + 1) % 5, rt_s=1.0)
    assert task.over and task.scene["again"] and task.scene["status"] == "Not right ✗ Your answers are kept."
    with pytest.raises(InputError, match="a sitting that goes on"):
        learn(None).again()
    press(task, again=True)
    assert task.sitting.id != first and not task.scene["again"] and task.scene["phase"] == "tutorial"
    press(task, again=True, step="0/done")  # a second press
    while not task.over:
        task.next() if task.scene["phase"] == "tutorial" else task.answer(task.correct)
    table = people.log(trials.frame()).set_index("sitting")
    assert table.loc[[first, task.sitting.id], "reason"].tolist() == ["tutorial failed", "after practice"]


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
    for late in ({"option": 3}, {"next": True}, {"more": True}):
        press(task, step=step, **late)
    rows = task.trials()
    assert rows.rt_s.iloc[3:].tolist() == [3.0, 4.0, 5.0] and task.scene["head"][1] == "Item 2 of 3"
    assert rows.extra.iloc[5]["choice"] == 2 and rows.extra.iloc[5]["confidence"] is None


def test_an_answer_is_on_the_disk_before_it_is_told(trials):
    task, events = taught(learn(trials, feedback=True)), []
    task.observe(lambda change: events.append((change.new["phase"], len(trials.frame()))), "scene")
    task.choose(0)
    task.next()
    task.choose(0)
    assert events == [("feedback", 6), ("answer", 6), ("feedback", 7)]
    again = learn(Trials(), feedback=True)
    assert again.scene["status"] == "It goes on where you stopped." and again.pictures == task.pictures
    assert {**again.scene, "draw": 0, "status": ""} == {**task.scene, "draw": 0, "status": ""}


def test_an_answer_that_cannot_be_stored_is_not_told(trials):
    task, other = learn(trials), learn(trials)  # the same sitting in another window
    assert other.sitting.id == task.sitting.id
    other.next()
    press(task, next=True)
    assert task.scene["status"].startswith("Not stored, so not counted") and task.sitting.pages == 0
    assert len(trials.frame()) == 2


def test_the_last_scene_has_the_answers_beside_the_published_people(trials):
    task = learn(trials, "object", feedback=False)
    *_, last = through(task)
    right = task.sitting.right
    checks = [task.sitting.items[k].attention for k in task.sitting.order]
    tests = sum(r for r, check in zip(right, checks, strict=True) if not check)
    ((_, share, people), (_, check, _)) = last["table"]
    assert share == f"{tests} of 2, {50 * tests} %" and people == "79.1 %"  # Table 2 of the paper
    assert check.startswith(f"{int(right[checks.index(True)])} of 1")
    assert right == [False, True, False] and task.over and task.pictures == [] and last["alts"] == []
    line = task.scores().iloc[0]
    assert (line.answers, line.right, line.task) == (2, tests / 2, "object")


def test_without_trials_nothing_of_the_readers_is_touched_nor_by_what_cannot_be_sat(trials):
    task = taught(learn(None))
    assert trials.frame().empty and len(task.trials()) == 4
    for options in ({"task": "colour"}, {"tests": 0}, {"profile": "verifed"}):
        with pytest.raises(InputError):
            learn(trials, **options)
    assert trials.frame().empty
