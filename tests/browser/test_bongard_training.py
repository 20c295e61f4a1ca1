"""The training panel of Bongard-LOGO as a reader meets it: JupyterLab, Chromium, a real network, keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

SETUP = """
import torch
from cogkit.bongard.learners import agents, models
from cogkit.bongard.problems import freeform
from cogkit.bongard.problems.rendering import rendered
from cogkit.bongard.learners.training import fit
from cogkit.bongard.views import TrainPanel

torch.set_num_threads(1)
problems = [freeform.problem(k, "as_published") for k in range(12)]
pictures = rendered(problems, 32)
config = agents.config("protonet", "quick", steps=100_000, size=32, looks=5_000)
"""
PANEL = """
view = lambda state: models.Agent(state.modules["network"], config).chances(pictures[:3])
make = lambda: fit(config, 0, pictures, pictures, view=view, log_every=1)
panel = TrainPanel(make, problems[:3], {"Hu moments": 0.57})
panel
"""


@pytest.fixture
def page(lab, tmp_path):
    lab.open_cells(tmp_path / "bongard_training.ipynb", SETUP, PANEL)
    assert lab.run_all(), lab.errors()
    return lab.page


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_chances_of_watched_problems_follow_the_training(lab, page, screenshot):
    queries = page.locator(".ck-asked")
    expect(queries).to_have_count(6)
    expect(page.locator(".ck-query")).to_have_count(6)
    assert queries.first.get_attribute("aria-label") == "positive query: not asked yet"
    press(page, "Start")
    page.wait_for_function("() => document.querySelector('.ck-asked').getAttribute('aria-label').includes('0.')")
    page.wait_for_function("() => document.querySelector('.cogkit-run progress').value > 30")
    screenshot("bongard_training_running")
    press(page, "Stop")
    page.wait_for_function("() => document.querySelector('.ck-said')?.textContent.includes('the model is kept')")
    texts = lab.evaluate("[[said['told'] for said in pair] for pair in panel.scene['said']]")
    labels = [queries.nth(k).get_attribute("aria-label") for k in range(6)]
    assert labels == [text for pair in texts for text in pair]
    chance = lab.evaluate("panel.scene['said'][0][0]['chance']")
    width, total = page.evaluate(
        "() => { const bar = document.querySelector('.ck-bar'); return [bar.firstChild.offsetWidth, bar.offsetWidth]; }"
    )
    assert abs(width / total - chance) <= 1 / total
    screenshot("bongard_training_stopped")
    lab.use_theme("JupyterLab Dark")
    screenshot("bongard_training_dark")
    assert min(lab.contrast(".cogkit-run").values()) >= 4.5
    assert lab.sideways() <= 0 and not lab.problems
