"""The training panel of MEWL as a reader meets it: JupyterLab, Chromium, a real network, keyboard alone."""

from __future__ import annotations

import pytest

SETUP = """
import torch
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, models, training
from cogkit.mewl.views import TrainPanel
from cogkit.mewl.problems import making

torch.set_num_threads(1)
config = agents.config("slot-transformer", "quick", set="relation", steps=100_000, looks=5_000)
episodes = making.episodes_of("relation", "train", 40)
taught = training.lessons(episodes, "true slots")
watched = training.lessons(episodes[:3], "true slots")
"""
PANEL = """
view = lambda state: models.Agent(state.modules["network"], config).weigh(watched.shown, watched.said).exp()
make = lambda: training.fit(config, 0, taught, taught, view=view, log_every=1)
panel = TrainPanel(make, episodes[:3], {"text alone": 0.31}, {"ideal learner": 1.0})
panel
"""


@pytest.fixture
def page(lab, tmp_path):
    lab.open_cells(tmp_path / "mewl_training.ipynb", SETUP, PANEL)
    assert lab.run_all(), lab.errors()
    return lab.page


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_what_it_would_call_the_watched_pictures_follows_the_training(lab, page, screenshot):
    names = page.locator(".ck-call")
    assert names.count() == 15 and page.locator(".ck-called").count() == 3
    assert names.first.get_attribute("aria-label").endswith("not asked yet")
    answers = lab.evaluate("[episode.answer for episode in episodes[:3]]")
    right = page.locator(".ck-calls").evaluate_all(
        "(all) => all.map((each) => [...each.children].findIndex((name) => name.innerText.startsWith('✓')))"
    )
    assert right == answers
    press(page, "Start")
    page.wait_for_function("() => document.querySelector('.ck-call').getAttribute('aria-label').includes('0.')")
    page.wait_for_function("() => document.querySelector('.cogkit-run progress').value > 30")
    screenshot("mewl_training_running")
    press(page, "Stop")
    page.wait_for_function("() => document.querySelector('.ck-said')?.textContent.includes('the model is kept')")
    assert lab.evaluate("panel.result.stopped and panel.result.steps > 30") is True
    texts = lab.evaluate("[said['told'] for row in panel.scene['said'] for said in row]")
    assert [names.nth(k).get_attribute("aria-label") for k in range(15)] == texts
    chance = lab.evaluate("panel.scene['said'][0][0]['chance']")
    width, total = page.evaluate(
        "() => [...document.querySelectorAll('.ck-call-bar, .ck-call-bar > :first-child')]"
        ".slice(0, 2).map((each) => each.offsetWidth).reverse()"
    )
    assert abs(width / total - chance) <= 1 / total
    assert page.locator(".ck-level-name").all_text_contents() == ["text alone 0.31", "ideal observer 1"]
    screenshot("mewl_training_stopped")
    lab.use_theme("JupyterLab Dark")
    screenshot("mewl_training_dark")
    assert min(lab.contrast(".cogkit-run").values()) >= 4.5
    assert lab.sideways() <= 0 and not lab.problems
