"""Each widget in a page of its own, without Jupyter, kernel or network: the least that any front end gives a widget."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from markup import FOREIGN, HOSTILE, SETTLED
from plotly.offline import get_plotlyjs
from scripts import script
from widgets import EVERY, ITEMS

from cogkit.tiles.people import blind
from cogkit.tiles.views import BlindTrial, Replay, TileBoard
from cogkit.ui import theme
from cogkit.ui.figures import consistency
from cogkit.ui.tables import claims_table, folded, readable

BAD = f"javascript:window.ran=1//{HOSTILE}"


def finished() -> BlindTrial:
    trial = BlindTrial("zigzag", n=2, seed=3, floors=blind.floors(["zigzag"], n=20))
    for _ in range(2):
        trial.answer("abstract")
    return trial


MORE = EVERY | {
    "Replay beside others": lambda: Replay(
        ITEMS, answers=[[10, 0, 11]], beside=lambda k: {"heuristic": 3.0, "heuristic_sd": 1.0, "ideal": 2.0}
    ),
    "TileBoard beside others": lambda: TileBoard(ITEMS, beside=lambda k: {"heuristic": 3.0, "ideal": 2.0}),
    "BlindTrial at its end": finished,
}


@cache
def made(name: str):
    """Return a widget, its state as a page gets it, and the names of what is no text in it."""
    widget = MORE[name]()
    state = {name: widget.get_state(name)[name] for name in widget.keys if not name.startswith(("_", "layout"))}
    binary = [name for name, value in state.items() if isinstance(value, bytes | memoryview)]
    state |= {name: list(bytes(state[name])) for name in binary}
    return widget, {name: value for name, value in state.items() if name not in ("tabbable", "tooltip")}, binary


@pytest.fixture
def page(browser):
    """An empty page; an error in it, a script of a stranger that ran, and a request fail the test."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))
    yield page
    assert page.evaluate(SETTLED) == 0
    page.close()
    assert not faults


def give(page, name: str, todo: str, *more):
    """Give a widget to a script in the page; return what came of it."""
    widget, state, binary = made(name)
    return page.evaluate(script(todo), [str(widget._esm), str(widget._css), state, binary, *more])


@pytest.mark.parametrize("name", EVERY)
def test_widget_draws_its_state_and_goes_without_a_trace(name, page, mirror):
    give(page, name, "host")
    root = page.locator(":is(.cogkit-widget, .cogkit-run)")
    assert root.count() == 1 and len(root.inner_text()) > 40
    before = root.inner_text()
    page.evaluate("() => change()")
    assert root.inner_text() == before and page.evaluate("() => listening()") > 0
    page.evaluate("() => end()")
    assert page.evaluate("() => listening()") == 0


@pytest.mark.parametrize("name", MORE)
def test_no_text_of_a_widget_is_markup(name, page, mirror):
    seen = give(page, name, "poison", BAD, FOREIGN)
    assert seen["found"] == []
    assert len(seen["said"]) > 1, seen  # it was drawn, as text


def test_tables_and_figures_hold_nothing_foreign(page):
    frame = pd.DataFrame({"who": [HOSTILE] * 20, HOSTILE: 0.5, "kind": HOSTILE}, index=[HOSTILE] * 20)
    claims = pd.DataFrame({"claim": HOSTILE, "holds": [True], "found": HOSTILE, "section": HOSTILE})
    tables = [readable(frame), claims_table(claims), folded(HOSTILE, HOSTILE, f"{HOSTILE}\n{HOSTILE}", frame)]
    page.set_content("".join(f"<article>{each._repr_html_()}</article>" for each in tables))
    inside = page.locator("article").locator(f":is({FOREIGN}):not(script:not([src]))")
    assert inside.count() == 0
    assert page.locator("article script").count() == 2  # those that sort long tables

    page.set_content("<div id=figure style='width:900px'></div>")
    page.add_script_tag(content=get_plotlyjs())
    bad = f"<a href='https://x/'>a</a><A HREF=\"javascript:window.ran=1\">b</A><sub>c</sub>{HOSTILE}"
    row = {"first": bad, "second": bad, "group": bad, "kappa": 0.5, "kappa_max": 0.9, "low": 0.1, "high": 0.8}
    figure = consistency(pd.DataFrame([row]), bad, bad).add_scatter(
        x=[0.2, 0.3], y=[0, 1], text=[bad, bad], name=bad, mode="markers+text", hovertemplate=f"{bad}%{{customdata}}",
        customdata=[bad, bad], hoverlabel={"namelength": -1},
    )  # fmt: skip
    figure.update_layout(showlegend=True)
    page.evaluate("async (json) => Plotly.newPlot('figure', JSON.parse(json))", figure.to_json())
    for number in range(3):
        page.evaluate("(k) => Plotly.Fx.hover('figure', [{curveNumber: k, pointNumber: 0}])", number)
        page.wait_for_selector("#figure .hoverlayer .hovertext")
        assert (
            page.locator("#figure .main-svg :is(a, sub, sup, img, iframe, script, image, foreignObject)").count() == 0
        )
    words = page.locator("#figure text").all_text_contents()
    assert sum("<a href='https://x/'>a</a>" in text for text in words) >= 4  # as it was typed
    assert theme.figure("a <i>b</i>").to_dict()["layout"]["title"]["text"] == "a &lt;i>b&lt;/i>"
