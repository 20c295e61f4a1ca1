"""The explorer of GR* as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

EXPLORER = """
from cogkit.generalization.learners import training
from cogkit.generalization.suites import FitConfig, Suite
from cogkit.generalization.views.explorer import Explorer

explorer = Explorer(training.fit_now(FitConfig(Suite(2)), 0))
explorer
"""


def test_keyboard_alone_opens_tasks_and_moves_constants(lab):
    page = lab.run_cells(EXPLORER)
    points = page.locator(".ck-point")
    assert points.count() == 14 and page.locator(".ck-point[tabindex='0']").count() == 1
    page.locator(".ck-point[tabindex='0']").focus()
    keys = ("ArrowRight", "End", "ArrowDown", "ArrowLeft", "Home", "ArrowUp")
    for key, place in zip(keys, (1, 13, 13, 12, 0, 0), strict=True):
        page.keyboard.press(key)
        assert page.evaluate("() => Number(document.activeElement.dataset.place)") == place, key
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    lab.says(".ck-title", "Circles 0: rank human proxies")
    assert lab.evaluate("explorer.task['name']") == "Circles 0"
    accuracy = lab.evaluate("explorer.fitted.accuracy()[6].round(3).tolist()")
    assert page.locator(".ck-opened tbody td").all_inner_texts() == [f"{value:.3f}" for value in accuracy]

    page.get_by_role("slider", name="τ alignment for all").focus()
    page.keyboard.press("End")
    lab.says(".ck-status", "τ 1.")
    assert lab.evaluate("explorer.choices.constants.tau") == 1.0
    table = lab.evaluate("explorer.table[explorer.table.side == 'machines'].nsmallest(8, 'rank').task.tolist()")
    assert page.locator(".ck-ranks tbody td:nth-child(2)").all_inner_texts() == table
    page.get_by_role("button", name="The paper's settings").press("Enter")
    lab.says(".ck-status", "paper")
    assert lab.evaluate("explorer.choices.constants.tau") == 0.2
    page.get_by_role("combobox", name="Template over columns").focus()
    page.keyboard.press("ArrowDown")
    lab.says(".ck-status", "Template over columns: increasing")
    assert lab.evaluate("explorer.choices.direction") == "increasing"
    assert "rises" in page.locator(".ck-bars").get_attribute("aria-label")
    lab.is_readable(".ck-scales", 1)
    lab.is_well()
