"""One small page with each widget once, in Notebook 7 and in marimo; JupyterLab has tests of its own."""

from __future__ import annotations

import os
import shutil
import sys

import children
import pytest
import widgets
from lab import free_port, wait_until_up
from playwright.sync_api import expect
from widgets import EVERY

ROOTS = ":is(.cogkit-widget, .cogkit-run)"
FIGURE = "from cogkit.ui import parts, theme\nparts.marks(figure := theme.figure('One'), 1, 2, {})\nfigure"
APP = """import marimo

app = marimo.App()


@app.cell
def _():
    import marimo
    from widgets import every

    marimo.vstack([marimo.ui.anywidget(widget) for widget in every().values()])
"""


def plays(page) -> None:
    """Check that each widget is drawn, and that a click comes to Python and back."""
    page.locator(".ck-scales .ck-point").first.wait_for()
    roots = page.locator(ROOTS)
    expect(roots).to_have_count(len(EVERY), timeout=60_000)  # marimo draws them one by one
    for root in roots.all():
        assert len(root.inner_text()) > 40
        box = root.bounding_box()
        assert box["width"] > 300 and box["height"] > 100
    board = roots.first
    board.locator(".ck-tile").nth(10).click()
    board.get_by_text("Red, plus one: row 2, column 4.").wait_for()
    assert board.locator(".ck-after").is_visible() and not board.locator(".ck-before").is_visible()
    assert page.locator(".ck-asleep:visible").count() == 0


def test_notebook_7(lab, server, mirror):
    pytest.importorskip("notebook", reason="Notebook 7 is not installed (pip install -e '.[test]')")
    folder = server.root / "front"
    folder.mkdir(exist_ok=True)
    shutil.copy(widgets.__file__, folder)
    lab.open_cells("from widgets import EVERY", FIGURE, *(f"EVERY[{name!r}]()" for name in EVERY), folder="front")
    lab.page.goto(f"{server.url}/notebooks/front/cells.ipynb?token={server.token}", wait_until="domcontentloaded")
    lab.wait()
    assert lab.run_all(), lab.errors()
    plays(lab.page)
    assert lab.page.locator(".cogkit-figure .main-svg").count()
    assert [problem for problem in lab.problems if "/static/notebook/notebook_core" not in problem] == []  # its own


def test_marimo(browser, tmp_path, mirror):
    pytest.importorskip("marimo", reason="marimo is not installed (pip install -e '.[test]')")
    shutil.copy(widgets.__file__, tmp_path)
    (tmp_path / "app.py").write_text(APP)
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "app.py", "--headless", "--no-token", "--port", str(port)]
    private = {"HOME": str(tmp_path), "COGKIT_HOME": str(tmp_path / "home")}
    log = tmp_path / "server.log"
    with log.open("w") as out:
        server = children.start(command, cwd=tmp_path, env=os.environ | private, stdout=out, stderr=out)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    try:
        wait_until_up(server, f"http://127.0.0.1:{port}", log)
        page.goto(f"http://127.0.0.1:{port}", timeout=60_000)
        page.locator(ROOTS).first.wait_for(timeout=120_000)
        plays(page)
        assert not problems
    finally:
        page.close()
        server.terminate()
        server.wait(30)
