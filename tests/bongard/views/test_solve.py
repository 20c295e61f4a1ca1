"""The widget of a sitting without a browser: what is drawn, told and stored, and what is never sent too early."""

from __future__ import annotations

import base64
import io
import json
import re
import time

import numpy as np
import pytest
from PIL import Image

from cogkit.bongard.logo import raster
from cogkit.bongard.people.sitting import pictures_of
from cogkit.bongard.views.solve import SIZE, Solve
from cogkit.core.errors import InputError

pytestmark = pytest.mark.usefixtures("use_mirror")
OTHER = {"positive": "negative", "negative": "positive"}


@pytest.fixture
def task(trials) -> Solve:
    return Solve(each=2, seed=5, trials=trials)


def press(task: Solve, **message) -> None:
    """What the browser sends for a click, or a key."""
    task._handle_custom_msg({"step": task.scene["step"]} | message, [])


def through(task: Solve):
    """Yield at every scene, and do the next thing: every second answer is wrong."""
    k = 0
    while not task.over:
        yield task.scene
        if task.scene["phase"] == "instructions":
            task.read()
        elif task.scene["phase"] == "feedback":
            task.next()
        else:
            task.answer(task.correct if k % 2 else OTHER[task.correct], 0.7)
            k += 1
    yield task.scene


def test_pictures_are_those_of_the_problem_and_sent_once(task):
    messages = []
    task.observe(lambda change: messages.append(change.new), "pictures")
    task.read()
    item = task.sitting.item
    for uris, pictures in zip(task.pictures, pictures_of(item), strict=True):
        for uri, picture in zip(uris, pictures, strict=True):
            image = Image.open(io.BytesIO(base64.b64decode(uri.removeprefix("data:image/webp;base64,"))))
            assert (np.array(image.convert("L")) == raster.image(picture, SIZE)).all()
            assert not image.getexif() and not {"comment", "xmp", "exif", "icc_profile"} & set(image.info)
    task.choose("positive")
    task.rate(0.9)
    task.answer("positive", 0.9)
    assert len(messages) == 1 and task.sitting.item is item
    task.next()
    assert len(messages) == 2 and task.sitting.item is not item


def test_nothing_that_travels_tells_before_both_answers_are_given(task):
    count, glossaries = 0, []
    for scene in through(task):
        if scene["page"]:
            assert [[len(six) for six in two] for two in task.pictures] == [[6, 6], [6, 6]]
            glossaries.append(len(scene["page"]["glossary"]))
        if scene["phase"] == "answer":
            count += 1
            problem = task.sitting.item.problem
            shapes = {p.name for side in problem.sides for picture in side for p in picture if p.name}
            names = {problem.name, *problem.concept, *shapes}
            text = json.dumps([scene, task.still])
            secrets = names | {name.replace("_", " ") for name in names}
            assert not [name for name in secrets if re.search(rf"\b{re.escape(name)}\b", text)]
            assert scene["told"] is scene["page"] is scene["table"] is None and scene["spoken"] == ""
            assert set(scene) == {
                "draw", "step", "phase", "head", "prompt", "query", "chosen", "page", "told", "paused", "status",
                "spoken", "alts", "table",
            }  # fmt: skip
            assert [len(alts) for alts in scene["alts"]] == [6, 6, 2]
    traits = {name for name in task.get_state() if not name.startswith("_")}
    assert traits <= {"scene", "pictures", "still", "layout", "tabbable", "tooltip"}
    assert count == 12 and glossaries == [0, 0, 26]


def test_keys_and_methods_are_one_and_a_second_press_counts_nothing(task):
    press(task, read=True, rt_s=12.5)
    press(task, level=2)
    assert task.scene["status"] == "First choose a group: ← or →." and len(task.trials()) == 1
    press(task, side=1, rt_s=3.0)
    press(task, side=0, rt_s=4.0)
    assert task.scene["chosen"] == 0
    before = task.scene["step"]
    press(task, level=2)
    for late in ({"level": 3}, {"side": 1, "rt_s": 5.0}, {"next": True}, {"read": True}):
        press(task, step=before, **late)
    rows = task.trials()
    assert rows.rt_s.tolist() == [12.5, 4.0] and rows.response.tolist() == ["read", "positive"]
    assert rows.extra.iloc[1]["confidence"] == 0.9 and task.scene["chosen"] == -1
    press(task, side=0, rt_s="soon")
    press(task, level=0)
    assert 0 <= task.trials().rt_s.iloc[2] < 60 and task.trials().extra.iloc[2]["confidence"] == 0.5
    before = task.scene["step"]
    press(task, next=True)
    draw = task.scene["draw"]
    press(task, step=before, next=True)
    assert task.scene["draw"] == draw and task.scene["head"][1] == "Problem 2 of 2"


def test_an_answer_is_on_the_disk_before_it_is_told_and_else_not_told(task, trials):
    other = Solve(each=2, trials=trials)  # the same sitting in another window
    other.read()
    press(task, read=True)
    assert task.scene["status"].startswith("Not stored, so not counted") and task.scene["phase"] == "instructions"
    assert len(trials.frame()) == 2
    events = []
    other.observe(lambda change: events.append((change.new["phase"], len(trials.frame()))), "scene")
    other.answer("positive", 0.9)
    other.answer("positive", 0.9)
    assert events == [("answer", 2), ("answer", 3), ("answer", 3), ("feedback", 4)]


def test_a_pause_stops_the_clock_and_hides_the_picture_and_choosing_again_does_not_set_it_back(task, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    task.read()
    now[0] += 3
    press(task, pause=True)
    assert task.paused and task.scene["paused"] and task.scene["status"] == "Paused."
    now[0] += 500
    press(task, side=0)
    press(task, level=1)
    assert len(task.trials()) == 1 and task.scene["chosen"] == -1
    press(task, pause=True)  # twice is once
    press(task, pause=False)
    now[0] += 2
    task.choose("negative")
    now[0] += 4
    task.choose("positive")
    now[0] += 100
    task.rate(0.5)
    assert task.trials().rt_s.iloc[1] == 9.0 and not task.scene["paused"]


def test_the_last_scene_has_the_answers_beside_the_published_people(trials):
    task = Solve(each=1, seed=5, trials=trials)
    *_, last = through(task)
    # As printed in Table 1 of the paper; of the own answers the first of each problem is wrong.
    assert last["table"] == [
        ["Free-form shapes", "1 of 2, 50 %", "92.1 %", "88.0 %"],
        ["Shapes by kind", "1 of 2, 50 %", "99.3 %", "90.0 %"],
        ["Attributes", "1 of 2, 50 %", "90.7 %", "71.0 %"],
    ]
    assert task.over and task.pictures == [] and last["alts"] == []
    press(task, pause=True)
    assert not task.paused
    assert task.scores().right.tolist() == [0.5] * 3 and len(task.trials()) == 9


def test_without_trials_or_with_wrong_options_nothing_is_stored(trials):
    task = Solve(each=1, seed=5)
    task.read()
    task.answer("positive", 0.9)
    for options in (*({"each": each} for each in (0, 21, 2.0, True, "2")), {"profile": "verifed"}):
        with pytest.raises(InputError):
            Solve(trials=trials, **options)
    assert trials.frame().empty and len(task.trials()) == 2
