"""The house table in JupyterLab: sorting by mouse and keys, folds, dark theme, a narrow window."""

from __future__ import annotations

CELLS = (
    """import pandas as pd
from cogkit.ui.tables import claims_table, folded, readable
values = [0.5, -2.25, 10.0, None, *[3 + k / 4 for k in range(10)]]
whos = [f"player {k}" for k in range(14)]
readable(pd.DataFrame({"who": whos, "value": values, "p": [1e-9, 0.2] * 7}))""",
    """wide = {f"a long header number {k}": ["a sentence that goes on for more than a line does"] for k in range(9)}
readable(pd.DataFrame(wide))""",
    """holds = pd.array([True, False, None], "boolean")
claims_table(pd.DataFrame({"claim": ["one", "two", "three"], "found": ["z 1", "z 2", "no z"], "holds": holds}))""",
    """folded("Show the solution", "three left")""",
)
NUMBERS = sorted([0.5, -2.25, 10.0, *[3 + k / 4 for k in range(10)]])


def texts(table, column: int) -> list[str]:
    return [cell.strip() for cell in table.locator(f"tbody td:nth-child({column})").all_inner_texts()]


def test_a_reader_sorts_opens_and_reads_tables_in_both_themes_and_in_a_narrow_window(lab):
    page = lab.run_cells(*CELLS)
    long = page.locator("table.ck-sort")
    before = texts(long, 2)
    head = long.locator("th", has_text="value")
    button = head.locator("button")

    button.click()
    up = texts(long, 2)
    assert [float(text.replace("−", "-")) for text in up[:-1]] == NUMBERS and up[-1] == ""  # none, so last
    assert head.get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    down = texts(long, 2)
    assert down == [*up[:-1][::-1], ""] and head.get_attribute("aria-sort") == "descending"
    button.press("Space")
    assert texts(long, 2) == before and head.get_attribute("aria-sort") == "none"
    other = long.locator("th", has_text="learner").locator("button")
    other.press("Enter")
    assert texts(long, 1)[:3] == ["player 0", "player 1", "player 2"]  # and player 10 is not before player 2
    assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0

    fold = page.locator("summary", has_text="Show the solution")
    assert not page.get_by_text("three left", exact=True).is_visible()
    fold.press("Enter")
    assert page.get_by_text("three left", exact=True).is_visible()
    assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0
    fold.click()
    assert not page.get_by_text("three left", exact=True).is_visible()

    claims = page.locator("summary", has_text="two")
    assert not claims.is_visible()
    page.locator("summary", has_text="not borne out").click()
    assert claims.is_visible() and not page.locator("summary", has_text="one").is_visible()
    claims.click()
    assert page.get_by_text("z 2", exact=True).is_visible()

    lab.is_readable(":is(.ck-table, .ck-fold)", 20)
    lab.resize(1024)
    wide = page.locator(".ck-box[tabindex]").last
    assert wide.evaluate("(box) => box.scrollWidth > box.clientWidth")  # it scrolls in its own box
    lab.is_well()
