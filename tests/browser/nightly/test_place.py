"""Run All Cells, from the menu, leaves the reader of one of our notebooks where they are."""

from __future__ import annotations

import pytest

NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
TOP = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"
LONG = "\n".join(f"print({line})" for line in range(6))


@pytest.mark.parametrize("ours", [True, False], ids=["ours", "somebody else's"])
def test_the_reader_stays_at_the_cell_in_hand(lab, ours):
    lab.open_cells(*[LONG] * 20, **({"cogkit": {}} if ours else {}))
    page = lab.page
    page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = 2; }}")
    before = page.evaluate(TOP)

    page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
    page.get_by_role("menuitem", name="Run All Cells").first.click()
    page.wait_for_function(
        f"() => {NOTEBOOK}.widgets.every((cell) => cell.model.executionCount)"
        " && document.querySelectorAll('.jp-RenderedText').length === 20"
    )
    place = page.evaluate(f"() => {NOTEBOOK}.activeCellIndex")
    assert (place, page.evaluate(TOP)) == (2, before) if ours else place == 19
    page.keyboard.press("ArrowDown")  # and the keys go on from there
    assert page.evaluate(f"() => {NOTEBOOK}.activeCellIndex") == (3 if ours else 19)
