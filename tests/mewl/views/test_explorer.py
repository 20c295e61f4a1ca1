"""`Explorer` without a browser: every click is a method, and the answer is told on demand."""

from __future__ import annotations

import json
from itertools import product

import pytest

from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import module
from cogkit.mewl.views import pictures
from cogkit.mewl.views.explorer import Explorer
from cogkit.mewl.world.things import ATTRIBUTE_OF


def send(explorer, **message) -> None:
    explorer._handle_custom_msg(message, [])


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Pictures of 32 pixels: which scene is drawn matters here, not how well."""
    original = pictures.sharp
    monkeypatch.setattr(pictures, "sharp", lambda scene: original(scene, "browse", 32))


def test_an_episode_is_that_of_its_number_and_six_panels_leave_what_the_solver_does():
    explorer = Explorer("number", seed=3, part="val")
    for task, profile in product(TASKS, ("verified", "as_published")):
        explorer.look(task, 5, profile)
        question = making.episode(task, 5, profile, 3, "val").trial
        assert explorer.episode.trial == question and explorer.seen == 0 and explorer.possible == (True,) * 5
        status = explorer.see(6)
        assert explorer.possible == module(task).solve(question)[1]
        assert f"{sum(explorer.possible)} of 5 options can be right." in status == explorer.scene["status"]
        assert explorer.table["names"] == [panel.utterance for panel in question.panels]
        counts = explorer.space.options.sum(axis=0).tolist()
        left = [7 if possible else n for possible, n in zip(explorer.possible, counts, strict=True)]
        assert explorer.table["optionStruck"] == left
        *expected, query = [pictures.uri(pictures.sharp(scene)) for scene in question.scenes]
        explorer.see(4)
        assert explorer.pictures == [*expected[:4], "", "", query]


def test_a_click_does_what_its_method_does():
    explorer, twin = Explorer("pragmatic"), Explorer("pragmatic")
    for message, call in [
        ({"see": 4}, lambda: twin.see(4)),
        ({"hear": "literal"}, lambda: twin.hear("literal")),
        ({"shortcut": "elimination"}, lambda: twin.shortcut("elimination")),
        ({"reveal": True}, twin.reveal),
        ({"reveal": False}, lambda: twin.reveal(False)),
        ({"turn": 1}, twin.turn),
        ({"turn": -1}, lambda: twin.turn(-1)),
        ({"any": True}, twin.any),
        ({"task": "relation", "number": 2}, lambda: twin.look("relation", 2)),
        ({"profile": "as_published"}, lambda: twin.look(profile="as_published")),
    ]:
        send(explorer, **message)
        assert call() == explorer.scene["status"]
        assert (explorer.scene, explorer.table, explorer.pictures) == (twin.scene, twin.table, twin.pictures), message


def test_struck_out_on_the_page_is_what_is_not_alive():
    explorer = Explorer("shape")
    struck, alive = explorer.table["struck"], explorer.space.alive
    for k in range(7):
        page = [[n > k for n in row] for row in struck]
        assert page == alive[k].tolist()
        assert f"{alive[k].sum()} of {alive[k].size} meanings are left" in explorer.see(k)


def test_nothing_tells_the_answer_before_it_is_asked_for():
    explorer = Explorer("color")
    for number in range(3):
        explorer.look(number=number)
        explorer.see(2)
        sent = explorer.scene
        assert sent["answer"] is None and sent["meant"] == []
        assert not any(value in " ".join(sent["alts"]) for value in ATTRIBUTE_OF)
        before = json.dumps(explorer.table)
        explorer.reveal()
        state, episode = explorer.scene, explorer.episode
        assert state["answer"] == episode.answer and json.dumps(explorer.table) == before
        for panel, alt in zip(episode.trial.panels, state["alts"], strict=False):
            assert panel.scene.things[0].color in alt
        for row, column in zip(explorer.space.rows, state["meant"], strict=True):
            assert (explorer.space.columns[column] if column >= 0 else None) == episode.lexicon.get(row)
        explorer.reveal(False)
        assert explorer.scene | {"status": ""} == sent | {"status": ""}
        explorer.reveal()
    explorer.turn()
    assert explorer.scene["answer"] is None, "the next one is hidden again"


def test_what_cannot_be_done_is_told_and_changes_nothing():
    explorer = Explorer("shape", part="val")
    explorer.turn(-1)
    assert explorer.number == 0
    explorer.see(3)
    before = explorer.scene, explorer.table, explorer.episode
    for message, says in (({"task": "smell"}, "smell"), ({"number": 600}, "599"), ({"see": 7}, "between 0 and 6"),
                          ({"hear": "odd"}, "odd"), ({"shortcut": "joint"}, "joint")):  # fmt: skip
        send(explorer, **message)
        assert says in explorer.scene["status"] and explorer.scene["status"].startswith("Not done: ")
        assert (explorer.scene | {"status": before[0]["status"]}, explorer.table, explorer.episode) == before
