"""The house table in JupyterLab: sorting by mouse and keys, folds, dark theme, a narrow window."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

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
    page.locator("summary", has_text="does not hold").click()
    assert claims.is_visible() and not page.locator("summary", has_text="one").is_visible()
    claims.click()
    assert page.get_by_text("z 2", exact=True).is_visible()

    lab.is_readable(":is(.ck-table, .ck-fold)", 20)
    lab.resize(1024)
    wide = page.locator(".ck-box[tabindex]").last
    assert wide.evaluate("(box) => box.scrollWidth > box.clientWidth")  # it scrolls in its own box
    lab.is_well()


def ink(picture: bytes, ground: tuple[int, int, int]) -> float:
    """Return how far the lightest line of a picture is from the ground, from 0 to 255: no text reaches every line."""
    with Image.open(io.BytesIO(picture)) as image:
        pixels = np.asarray(image.convert("RGB"), float)
    return float(abs(pixels - ground).mean(2).min(1).mean())


def test_a_shade_tells_that_a_table_goes_on_beyond_an_edge(lab):
    page = lab.run_cells(*CELLS[:2])
    box = page.locator(".ck-box[tabindex]").last
    box.scroll_into_view_if_needed()
    ground = page.evaluate("() => getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor")
    ground = tuple(map(int, ground.removeprefix("rgb(").removesuffix(")").split(",")))

    def edges() -> list[bool]:
        at = box.bounding_box()
        clips = [{"x": x, "y": at["y"] + 2, "width": 3, "height": 20} for x in (at["x"], at["x"] + at["width"] - 3)]
        return [ink(page.screenshot(clip=clip), ground) > 20 for clip in clips]

    ends = "(box, left) => { box.scrollLeft = left; }"
    assert edges() == [False, True]
    box.evaluate(ends, 60)
    assert edges() == [True, True]
    box.evaluate(ends, 10_000)
    assert edges() == [True, False]
