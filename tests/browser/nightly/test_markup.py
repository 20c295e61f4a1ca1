"""Markup in names, notes and titles, in a real browser: no script runs, and no element of a stranger's comes to be."""

from __future__ import annotations

import pandas as pd
import pytest
from markup import FOREIGN, HOSTILE, SETTLED
from plotly.offline import get_plotlyjs

from cogkit.ui import theme
from cogkit.ui.consistency import consistency
from cogkit.ui.tables import claims_table, folded, readable


@pytest.fixture
def page(browser):
    """An empty page; that any script of a stranger ran is a fault, and so is a request."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    faults = []
    page.on("request", lambda request: request.url.startswith("http") and faults.append(request.url))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    yield page
    assert page.evaluate(SETTLED) == 0
    page.close()
    assert not faults


def test_tables_and_figures_hold_nothing_foreign(page) -> None:
    frame = pd.DataFrame({"who": [HOSTILE] * 20, HOSTILE: 0.5, "kind": HOSTILE}, index=[HOSTILE] * 20)
    claims = pd.DataFrame({"claim": HOSTILE, "holds": [True], "found": HOSTILE, "section": HOSTILE})
    shown = [readable(frame), claims_table(claims), folded(HOSTILE, HOSTILE, f"{HOSTILE}\n{HOSTILE}", frame)]
    page.set_content("".join(f"<article>{each._repr_html_()}</article>" for each in shown))
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
