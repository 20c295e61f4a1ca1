"""The explorer of MEWL episodes as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import pytest

STATUS = ".ck-status"


def opened(lab, task: str):
    """Show the explorer of a task in a new notebook; return the page."""
    return lab.run_cells(f"from cogkit.mewl.views.explorer import Explorer\nexplorer = Explorer({task!r})\nexplorer")


def focused(page) -> str:
    return page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? ''")


def struck(lab, count: int) -> int:
    """Wait until the table has struck out what the pictures up to this one rule out; return how much that is."""
    lab.wait_until("explorer.seen", count)
    expected = lab.evaluate(f"int((~explorer.space.alive[{count}]).sum())")
    script = "(n) => document.querySelectorAll('.ck-hypotheses tbody td.is-out').length === n"
    lab.page.wait_for_function(script, arg=expected)
    return expected


def test_an_episode_by_keyboard_alone_and_the_kernel_goes_along(lab):
    page, cells = opened(lab, "shape"), lab.cells()
    page.get_by_label("Panels seen").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert struck(lab, 3) > 0
    lab.says(STATUS, "Panel 3, ")
    page.wait_for_function("() => document.querySelectorAll('.ck-strip figure.is-now').length === 1")
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
    lab.wait_until("explorer.seen", 6)
    right = lab.evaluate("explorer.episode.answer")
    page.wait_for_function("() => document.querySelectorAll('.ck-option:not(.is-out)').length === 1")
    assert page.locator(".ck-option").nth(right).get_attribute("class") == "ck-option"
    page.get_by_label("Show a shortcut").select_option("elimination")
    lab.wait_until("explorer.taken", "elimination")
    lab.says(STATUS, "keeps 3 of 5")
    assert page.locator(".ck-short.is-kept").count() == 3
    page.locator(".ck-option").nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert lab.evaluate("explorer.episode.trial.options[1]") in focused(page)
    assert "By elimination, " in page.locator(".ck-why").inner_text()
    assert "sphere" not in " ".join(page.locator(".ck-strip img").evaluate_all("all => all.map((each) => each.alt)"))
    page.keyboard.press("c")
    lab.says(STATUS, "The answer: ")
    lab.wait_until("explorer.scene['answer']", right)
    assert page.locator(".ck-option.is-answer").count() == 1
    for key in "bxddmyrv":
        page.keyboard.press(key)
    page.keyboard.press("n")
    lab.wait_until("(explorer.number, explorer.seen)", (1, 0))
    lab.says(STATUS, "Episode 1 of shape")
    assert page.locator(".ck-hypotheses tbody td.is-out, .ck-option.is-answer").count() == 0
    page.get_by_label("Task", exact=True).select_option("composite")
    lab.says(STATUS, "Episode 0 of composite")
    assert page.locator(".ck-pair").count() == 12
    page.get_by_label("Panels seen").press("End")
    page.wait_for_function("() => document.querySelectorAll('.ck-option.is-out').length === 4")
    assert lab.cells() == cells
    lab.is_readable(".ck-hypotheses", 21)
    lab.is_well()


@pytest.mark.parametrize("task", ["shape", "object", "pragmatic", "bootstrap"])
def test_it_fits_a_laptop_at_every_step(lab, task):
    page = opened(lab, task)
    for count in (0, 3, 6):
        page.get_by_label("Panels seen").focus()
        page.keyboard.press("Home")
        for _ in range(count):
            page.keyboard.press("ArrowRight")
        struck(lab, count)
        box = page.locator(".ck-hypotheses").bounding_box()
        assert box["height"] <= 678 and box["width"] <= 900, box  # what JupyterLab leaves of 800
    page.get_by_label("Show a shortcut").select_option(lab.evaluate("explorer.table['shortcuts'][-1][0]"))
    page.get_by_role("button", name="Show the answer").press("Enter")
    lab.says(STATUS, "The answer: ")
    page.locator(".ck-hypotheses tbody td").nth(3).hover()
    assert page.locator(".ck-why").inner_text().endswith(".")
    assert page.locator(".ck-hypotheses").bounding_box()["height"] <= 700
    lab.is_well()


def test_quick_steps_never_go_back_while_the_kernel_answers_those_before(lab):
    page = opened(lab, "shape")
    page.get_by_label("Panels seen").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    lab.wait_until("explorer.seen", 3)
    lab.says(STATUS, "Panel 3, ")
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
    lab.says(STATUS, "Panel 2, ")
    lab.wait_until("(explorer.number, explorer.seen)", (1, 2))
    numbers = page.evaluate("() => window.counts.map((each) => '3012'.indexOf(each[0]))")
    assert numbers and numbers == sorted(numbers)  # in the order they were asked for, whatever Python still had to draw
