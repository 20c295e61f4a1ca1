"""`live` in a real kernel: it draws as often as promised, hears its button, and keeps the model whatever ends it."""

from __future__ import annotations

import json
from pathlib import Path

import training

from cogkit.ui.live import PLOTLY

SETUP = f"""
import sys, torch
sys.path.insert(0, {str(Path(training.__file__).parent)!r})
import training
from cogkit.ui.live import live
torch.set_num_threads(1)
"""
LOOP = """
async for progress in live(fit, {"loss (lower is better ↓)": "loss"}):
    pass
"""


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


def test_in_a_kernel_one_chart_is_the_log(kernel):
    status, sent = execute(kernel, SETUP + "fit = training.fit(1500)" + LOOP)
    assert status == "ok"
    log = json.loads(value(kernel, "__import__('json').dumps(fit.result.log[['step', 'loss']].to_dict('list'))"))
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
    text = f"Stopped at step {steps:,} of 1,000,000; the model is kept. Run again to go on."
    assert scenes(sent)[-1]["status"] == text and len(figures(sent)) == 1
    status, _ = execute(kernel, f"fit.steps = {steps} + 50" + LOOP)
    straight = "training.run(training.fit(fit.steps)).state.modules['net'][0].weight"
    assert value(kernel, f"torch.equal(fit.result.state.modules['net'][0].weight, {straight})") is True


def test_in_a_kernel_an_interrupt_keeps_the_model_and_draws_the_end(kernel):
    _, sent = execute(kernel, SETUP + "fit = training.fit(10**6)" + LOOP, lambda _: kernel[0].interrupt_kernel())
    stopped, steps = value(kernel, "(fit.result.stopped, fit.result.steps)")
    assert stopped and 0 < steps < 10**6 and len(figures(sent)) == 1
    assert scenes(sent)[-1]["status"].startswith(f"Stopped at step {steps:,} of 1,000,000; the model is kept.")
