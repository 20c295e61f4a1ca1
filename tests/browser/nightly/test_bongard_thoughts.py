"""A learner that tells what it saw, as a reader meets it: sheets with folds, and a shape of one's own, asked again."""

from __future__ import annotations

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


def test_what_it_saw_waits_in_folds_and_a_changed_shape_is_asked_again(lab):
    page = lab.run_cells(SETUP, SHAPE, ASK)
    expect(page.locator(".ck-sheet")).to_have_count(4)
    assert not page.get_by_text("the same figure").first.is_visible()
    for summary in page.locator("summary").all()[:3]:
        summary.click()
    expect(page.get_by_text("the same figure").first).to_be_visible()
    lab.is_readable(".ck-sheet", 1)
    lab.resize(1024)
    assert lab.sideways() <= 0
    lab.resize(1280)
    cell = page.locator(".jp-Cell").nth(2)
    expect(cell.get_by_text("It saw 4 lines.")).to_be_visible()  # the square that a builder begins with
    page.locator(".ck-action[tabindex='0']").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_text("Stroke 1 removed.")).to_be_visible()
    lab.wait_until("len(my_shape.program)", 3)
    assert lab.run_cell(2)
    expect(cell.get_by_text("It saw 3 lines.")).to_be_visible()
    cell.locator("summary").click()
    expect(cell.get_by_text("It would say that your shape has:")).to_be_visible()
    lab.is_well()
