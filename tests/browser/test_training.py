"""`live` and `TrainPanel` as a reader meets them: JupyterLab, Chromium, a real agent, the keyboard alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

DEMO = """
import torch
from cogkit.ui.live import live
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.training import train
from cogkit.tiles.views import TrainPanel

torch.set_num_threads(1)

def make_fit(updates=100_000, boards=64):
    return train(AgentConfig("rectangle/abstract", updates=updates, boards=boards), seed=0)
"""
PANEL = "panel = TrainPanel(make_fit, {'floor': 11.85, 'observer': 2.27})\npanel"
LOOP = "fit = make_fit()\nasync for progress in live(fit, {'blue tiles (fewer is better ↓)': 'blue'}):\n    pass"

THREADS = """
import threading
from cogkit.learning import Fit, State
from cogkit.ui import panel as panels
threads = set()

def step(state):
    threads.add(threading.current_thread())
    return {"accuracy": state.rng.random()}

panel = panels.TrainPanel(Fit(lambda config, rng: State(rng), step, {}, steps=100_000, seed=0))
panel
"""
IMPATIENT = """() => {
    const timeout = window.patient = AbortSignal.timeout;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 0);
}"""
PATIENT = "() => { AbortSignal.timeout = window.patient; }"


@pytest.fixture
def notebook(lab, tmp_path):
    """A function that opens a notebook of these cells after the demo's own, which is run, and returns the page."""

    def open_and_run(*cells: str):
        lab.open_cells(tmp_path / "training.ipynb", DEMO, *cells)
        return lab.page

    return open_and_run


def press(page, name: str) -> None:
    """Press a button of the panel by keyboard alone."""
    button = page.get_by_role("button", name=name, exact=True)
    button.focus()
    page.keyboard.press("Enter")


def wait_for_points(page, more_than: int = 0) -> int:
    """Return how many points the curve has, once it has more than so many."""
    count = "() => (document.querySelector('.ck-series-0')?.getAttribute('d') ?? '').split('L').length - 1"
    page.wait_for_function(f"(least) => ({count})() > least", arg=more_than)
    return page.evaluate(count)


