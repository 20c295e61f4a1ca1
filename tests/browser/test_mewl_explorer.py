"""The explorer of MEWL episodes as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import time

import pytest

EXPLORER = """
from cogkit.mewl.views.explorer import Explorer

explorer = Explorer("{}")
explorer
"""


@pytest.fixture
def opened(lab, tmp_path):
    """A function that shows the explorer of a task in a new notebook and returns the page."""

    def open_and_run(task: str):
        lab.open_cells(tmp_path / "mewl.ipynb", EXPLORER.format(task))
        assert lab.run_all(), lab.errors()
        lab.page.locator(".ck-hypotheses").evaluate("node => node.scrollIntoView()")
        return lab.page

    return open_and_run


def reaches(lab, expression: str, wanted) -> bool:
    """Whether the kernel comes to this value: what the browser sends while the kernel is busy is heard afterwards."""
    until = time.monotonic() + 30  # as long as the page may take for anything else: a busy browser sends late
    while time.monotonic() < until:
        if lab.evaluate(expression) == wanted:
            return True
    return False


def says(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-status')?.textContent.includes(text)", arg=text)


def focused(page) -> str:
    return page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? ''")


def out(page) -> int:
    return page.locator(".ck-hypotheses tbody td.is-out").count()


def test_an_episode_by_keyboard_alone_and_the_kernel_goes_along(lab, opened, screenshot):
    page = opened("shape")
    cells = lab.cells()
    page.get_by_label("Panels seen").focus()
    for count in range(1, 4):
        page.keyboard.press("ArrowRight")
        assert reaches(lab, "explorer.seen", count)
    struck = lab.evaluate("int((~explorer.space.alive[3]).sum())")
    says(page, "Panel 3, ")
    page.wait_for_function("() => document.querySelectorAll('.ck-strip figure.is-now').length === 1")
    assert out(page) == struck > 0
    assert page.locator(".ck-strip img:visible").count() == 4
    page.locator(".ck-hypotheses tbody td").first.focus()
    for key in ("ArrowDown", "End", "ArrowLeft", "Home"):
        page.keyboard.press(key)
    row, column = lab.evaluate("(explorer.space.rows[1], explorer.space.columns[0])")
    assert focused(page).startswith(f"{row}, {column}: ")
    assert page.locator(".ck-why").inner_text() == focused(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")  # to the attribute above
    assert focused(page).startswith("The words are about shape: ")
    page.keyboard.press("6")  # from within the table
    assert reaches(lab, "explorer.seen", 6)
    right = lab.evaluate("explorer.episode.answer")
    page.wait_for_function("() => document.querySelectorAll('.ck-option:not(.is-out)').length === 1")
    assert page.locator(".ck-option").nth(right).get_attribute("class") == "ck-option"
    page.get_by_label("Show a shortcut").select_option("elimination")
    assert reaches(lab, "explorer.taken", "elimination")
    says(page, "keeps 3 of 5")
    assert page.locator(".ck-short.is-kept").count() == 3
    page.locator(".ck-option").nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert lab.evaluate("explorer.episode.trial.options[1]") in focused(page)
    assert "By elimination, " in page.locator(".ck-why").inner_text()
    assert "sphere" not in " ".join(page.locator(".ck-strip img").evaluate_all("all => all.map((each) => each.alt)"))
    page.keyboard.press("c")
    says(page, "The answer: ")
    assert page.locator(".ck-option.is-answer").count() == 1 and reaches(lab, "explorer.scene['answer']", right)
    for key in "bxddmyrv":
        page.keyboard.press(key)
    page.keyboard.press("n")
    assert reaches(lab, "(explorer.number, explorer.seen)", (1, 0))
    says(page, "Episode 1 of shape")
    assert out(page) == 0 and page.locator(".ck-option.is-answer").count() == 0
    page.get_by_label("Task", exact=True).select_option("composite")
    says(page, "Episode 0 of composite")
    assert page.locator(".ck-pair").count() == 12
    assert lab.cells() == cells
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        page.get_by_label("Panels seen").focus()
        page.keyboard.press("End")
        assert reaches(lab, "explorer.seen", 6)
        page.wait_for_function("() => document.querySelectorAll('.ck-option.is-out').length === 4")
        ratios = lab.contrast(".ck-hypotheses")
        assert len(ratios) > 20 and min(ratios.values()) >= 4.5, (theme, {t: c for t, c in ratios.items() if c < 4.5})
        screenshot(f"mewl_explorer_composite_{theme[11:].lower()}")
    assert lab.errors() == [] and lab.problems == [] and lab.sideways() <= 0


@pytest.mark.parametrize("task", ["shape", "object", "pragmatic", "bootstrap"])
def test_it_fits_a_laptop_at_every_step(lab, opened, screenshot, task):
    page = opened(task)
    for count in (0, 3, 6):
        page.get_by_label("Panels seen").focus()
        page.keyboard.press("Home")
        for _ in range(count):
            page.keyboard.press("ArrowRight")
        assert reaches(lab, "explorer.seen", count)
        struck = lab.evaluate("int((~explorer.space.alive[explorer.seen]).sum())")
        page.wait_for_function(
            "(n) => document.querySelectorAll('.ck-hypotheses tbody td.is-out').length === n", arg=struck
        )
        screenshot(f"mewl_explorer_{task}_{count}")
        box = page.locator(".ck-hypotheses").bounding_box()
        assert box["height"] <= 678 and box["width"] <= 900, box  # what JupyterLab leaves of 800
    page.get_by_label("Show a shortcut").select_option(lab.evaluate("explorer.table['shortcuts'][-1][0]"))
    page.get_by_role("button", name="Show the answer").press("Enter")
    says(page, "The answer: ")
    page.locator(".ck-hypotheses tbody td").nth(3).hover()
    assert page.locator(".ck-why").inner_text().endswith(".")
    assert page.locator(".ck-hypotheses").bounding_box()["height"] <= 700
    screenshot(f"mewl_explorer_{task}_told")
    assert lab.errors() == [] and lab.problems == [] and lab.sideways() <= 0


def test_quick_steps_never_go_back_while_the_kernel_answers_those_before(lab, opened):
    page = opened("shape")
    page.get_by_label("Panels seen").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert reaches(lab, "explorer.seen", 3)
    says(page, "Panel 3, ")
    page.evaluate(
        """() => {
          const slider = document.querySelector(".ck-slide input"), count = document.querySelector(".ck-slide span");
          for (const to of [0, 1, 2, 3]) {
            slider.value = to;
            slider.dispatchEvent(new Event("input"));
          }
          window.counts = [];
          new MutationObserver(() => window.counts.push(count.textContent)).observe(count, { childList: true });
        }"""
    )
    page.keyboard.press("n")  # to the next episode, and two panels of it
    page.keyboard.press("1")
    page.keyboard.press("2")
    says(page, "Panel 2, ")
    assert reaches(lab, "(explorer.number, explorer.seen)", (1, 2))
    numbers = page.evaluate("() => window.counts.map((each) => '3012'.indexOf(each[0]))")
    assert numbers and numbers == sorted(numbers)  # in the order they were asked for, whatever Python still had to draw


def test_a_picture_in_focus_is_large(lab, opened, screenshot):
    page = opened("shape")
    page.get_by_label("Panels seen").press("End")
    says(page, "Panel 6, ")
    frames = page.locator(".ck-frame")
    small = frames.nth(0).bounding_box()["width"]
    page.locator(".ck-frame[tabindex='0']").press("ArrowRight")
    assert focused(page) == "Picture 2"
    image = frames.nth(1).locator("img")
    page.wait_for_function("(image) => image.getAnimations().length === 0", arg=image.element_handle())
    assert image.bounding_box()["width"] > 2 * small and image.bounding_box()["width"] > 200
    assert frames.nth(0).locator("img").bounding_box()["width"] <= small
    screenshot("mewl_explorer_large")
