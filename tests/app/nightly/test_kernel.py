"""`Fit` in a real notebook kernel: the interrupt button and a Stop button end it, and the result is kept."""

from __future__ import annotations

SETUP = """
import asyncio
from cogkit.learning import Fit, State, run
def setup(config, rng):
    return State(rng, scalars={"taken": 0})
def step(state):
    state.scalars["taken"] += 1
    if state.scalars["taken"] == 50:
        print("under way", flush=True)
    return {"taken": state.scalars["taken"]}
fit = Fit(setup, step, {}, steps=10**9, seed=0, log_every=1000)
"""
WHOLE = "print(fit.result.stopped, fit.result.steps == fit.result.state.scalars['taken'] >= 50)"


def execute(kernel, code: str, when_under_way=None) -> tuple[str, str]:
    """Return the status of a cell and what it printed; call ``when_under_way`` as soon as it says so."""
    _, client = kernel
    printed = ""

    def output(message) -> None:
        nonlocal printed
        if message["msg_type"] == "stream":
            before, printed = printed, printed + message["content"]["text"]
            if when_under_way and "under way" in printed and "under way" not in before:
                when_under_way()

    reply = client.execute_interactive(code, output_hook=output, timeout=60, allow_stdin=False)
    return reply["content"]["status"], printed


def test_the_interrupt_button_ends_a_cell_and_keeps_the_result(kernel):
    for loop in ("run(fit)", "async for progress in fit:\n    pass"):
        assert execute(kernel, SETUP) == ("ok", "")
        execute(kernel, loop, kernel[0].interrupt_kernel)
        assert execute(kernel, WHOLE) == ("ok", "True True\n")
