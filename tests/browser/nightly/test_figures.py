"""Plotly figures in JupyterLab: they take the theme and the width of their cell, live and reopened."""

from __future__ import annotations

import json

import pytest
from scripts import script

CELL = """from cogkit.ui import parts, theme
figure = theme.figure("People and models", 320, "n = 7 tasks; one mark a task")
parts.marks(figure, [1, 2], [1, 2], {"color": theme.INK, "size": 10}, error_y=parts.interval([1, 2], [0, 1], [2, 3]))
parts.marks(figure, [1, 2], [2, 1], {"color": "white", "size": 12, "line": {"color": theme.QUIET, "width": 2}})
figure.add_hline(1.5, line=theme.stroke("floor"))
parts.beside(figure, 1.5, "shortcuts", font={"color": theme.BLUE})
figure.update_layout(margin={"r": 100})"""
FOREIGN = """import plotly.graph_objects as go
go.Figure(layout={"template": "none", "paper_bgcolor": "white", "width": 300, "title": "Another's"})"""
WIDTHS = """(figure) => [
    figure.querySelector(".main-svg").getBoundingClientRect().width,
    figure.closest(".jp-OutputArea-output").clientWidth,
]"""


@pytest.fixture
def figure(lab):
    return lab.run_cells(CELL, FOREIGN, folder="figures").locator(".cogkit-figure")


def look(lab, figure) -> None:
    """Check widths at 1280 and 1024, with the file browser open, and contrasts in the light and in the dark."""
    page = lab.page
    for width in (1024, 1280):
        lab.resize(width)
        page.wait_for_function(script("figures_fit"))
        drawn, cell = figure.evaluate(WIDTHS)
        assert drawn <= cell < width - 200 and lab.sideways() == 0
    lab.is_readable(".cogkit-figure", 5, "fill")
    texts = lab.contrast(".cogkit-figure", "fill")
    assert {"People and models", "n = 7 tasks; one mark a task", "shortcuts"} <= texts.keys()
    lab.is_well()


def test_figure_follows_theme_and_width(lab, figure, server):
    assert figure.count() == 1  # another's figure is none of ours
    look(lab, figure)
    stored = json.loads(lab.save().read_text())
    (output,) = stored["cells"][0]["outputs"]
    layout = output["data"]["application/vnd.plotly.v1+json"]["layout"]
    assert layout["height"] == 320 and "width" not in layout  # what is kept is the figure as it was made
    server.end_kernels()
    notebook = server.root / "figures" / "reopened.ipynb"
    stored["cells"].pop()  # another's figure comes back as a picture, as wide as it was
    for cell in stored["cells"]:
        cell["metadata"].pop("trusted", None)
    stored["cells"][0]["source"] += "  # changed elsewhere, so not trusted"
    notebook.write_text(json.dumps(stored))
    lab.visit("figures/reopened.ipynb")
    trusted = "() => window.jupyterapp.shell.currentWidget.content.widgets[0].model.trusted"
    assert lab.page.evaluate(trusted) is False
    figure.wait_for()
    look(lab, figure)
    assert lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty") is False
