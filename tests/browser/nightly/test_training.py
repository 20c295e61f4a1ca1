"""`live` and the training panels as a reader meets them: JupyterLab, Chromium, real learners, the keyboard alone."""

from __future__ import annotations

import pytest

DEMO = """
import torch
from cogkit.core.presets import changed
from cogkit.ui.live import live
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.training import train
from cogkit.tiles.views import TrainPanel

torch.set_num_threads(1)

def make_fit(steps=100_000, batch=64):
    return train(changed(AgentConfig("rectangle/abstract"), steps=steps, batch=batch), seed=0)
"""
PANEL = "panel = TrainPanel(make_fit, {'floor': 11.85})\npanel"
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
BONGARD = """
import torch
from cogkit.bongard.learners import agents, models
from cogkit.bongard.problems import freeform
from cogkit.bongard.problems.rendering import pictures_of
from cogkit.bongard.learners.training import fit
from cogkit.bongard.views import TrainPanel

torch.set_num_threads(1)
problems = [freeform.problem(k, "as_published") for k in range(12)]
pictures = pictures_of(problems, 32)
config = agents.config("protonet", "quick", steps=100_000, size=32, n_evals=5_000)
view = lambda state: models.Agent(state.modules["network"], config).chances(pictures[:3])
make = lambda: fit(config, 0, pictures, pictures, view=view, log_every=1)
panel = TrainPanel(make, problems[:3], {"Hu moments": 0.57})
panel
"""
MEWL = """
import torch
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, training
from cogkit.mewl.views import TrainPanel
from cogkit.mewl.problems import making

torch.set_num_threads(1)
config = agents.config("slot-transformer", "quick", set="relation", steps=100_000, n_evals=5_000)
episodes = making.episodes_of("relation", "train", 40)
taught = training.lessons(episodes, "true slots")
watched = training.lessons(episodes[:3], "true slots")
agent = lambda state: training.Agent(state.modules["network"], config)
view = lambda state: agent(state).weigh(watched.observations, watched.token_ids).exp()
make = lambda: training.fit(config, 0, taught, taught, view=view, log_every=1)
panel = TrainPanel(make, episodes[:3], {"text alone": 0.31}, {"ideal learner": 1.0})
panel
"""
SAID, PRESSED = ".ck-said", "() => document.querySelector('.ck-press.is-primary').textContent === 'Stop'"
IMPATIENT = """() => {
    const timeout = window.patient = AbortSignal.timeout;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 0);
}"""
PATIENT = "() => { AbortSignal.timeout = window.patient; }"


def wait_for_points(page, more_than: int = 0) -> int:
    """Return how many points the curve has, once it has more than so many."""
    count = "() => (document.querySelector('.ck-series-0')?.getAttribute('d') ?? '').split('L').length - 1"
    page.wait_for_function(f"(least) => ({count})() > least", arg=more_than)
    return page.evaluate(count)


def stop(lab) -> None:
    lab.press("Stop")
    lab.says(SAID, "the model is kept")


def test_cells_run_while_the_agent_learns_and_a_reload_shows_the_run_as_it_is(lab):
    page = lab.run_cells(DEMO, PANEL, "again = panel.start() is panel.start()", "seen = panel.result.steps")
    step = lab.evaluate("seen")
    page.wait_for_function("(step) => document.querySelector('.cogkit-run progress').value > step", arg=step)
    assert lab.evaluate("(again, panel.running)") == (True, True)
    lab.reload()
    points = wait_for_points(page, 5)
    wait_for_points(page, points)  # the view of the reloaded page is alive
    stop(lab)
    assert lab.evaluate("panel.result.stopped") is True
    lab.is_readable(".cogkit-run", 1)
    lab.is_well()


def test_a_widget_that_begins_late_on_a_busy_page_hears_python(lab):
    lab.open_cells(DEMO, PANEL)
    lab.page.evaluate(IMPATIENT)  # anywidget waits for two seconds; here it gives up at once
    try:
        assert lab.run_all(), lab.errors()
        lab.press("Start")
        wait_for_points(lab.page, 5)
        stop(lab)
        steps = lab.evaluate("panel.result.steps")
        assert f"Stopped at step {steps:,} of" in lab.page.locator(SAID).inner_text()
    finally:
        lab.page.evaluate(PATIENT)


def test_training_runs_in_the_thread_of_the_cells(lab):
    page = lab.run_cells(THREADS)
    for button in ("Start", "Go on"):  # JupyterLab takes what a widget says second, and later, to a thread of its own
        lab.press(button)
        page.wait_for_function(PRESSED)
        stop(lab)
    assert lab.evaluate("threads == {threading.main_thread()}") is True


def test_live_draws_hears_stop_and_leaves_one_chart(lab):
    lab.open_cells(DEMO, LOOP, "steps = fit.result.steps, fit.result.stopped")
    page = lab.page
    page.evaluate("() => { window.ran = window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    wait_for_points(page, 20)
    lab.press("Stop")
    lab.says(SAID, "Run again to go on.")
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.js-line")
    assert page.evaluate("() => window.ran") is True
    steps, stopped = lab.evaluate("steps")
    assert stopped and f"Stopped at step {steps:,} of 100,000" in page.locator(SAID).inner_text()
    assert page.locator(".ck-curve").count() == 0 and page.locator(".js-plotly-plot").count() == 1
    assert page.get_by_role("button", name="Stop", exact=True).get_attribute("aria-disabled") == "true"
    lab.is_well()


@pytest.mark.parametrize(
    ("cell", "query", "bar", "count"),
    [(BONGARD, ".ck-asked", ".ck-bar", 6), (MEWL, ".ck-call", ".ck-call-bar", 15)],
    ids=["bongard", "mewl"],
)
def test_what_it_says_of_watched_items_follows_the_training(lab, mirror, cell, query, bar, count):
    page = lab.run_cells(cell)
    page.wait_for_function("([query, n]) => document.querySelectorAll(query).length === n", arg=[query, count])
    labels = "(all) => all.map((each) => each.getAttribute('aria-label'))"
    assert all(label.endswith("not asked yet") for label in page.locator(query).evaluate_all(labels))
    lab.press("Start")
    page.wait_for_function("(query) => document.querySelector(query).ariaLabel.includes('0.')", arg=query)
    page.wait_for_function("() => document.querySelector('.cogkit-run progress').value > 30")
    stop(lab)
    assert lab.evaluate("panel.result.stopped and panel.result.steps > 30") is True
    texts = lab.evaluate("[said['told'] for row in panel.scene['said'] for said in row]")
    assert page.locator(query).evaluate_all(labels) == texts
    chance = lab.evaluate("panel.scene['said'][0][0]['chance']")
    drawn = "(bar) => [bar.firstElementChild.offsetWidth, bar.offsetWidth]"
    width, total = page.locator(bar).first.evaluate(drawn)
    assert abs(width / total - chance) <= 1 / total
    lab.is_readable(".cogkit-run", 1)
    lab.is_well()
