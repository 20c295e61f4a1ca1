"""`live`: what is drawn is the log, no more often than promised, and whatever ends the loop keeps the model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
import torch
import training
from nbclient import NotebookClient

from cogkit.core.contracts import InputError
from cogkit.learning import Fit, State, run
from cogkit.ui import theme
from cogkit.ui.live import PLOTLY, Line, RunPanel, chart, live, points

SETUP = f"""
import sys, time, torch
sys.path.insert(0, {str(Path(training.__file__).parent)!r})
import training
from cogkit.ui.live import live
torch.set_num_threads(1)
"""
LOOP = """
began = time.monotonic()
async for progress in live(fit, {"loss (lower is better ↓)": "loss"}):
    pass
seconds = time.monotonic() - began
"""


def test_a_long_log_keeps_its_ends_and_every_peak_and_invents_nothing():
    rng = np.random.default_rng(0)
    values = rng.normal(size=20_000).cumsum()
    values[rng.random(20_000) < 0.3] = np.nan
    values[[7_777, 12_345]] = 900, -900
    log = pd.DataFrame({"step": np.arange(1, 20_001), "loss": values})
    rows = log.dropna()
    curve = points(log, "loss")
    assert len(curve) <= 500 and (np.diff(curve[:, 0]) > 0).all()
    assert {tuple(row) for row in curve} <= {tuple(row) for row in rows.to_numpy(dtype=float)}
    assert curve[0, 0] == rows.step.iloc[0] and curve[-1, 0] == rows.step.iloc[-1]
    assert {(7_778, 900), (12_346, -900)} <= {tuple(row) for row in curve}


def test_the_chart_is_the_log():
    log = pd.DataFrame({"step": [1, 2, 3, 4], "loss": [0.5, 0.4, 0.3, 0.2], "drawn": [np.nan, 7.0, np.nan, 9.0]})
    figure = chart(log, {"loss (lower is better ↓)": "loss", "both": ["drawn"]}, {"drawn": [Line("floor", "none", 5)]})
    first, second = figure.data
    assert (list(first.x), list(first.y)) == ([1, 2, 3, 4], [0.5, 0.4, 0.3, 0.2])
    assert (list(second.x), list(second.y)) == ([2, 4], [7, 9])
    labels = [note.text for note in figure.layout.annotations]
    assert labels == ["loss (lower is better ↓)", "both", "none 5"] and first.line.color == "#D55E00"
    (level,) = figure.layout.shapes
    assert (level.y0, level.y1, level.line.dash, level.line.color) == (5, 5, "dash", theme.WHO["floor"].colour)
    alt = "loss (lower is better ↓): loss from 0.5 at step 1 to 0.2 at step 4. "
    alt += "both: drawn from 7 at step 2 to 9 at step 4; none 5."
    assert figure.layout.meta["alt"] == alt
    assert [trace.name for trace in chart(log).data] == ["loss", "drawn"]
    several = chart(pd.DataFrame([{"step": 1} | dict.fromkeys("abcd", 0.5)]), {"all": list("abcd")})
    assert len({(t.line.color, t.line.dash, t.marker.symbol) for t in several.data}) == 4  # each told apart
    with pytest.raises(InputError, match="1 to 4 on one pair of axes, got 5 metrics for 'all'"):
        chart(log, {"all": list("abcde")})


def test_in_a_script_it_is_the_straight_run_and_prints_nothing(capsys):
    async def watched():
        fit = training.fit(200)
        return fit, [progress async for progress in live(fit)]

    fit, reports = asyncio.run(watched())
    straight = run(training.fit(200))
    assert reports[-1].step == 200 and capsys.readouterr().out == ""
    pd.testing.assert_frame_equal(fit.result.log, straight.log, check_exact=True)
    assert torch.equal(fit.result.state.modules["net"][0].weight, straight.state.modules["net"][0].weight)


def test_an_error_is_told_in_a_sentence_and_raised():
    def step(state):
        state.scalars["taken"] += 1
        return {"inverse": 1 / (5 - state.scalars["taken"])}

    panel = RunPanel(Fit(lambda config, rng: State(rng, scalars={"taken": 0}), step, {}, steps=20, seed=0))

    async def watched():
        async for _ in panel.watch():
            pass

    with pytest.raises(ZeroDivisionError):
        asyncio.run(watched())
    assert panel.scene["status"].startswith("Broke off after step ") and not panel.running
    assert panel.scene["status"].endswith("ZeroDivisionError: division by zero")
    assert panel.scene["buttons"] == [{"press": "stop", "label": "Stop", "why": "nothing is running"}]


def execute(kernel, code: str, when_drawn=None) -> tuple[str, list[dict]]:
    """Return the status of a cell and all that it sent; call ``when_drawn(comm)`` once its third scene is there."""
    sent, scenes = [], []

    def output(message) -> None:
        sent.append(message)
        content = message["content"]
        if message["msg_type"] == "comm_msg" and "scene" in content["data"].get("state", {}):
            scenes.append(content["comm_id"])
            if len(scenes) == 3 and when_drawn:
                when_drawn(content["comm_id"])

    reply = kernel[1].execute_interactive(code, output_hook=output, timeout=60, allow_stdin=False)
    return reply["content"]["status"], sent


def value(kernel, expression: str):
    reply = kernel[1].execute("", silent=True, user_expressions={"x": expression}, reply=True, timeout=60)
    return eval(reply["content"]["user_expressions"]["x"]["data"]["text/plain"])


def scenes(sent: list[dict]) -> list[dict]:
    states = [message["content"]["data"].get("state", {}) for message in sent if message["msg_type"] == "comm_msg"]
    return [state["scene"] for state in states if "scene" in state]


def figures(sent: list[dict]) -> list[dict]:
    outputs = [message["content"]["data"] for message in sent if message["msg_type"] == "display_data"]
    return [data[PLOTLY] for data in outputs if PLOTLY in data]


def test_in_a_kernel_four_scenes_a_second_and_one_chart_that_is_the_log(kernel):
    status, sent = execute(kernel, SETUP + "fit = training.fit(1500)" + LOOP)
    assert status == "ok"
    seconds = value(kernel, "seconds")
    log = json.loads(value(kernel, "__import__('json').dumps(fit.result.log[['step', 'loss']].to_dict('list'))"))
    _, _, *between, _, _ = scenes(sent)  # before the run, its beginning; its end, the curve making room for the chart
    assert 0 < len(between) <= 4 * seconds
    assert all(len(json.dumps(scene)) < 20_000 for scene in scenes(sent))
    (figure,) = figures(sent)
    (trace,) = figure["data"]
    curve = dict(zip(trace["x"], trace["y"], strict=True))
    assert len(curve) <= 500 and curve.items() <= dict(zip(log["step"], log["loss"], strict=True)).items()
    assert {1, 1500} <= curve.keys() and {min(log["loss"]), max(log["loss"])} <= set(curve.values())
    last = scenes(sent)[-1]
    assert last["status"].startswith("Done: 1,500 steps in ") and last["buttons"][0]["why"] == "done"


def test_in_a_kernel_the_button_is_heard_while_the_loop_runs_and_the_loop_goes_on_later(kernel):
    def press(comm: str) -> None:
        content = {"comm_id": comm, "data": {"method": "custom", "content": {"press": "stop"}}}
        message = client.session.msg("comm_msg", content)
        message["header"]["subshell_id"] = subshell  # as JupyterLab sends it; the shell waits for the cell
        client.shell_channel.send(message)

    client = kernel[1]
    client.control_channel.send(client.session.msg("create_subshell_request"))
    subshell = client.get_control_msg(timeout=60)["content"]["subshell_id"]
    status, sent = execute(kernel, SETUP + "fit = training.fit(10**6)" + LOOP, press)
    stopped, steps = value(kernel, "(fit.result.stopped, fit.result.steps)")
    assert status == "ok" and stopped and 0 < steps < 10**6
    assert (
        scenes(sent)[-1]["status"] == f"Stopped at step {steps:,} of 1,000,000; the model is kept. Run again to go on."
    )
    assert len(figures(sent)) == 1
    status, _ = execute(kernel, f"fit.steps = {steps} + 50" + LOOP)
    straight = "training.run(training.fit(fit.steps)).state.modules['net'][0].weight"
    assert value(kernel, f"torch.equal(fit.result.state.modules['net'][0].weight, {straight})") is True


def test_in_a_kernel_an_interrupt_keeps_the_model_and_draws_the_end(kernel):
    _, sent = execute(kernel, SETUP + "fit = training.fit(10**6)" + LOOP, lambda _: kernel[0].interrupt_kernel())
    stopped, steps = value(kernel, "(fit.result.stopped, fit.result.steps)")
    assert stopped and 0 < steps < 10**6 and len(figures(sent)) == 1
    assert scenes(sent)[-1]["status"].startswith(f"Stopped at step {steps:,} of 1,000,000; the model is kept.")


def test_an_executed_notebook_holds_one_chart_and_stays_small():
    cells = [nbformat.v4.new_code_cell(code) for code in (SETUP, "fit = training.fit(2000)", LOOP)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [output.data for output in notebook.cells[2].outputs]
    assert [PLOTLY in data for data in outputs] == [False, True]
    assert outputs[0]["text/plain"] == "<RunPanel>"
    assert outputs[1]["text/plain"].startswith("loss (lower is better ↓): loss from ")
    assert len(nbformat.writes(notebook)) < 100_000
