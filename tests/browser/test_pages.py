"""Pages without JupyterLab: one of ``cogkit run``, whose widgets stand as the run left them, and a study to its end."""

from __future__ import annotations

import base64
import io
import json

import nbformat
from markup import HOSTILE, SETTLED
from PIL import Image
from websitting import address, agree, barriers, read, to_the_end

from cogkit.app import pages, stills

BOARD = """from cogkit.tiles import figures
from cogkit.tiles.problems import records
from cogkit.tiles.scoring import Items

boards = records.sample("rectangle", 2, 0)
board = figures.TileBoard(Items(boards, records.draw_starts(boards, 0), "rectangle/abstract", "generated"))
display(board)
board.click(next(tile for tile in range(49) if tile != board.items.starts[0]))"""
OTHERS = """import pandas as pd
import plotly.graph_objects as go

display(figures.readable(pd.DataFrame({"place": range(20)})), figures.folded("More", "text"))
go.Figure(go.Scatter(y=[1, 2]))"""


def test_a_page_shows_a_board_as_it_was_left_and_the_notebook_holds_a_picture_of_it(browser, tmp_path, mirror):
    v4 = nbformat.v4
    parameters = v4.new_code_cell("preset: str = 'quick'  # how much", metadata={"tags": ["parameters"]})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [v4.new_markdown_cell("# A board"), parameters, v4.new_code_cell(BOARD), v4.new_code_cell(OTHERS)]
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), tmp_path / "a.ipynb")
    (run,) = pages.run_all("quick", tmp_path / "run", [str(tmp_path / "a.ipynb")])
    assert run.ok, run.error
    page, problems = browser.new_page(), []
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: request.url.startswith("http") and problems.append(request.url))
    page.goto((tmp_path / "run" / "quick" / "a.html").as_uri())
    still = page.get_by_role("img", name="TileBoard, as the run left it")
    still.locator(".ck-tile.is-red, .ck-tile.is-blue").nth(1).wait_for()
    opened = still.locator(".ck-grid .ck-tile.is-red, .ck-grid .ck-tile.is-blue").count()
    assert opened == 2 and problems == []
    assert still.evaluate("(node) => node.firstChild.inert")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    for _ in range(2):  # upwards, then downwards
        page.get_by_role("button", name="place").click()
    assert page.locator(".ck-sort tbody tr").first.inner_text() == "19"
    page.locator("summary", has_text="More").click()
    page.get_by_text("text", exact=True).wait_for()
    assert problems == []
    for name in ("a.html", "index.html"):  # even if markup came into a page, nothing in it would run
        hostile = tmp_path / "run" / "quick" / f"hostile {name}"
        hostile.write_text((tmp_path / "run" / "quick" / name).read_text("utf-8") + HOSTILE, "utf-8")
        page.goto(hostile.as_uri())
        assert page.evaluate(SETTLED) == 0, name
    page.close()
    notebook = nbformat.read(tmp_path / "run" / "quick" / "a.ipynb", as_version=4)
    ((data, name),) = stills.outputs(notebook)
    png = base64.b64decode(data["image/png"])
    assert len(png) <= stills.MOST and data["text/plain"] == stills.words(notebook, name)
    colours = {colour for _, colour in Image.open(io.BytesIO(png)).convert("RGB").getcolors(1 << 16)}
    assert any(red > 180 and blue < 60 for red, _, blue in colours)  # an open red tile


def test_a_study_is_sat_to_its_end_and_what_was_answered_is_read_back(browser, tmp_path):
    page, problems = browser.new_page(viewport={"width": 1024, "height": 768}, accept_downloads=True), []

    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: request.url.startswith("http") and problems.append(request.url))
    page.goto(address("equivalence"))
    violations = barriers(page)
    agree(page)
    violations += barriers(page)
    rows = to_the_end(page)
    violations += barriers(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my answers").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == rows
    for mode in ("constructor", "toString", "__proto__", ""):  # an unknown simulation plays and stores nothing
        page.goto(f"{address('equivalence')}?simulate={mode}")
        page.get_by_role("heading", name="This address cannot be opened").wait_for()
        assert page.evaluate("window.cogkitRows") is None and page.get_by_role("button").count() == 0
    page.close()
    collected = read(rows, tmp_path)
    assert collected.trials["response"].tolist() == [row["response"] for row in rows]
    assert collected.sittings["reason"].tolist() == [""] and len(collected.rows)
    assert violations == [] and problems == []
