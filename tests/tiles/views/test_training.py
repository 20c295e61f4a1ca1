"""`TrainPanel` without a browser: a real agent learns on the loop, stops, goes on, and is what a straight run makes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from cogkit.core.errors import InputError
from cogkit.core.presets import changed
from cogkit.learning import Fit, State, run
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.training import train
from cogkit.tiles.views import TrainPanel

CONFIG = changed(AgentConfig("pyramid/abstract"), steps=24, batch=16)
SIGNS = {".": -1, "0": 0, "1": 1}


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def straight():
    return run(train(CONFIG, seed=0))


def same(one, other) -> bool:
    pairs = zip(*(result.state.modules["policy"].parameters() for result in (one, other)), strict=True)
    return one.steps == other.steps and all(torch.equal(mine, its) for mine, its in pairs)


async def until(condition) -> None:
    """Return once the condition holds, everything else on the loop running meanwhile."""
    while not condition():
        await asyncio.sleep(0)


def test_trained_here_is_the_straight_run_and_is_drawn_as_it_is(straight):
    panel = TrainPanel(lambda: train(CONFIG, seed=0), {"floor": 11.85, "observer": 2.27})
    assert [button["label"] for button in panel.scene["buttons"]] == ["Start", "Stop"]
    with pytest.raises(InputError, match="press Start"):
        panel.result  # noqa: B018
    result = asyncio.run(panel.train())
    assert same(result, straight) and not result.stopped
    (curve,) = panel.scene["curves"]
    log = straight.log[["step", "blue"]].dropna()
    np.testing.assert_allclose(np.array(curve["series"][0]["points"]), log.to_numpy(dtype=float), rtol=1e-3)
    levels = [(line["kind"], line["label"]) for line in curve["lines"]]
    assert levels == [("floor", "nearest neighbour 11.85"), ("observer", "ideal observer 2.27")]
    boards = [[SIGNS[sign] for sign in word] for word in panel.scene["boards"]]
    assert np.array_equal(boards, result.state.game.shown[:6])
    assert panel.scene["status"].startswith("Done: 24 steps in ")
    assert list(panel.figure().data[0].y) == list(log["blue"])


def test_stopped_and_started_by_messages_is_the_straight_run(straight):
    async def pressed():
        panel = TrainPanel(train(CONFIG, seed=0))
        panel._handle_custom_msg({"press": "start"}, [])
        task = panel.start()  # the one under way
        await until(lambda: panel.result.steps >= 5)
        panel._handle_custom_msg({"press": "stop"}, [])
        stopped = await task
        assert stopped.stopped and 5 <= stopped.steps <= 6
        assert panel.scene["status"].endswith("the model is kept. Start goes on from there.")
        assert panel.scene["buttons"][0] == {"press": "start", "label": "Go on", "why": ""}
        panel._handle_custom_msg({"press": "stop"}, [])  # nothing runs: nothing happens
        return await panel.train()

    assert same(asyncio.run(pressed()), straight)


def test_a_cell_that_is_interrupted_stops_it_and_keeps_the_model(straight):
    async def interrupted():
        panel = TrainPanel(train(CONFIG, seed=0))
        cell = asyncio.create_task(panel.train())
        await until(lambda: panel.running and panel.result.steps >= 5)
        cell.cancel()  # as ipykernel ends a cell that awaits
        with pytest.raises(asyncio.CancelledError):
            await cell
        assert not panel.running and panel.result.stopped and panel.result.steps <= 7
        return await panel.train()

    assert same(asyncio.run(interrupted()), straight)


def broken_fit(tmp_path=None, at: int = 5) -> Fit:
    def step(state):
        state.scalars["taken"] += 1
        if state.scalars["taken"] == at:
            raise ZeroDivisionError("of the learner")
        return {"blue": float(state.scalars["taken"])}

    checkpoint = tmp_path and tmp_path / "run.safetensors"
    return Fit(
        lambda _, rng: State(rng, scalars={"taken": 0}), step, {}, steps=9, seed=0, checkpoint=checkpoint, save_every=2
    )


def test_an_error_is_told_and_raised_and_a_maker_goes_on_from_the_checkpoint(tmp_path):
    steps = iter([5, 99])
    panel = TrainPanel(lambda: broken_fit(tmp_path, next(steps)))
    with pytest.raises(ZeroDivisionError, match="of the learner"):
        asyncio.run(panel.train())
    assert panel.scene["buttons"][0]["why"] == ""
    result = asyncio.run(panel.train())
    assert result.steps == 9 and list(result.log["blue"]) == [float(n) for n in range(1, 10)]


def keeping(path, made: list | None = None) -> TrainPanel:
    """A panel whose run is kept in a file, as a cell of a notebook makes it."""

    def make() -> Fit:
        if made is not None:
            made.append(1)
        return broken_fit(path, at=99)

    return TrainPanel(make, checkpoint=path / "run.safetensors")


class Named:
    """A learner that says how many steps made it."""

    def __init__(self, result) -> None:
        self.name, self.steps = "LSTM", result.steps


OURS = SimpleNamespace(name="LSTM", steps="shipped")


def test_a_run_survives_its_cell_run_again(tmp_path, capsys):
    assert not keeping(tmp_path).trained
    asyncio.run(keeping(tmp_path).train())
    again = keeping(tmp_path)
    assert again.trained and again.result.steps == 9 and again.kind == "yours"
    assert again.scene["status"] == "You trained this network for 9 of 9 steps. It is kept."
    assert again.scene["curves"][0]["series"][0]["points"][-1] == [9, 9.0]
    mine = asyncio.run(again.learner(Named, lambda: OURS))
    assert (mine.name, mine.steps) == ("your LSTM", 9)
    assert "your network, after 9 of 9 steps" in capsys.readouterr().out


def test_until_the_reader_trains_the_shipped_learner_is_used_and_nothing_is_made(tmp_path, capsys):
    made = []
    panel = keeping(tmp_path, made)
    assert asyncio.run(panel.learner(Named, lambda: OURS)) is OURS
    assert panel.kind == "model" and not made and "Press Start" in capsys.readouterr().out
    assert asyncio.run(panel.learner(Named, lambda: None)).steps == 9  # none is shipped: yours is trained
    assert "yours is trained now" in capsys.readouterr().out
    (tmp_path / "other").mkdir()
    other = keeping(tmp_path / "other")
    assert asyncio.run(other.learner(Named, lambda: OURS, hands_free=True)).steps == 9 and other.trained


def test_start_over_asks_first_and_deletes_the_run(tmp_path):
    asyncio.run(keeping(tmp_path).train())
    panel = keeping(tmp_path)

    def over() -> list[str]:
        return [button["label"] for button in panel.scene["buttons"] if button["press"] == "over"]

    assert over() == ["Start over"]
    panel._handle_custom_msg({"press": "over"}, [])
    assert over() == ["Yes, delete it"] and (tmp_path / "run.safetensors").exists() and panel.trained
    panel._handle_custom_msg({"press": "over"}, [])
    assert not list(tmp_path.iterdir()) and not panel.trained and over() == []
    assert asyncio.run(panel.train()).steps == 9


def test_a_damaged_run_is_told_and_start_over_mends_it(tmp_path):
    (tmp_path / "run.safetensors").write_bytes(b"no run")
    panel = keeping(tmp_path)
    assert panel.scene["status"].startswith("Your run was not read: wanted a whole checkpoint") and not panel.trained
    assert asyncio.run(panel.learner(Named, lambda: OURS)) is OURS
    panel.restart()
    assert asyncio.run(panel.train()).steps == 9
