"""Each widget once, in one notebook: no complaint, no barrier, focus and keys, narrow pages, and without its kernel."""

from __future__ import annotations

import json
import shutil

import looking
import widgets
from scripts import script
from widgets import EVERY

ROOTS = ".jp-OutputArea-output :is(.cogkit-widget, .cogkit-run)"
STATE = "application/vnd.jupyter.widget-state+json"
KEYED = [name for name in EVERY if name != "TrainPanel"]
# A change far from every widget, and a question for its size.
CHANGE = """() => {
    const node = document.body.appendChild(document.createElement("p"));
    node.getBoundingClientRect();
    node.remove();
}"""
SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


def styled(browser, page) -> list[int]:
    """Return how many elements the browser styles anew, each time that it does so, when one is added to the page."""
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    page.evaluate(CHANGE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return [event["args"]["elementCount"] for event in events if "elementCount" in event.get("args", {})]


def drawn(lab) -> None:
    """Wait until each widget is there."""
    script = "([roots, n]) => document.querySelectorAll(roots).length === n"
    lab.page.wait_for_function(script, arg=[ROOTS, len(EVERY)])


def test_each_widget_takes_focus_fits_and_is_there_without_a_kernel(lab, browser, server, mirror):
    (server.root / "every").mkdir(exist_ok=True)
    shutil.copy(widgets.__file__, server.root / "every")
    cells = [f"EVERY[{name!r}]()" for name in EVERY]
    page = lab.run_cells("from widgets import EVERY", *cells, folder="every")
    drawn(lab)
    roots = page.locator(ROOTS)
    assert page.locator(f":is({ROOTS}):focus-within").count() == 0  # no widget takes the focus by itself
    assert page.locator(".ck-asleep:visible").count() == 0
    assert looking.barriers(lab) == []
    # A rule such as `:has(> .ck-board)` makes it style every element at each change, 40 ms long.
    assert 0 < max(styled(browser, page)) < 100

    for name, root in zip(EVERY, roots.all(), strict=True):
        assert len(root.inner_text()) > 40, name
        if name not in KEYED:
            continue
        root.locator(".ck-keyline").scroll_into_view_if_needed()
        before, after = root.locator(".ck-before"), root.locator(".ck-after")
        assert before.inner_text().startswith("Click here, then use ") and before.is_visible(), name
        assert not after.is_visible(), name
        scrolled = page.evaluate(SCROLLED)
        root.locator(".ck-keyline").click(position={"x": 2, "y": 2})
        assert root.evaluate("(root) => root.contains(document.activeElement)"), name
        assert page.evaluate(SCROLLED) == scrolled, name
        assert after.inner_text().startswith("Keys: ") and after.is_visible() and not before.is_visible(), name

    for width in (1280, 1024):
        lab.resize(width)
        assert lab.sideways() == 0
        for name, root in zip(EVERY, roots.all(), strict=True):
            assert root.evaluate(script("crowded")) == [], (name, width)
            looking.picture(root, f"every_{name}_{width}")

    stored = lab.save().read_text()
    models = json.loads(stored)["metadata"]["widgets"][STATE]["state"]
    assert len(models) >= len(EVERY) and len(stored) < 700_000  # a script and a scene each; a chain of 980 boards
    lab.reopen()
    drawn(lab)
    asleep = page.locator(".ck-asleep:visible")
    assert asleep.count() == len(EVERY) and all("Run this cell" in text for text in asleep.all_inner_texts())
    assert page.get_by_text("model not found").count() == 0
    board = roots.first
    board.locator(".ck-tile").first.click()
    assert "Run this cell to play." in board.get_by_role("status").inner_text()
    assert not lab.problems
