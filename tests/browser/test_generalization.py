"""The explorer of GR* as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import pytest

EXPLORER = """
from cogkit.generalization.learners import training
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.generalization.views.explorer import Explorer

explorer = Explorer(training.fit_now(FitConfig(Suite(2)), 0))
explorer
"""


@pytest.fixture
def page(lab, tmp_path):
    lab.open_cells(tmp_path / "generalization.ipynb", EXPLORER)
    assert lab.run_all(), lab.errors()
    return lab.page


def said(page, selector: str, text: str) -> None:
    page.wait_for_function(
        "([where, text]) => document.querySelector(where)?.textContent.includes(text)", arg=[selector, text]
    )


def test_keyboard_alone_opens_tasks_and_moves_constants(lab, page, screenshot):
    points = page.locator(".ck-point")
    assert points.count() == 14 and page.locator(".ck-point[tabindex='0']").count() == 1
    screenshot("gr_explorer", page.locator(".ck-scales"))
    page.locator(".ck-point[tabindex='0']").focus()
    for key, place in [
        ("ArrowRight", 1),
        ("End", 13),
        ("ArrowDown", 13),
        ("ArrowLeft", 12),
        ("Home", 0),
        ("ArrowUp", 0),
    ]:
        page.keyboard.press(key)
        assert page.evaluate("() => Number(document.activeElement.dataset.place)") == place, key
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said(page, ".ck-title", "Circles 0: rank human proxies")
    assert lab.evaluate("explorer.task['name']") == "Circles 0"
    accuracy = lab.evaluate("explorer.fitted.accuracy()[6].round(3).tolist()")
    texts = page.locator(".ck-opened tbody td").all_inner_texts()
    assert texts == [f"{value:.3f}" for value in accuracy]
    screenshot("gr_explorer_circles", page.locator(".ck-scales"))

    slider = page.get_by_role("slider", name="τ alignment for all")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('.ck-status').textContent.includes('τ 1.')")
    assert lab.evaluate("explorer.choices.constants.tau") == 1.0
    table = lab.evaluate("explorer.table[explorer.table.side == 'machines'].nsmallest(8, 'rank').task.tolist()")
    assert page.locator(".ck-ranks tbody td:nth-child(2)").all_inner_texts() == table
    for _ in range(4):  # past the other sliders and lists to the button
        page.keyboard.press("Tab")
    page.get_by_role("button", name="The paper's settings").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.ck-status').textContent.includes('paper')")
    assert lab.evaluate("explorer.choices.constants.tau") == 0.2
    lists = page.get_by_role("combobox", name="Template over columns")
    lists.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        "() => document.querySelector('.ck-status').textContent.includes('Template over columns: increasing')"
    )
    assert lab.evaluate("explorer.choices.direction") == "increasing"
    assert "rises" in page.locator(".ck-bars").get_attribute("aria-label")
    assert lab.problems == [] and lab.sideways() <= 0


def test_in_the_dark_every_word_can_be_read(lab, page, screenshot):
    lab.use_theme("JupyterLab Dark")
    screenshot("gr_explorer_dark", page.locator(".ck-scales"))
    ratios = lab.contrast(".ck-scales")
    assert ratios and min(ratios.values()) >= 4.5, ratios
    assert lab.problems == []