def said(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-said')?.textContent.includes(text)", arg=text)


def test_levels_that_are_near_are_drawn_and_named_apart(lab, notebook, screenshot):
    page = notebook("panel = TrainPanel(make_fit, {'floor': 11.85, 'observer': 2.27, 'person': 2.6})\npanel")
    assert lab.run_all(), lab.errors()
    names = page.locator(".ck-level-name")
    names.nth(2).wait_for()
    boxes = names.evaluate_all("(all) => all.map((name) => name.getBBox()).map(({ y, height }) => [y, y + height])")
    assert all(high[1] <= low[0] for low, high in pairwise(boxes)), boxes
    levels = page.locator(".ck-level").evaluate_all("(all) => all.map((level) => level.getBBox().y)")
    assert all(low[1] <= min(levels[1:]) for low in boxes[:2]), "a level runs through a name"
    assert [name.split()[0] for name in names.all_text_contents()] == ["ideal", "people", "nearest"]
    strokes = page.locator(".ck-level").evaluate_all(
        "(levels) => levels.map((level) => getComputedStyle(level).stroke)"
    )
    assert strokes == ["rgb(118, 118, 118)", "rgb(0, 158, 115)", "rgb(0, 114, 178)"]
    screenshot("training_levels")


def test_start_stop_and_go_on_by_keyboard(lab, notebook, screenshot):
    page = notebook(PANEL)
    assert lab.run_all(), lab.errors()
    page.get_by_role("button", name="Start", exact=True).wait_for()
    stop = page.get_by_role("button", name="Stop", exact=True)
    assert stop.get_attribute("aria-disabled") == "true"
    assert page.locator(f"#{stop.get_attribute('aria-describedby')}").inner_text() == "nothing is running"
    screenshot("training_start")
    press(page, "Start")
    wait_for_points(page, 20)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Stop"
    screenshot("training_running")
    assert lab.evaluate("panel.running") is True
    page.keyboard.press("Enter")
    said(page, "the model is kept")
    stopped, steps, total = lab.evaluate("(panel.result.stopped, panel.result.steps, panel.fit.steps)")
    assert stopped and 0 < steps < total
    assert f"Stopped at step {steps:,} of {total:,}" in page.locator(".ck-said").inner_text()
    screenshot("training_stopped")
    press(page, "Go on")
    page.wait_for_function("() => document.querySelector('.ck-press.is-primary').textContent === 'Stop'")
    page.wait_for_function("(step) => document.querySelector('.cogkit-run progress').value > step", arg=steps + 5)
    press(page, "Stop")
    said(page, "the model is kept")
    assert lab.evaluate("panel.result.steps") > steps
    assert lab.sideways() <= 0 and not lab.problems


def test_cells_run_while_the_agent_learns(lab, notebook):
    page = notebook(PANEL, "again = panel.start() is panel.start()", "seen = panel.result.steps")
    assert lab.run_all(), lab.errors()
    step = lab.evaluate("seen")
    page.wait_for_function("(step) => document.querySelector('.cogkit-run progress').value > step", arg=step)
    assert lab.evaluate("(again, panel.running)") == (True, True)
    press(page, "Stop")
    said(page, "the model is kept")
    assert not lab.problems


def test_a_widget_that_begins_late_on_a_busy_page_hears_python(lab, notebook):
    page = notebook(PANEL)
    page.evaluate(IMPATIENT)  # anywidget waits for two seconds; here it gives up at once
    try:
        assert lab.run_all(), lab.errors()
        press(page, "Start")
        wait_for_points(page, 5)
        press(page, "Stop")
        said(page, "the model is kept")
        steps = lab.evaluate("panel.result.steps")
        assert f"Stopped at step {steps:,} of" in page.locator(".ck-said").inner_text()
    finally:
        page.evaluate(PATIENT)


def test_training_runs_in_the_thread_of_the_cells(lab, notebook):
    page = notebook(THREADS)
    assert lab.run_all(), lab.errors()
    for button in ("Start", "Go on"):  # JupyterLab takes what a widget says second, and later, to a thread of its own
        press(page, button)
        page.wait_for_function("() => document.querySelector('.ck-press.is-primary').textContent === 'Stop'")
        press(page, "Stop")
        said(page, "the model is kept")
    assert lab.evaluate("threads == {threading.main_thread()}") is True


def test_a_reload_shows_the_run_as_it_is(lab, notebook, screenshot):
    page = notebook(PANEL)
    assert lab.run_all(), lab.errors()
    press(page, "Start")
    wait_for_points(page, 5)
    lab.reload()
    points = wait_for_points(page, 5)
    wait_for_points(page, points)  # the view of the reloaded page is alive
    lab.use_theme("JupyterLab Dark")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    screenshot("training_dark")
    press(page, "Stop")
    said(page, "the model is kept")
    assert lab.evaluate("panel.result.stopped") is True
    assert min(lab.contrast(".cogkit-run").values()) >= 4.5
    assert not lab.problems


def test_live_draws_hears_stop_and_leaves_one_chart(lab, notebook, screenshot):
    page = notebook(LOOP, "steps = fit.result.steps, fit.result.stopped")
    lab.page.evaluate("() => { window.ran = window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    wait_for_points(page, 20)
    screenshot("live_running")
    press(page, "Stop")
    said(page, "Run again to go on.")
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.js-line")
    assert page.evaluate("() => window.ran") is True
    steps, stopped = lab.evaluate("steps")
    assert stopped and f"Stopped at step {steps:,} of 100,000" in page.locator(".ck-said").inner_text()
    assert page.locator(".ck-curve").count() == 0 and page.locator(".js-plotly-plot").count() == 1
    stop = page.get_by_role("button", name="Stop", exact=True)
    assert stop.get_attribute("aria-disabled") == "true"
    screenshot("live_stopped")
    assert lab.sideways() <= 0 and not lab.problems
