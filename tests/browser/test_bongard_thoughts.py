"""A learner that tells what it saw, as a reader meets it: sheets with folds, and a shape of one's own, asked again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

SETUP = """
from cogkit import bongard

figures = bongard.figures
seer = bongard.load("concept-search-on-eyes")
three = [bongard.items(test, 1)[0] for test in ("FF", "BA", "CM")]
display(*figures.thoughts(seer.thoughts(three), three))
"""
SHAPE = "my_shape = figures.Builder()\nmy_shape"
ASK = "yours = figures.with_query(three[2], my_shape.program)\nfigures.own(seer.thoughts([yours]), yours)"


@pytest.fixture
def page(lab, tmp_path):
    lab.open_cells(tmp_path / "thoughts.ipynb", SETUP, SHAPE, ASK)
    assert lab.run_all(), lab.errors()
    return lab.page


def test_a_shape_of_ones_own_is_asked_again_after_a_stroke_is_gone(lab, page, screenshot):
    asked = page.locator(".jp-Cell").nth(2)
    expect(asked.get_by_text("It saw 4 lines.")).to_be_visible()  # the square that a builder begins with
    page.locator(".ck-action[tabindex='0']").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_text("Stroke 1 removed.")).to_be_visible()
    lab.wait_until("len(my_shape.program)", 3)
    assert lab.run_cell(2)
    expect(asked.get_by_text("It saw 3 lines.")).to_be_visible()
    asked.locator("summary").click()
    expect(asked.get_by_text("It would say that your shape has:")).to_be_visible()
    screenshot("thoughts_own")
    assert lab.sideways() <= 0 and not lab.problems


@pytest.mark.parametrize(("width", "theme"), [(1280, "JupyterLab Light"), (1024, "JupyterLab Dark")])
def test_what_it_saw_stands_below_pictures_and_its_concepts_wait_in_folds(lab, page, screenshot, width, theme):
    if theme != "JupyterLab Light":
        lab.use_theme(theme)
    lab.resize(width)
    sheets = page.locator(".ck-sheet")
    expect(sheets).to_have_count(4)
    assert not page.get_by_text("the same figure").first.is_visible()
    screenshot(f"thoughts_{width}")
    for summary in page.locator("summary").all()[:3]:
        summary.click()
    expect(page.get_by_text("the same figure").first).to_be_visible()
    screenshot(f"thoughts_{width}_open")
    assert min(lab.contrast(".ck-sheet").values()) >= 4.5
    assert lab.sideways() <= 0 and not lab.problems
