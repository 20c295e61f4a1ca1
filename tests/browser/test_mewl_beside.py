"""Naming pictures beside learners as a reader does it: by click and by key, and on after the cell is run again."""

from __future__ import annotations

import shutil

from cogkit.mewl.people import study
from cogkit.study.trials import BEGIN, Trials

CELLS = (
    "from cogkit import mewl\nfrom cogkit.study.trials import Trials",
    """learners = [mewl.load("slot-transformer", "shape"), mewl.learner("ideal-learner"), mewl.learner("text-alone")]
beside = mewl.figures.Beside("shape", learners, Trials(), 4, tests=3)
beside""",
)
WIDE = "(all) => all.map((one) => one.clientWidth)"


def test_the_learners_answer_after_the_reader_by_click_and_by_key(lab, server, tmp_path, screenshot):
    shutil.rmtree(server.home, ignore_errors=True)
    lab.open_cells(tmp_path / "beside.ipynb", *CELLS)
    assert lab.run_all(), lab.errors()
    page, widget = lab.page, lab.find("figures.Beside").locator(".ck-learn")
    others = widget.locator(".ck-others")
    for number, (by_key, is_right) in enumerate([(False, True), (True, False), (True, True)], start=1):
        widget.locator(".ck-head", has_text=f"Item {number} of 3").wait_for()
        assert others.is_hidden() and min(widget.locator(".ck-picture").evaluate_all(WIDE)) >= 120
        right = lab.evaluate("beside.correct")
        option = (right + (not is_right)) % 5
        if by_key:
            page.keyboard.press(str(option + 1))
        else:
            widget.locator(".ck-option").nth(option).click()
        others.locator("table").wait_for()
        heads = others.locator("thead th").all_inner_texts()
        assert heads[1:] == ["◆ slot transformer", "ideal observer", "text alone"]
        names = others.locator("tbody th").all_inner_texts()
        assert [name.startswith("✓") for name in names] == [k == right for k in range(5)]
        assert [name.endswith("★ yours") for name in names] == [k == option for k in range(5)]
        assert others.locator("tbody tr").nth(right).locator("td").nth(1).inner_text() == "1.00"
        screenshot(f"08_beside_{number}", widget)
        if number == 2:  # the cell is run again: the round goes on
            assert lab.run_all(), lab.errors()
            others.locator("table").wait_for()
            widget.locator(".ck-head", has_text="1 of 2 right so far").wait_for()
            widget.get_by_role("button", name="Next").click()
        else:
            page.keyboard.press("Enter")
    others.locator("th", has_text="Right of 3").wait_for()
    assert others.locator("thead th").nth(1).inner_text() == "★ you"
    assert others.locator("tbody td").first.inner_text() == "2"
    screenshot("08_beside_end", widget)
    rows = Trials(server.home / "trials.sqlite").frame()
    assert set(rows["source"]) == {study.BESIDE} and rows[rows["item"] != BEGIN].correct.tolist() == [1, 0, 1]
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-others")
        assert len(ratios) >= 5 and min(ratios.values()) >= 4.5, (theme, ratios)
    assert lab.sideways() <= 0 and lab.problems == []
