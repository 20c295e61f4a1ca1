"""Plotly figures in JupyterLab: they take the theme and the width of their cell, live and reopened."""

from __future__ import annotations

import json

import pytest

CELL = """from cogkit.ui import parts, theme
figure = theme.figure("People and models", 320, "n = 7 tasks; one mark a task")
parts.marks(figure, [1, 2], [1, 2], {"color": theme.INK, "size": 10}, error_y=parts.interval([1, 2], [0, 1], [2, 3]))
parts.marks(figure, [1, 2], [2, 1], {"color": "white", "size": 12, "line": {"color": theme.QUIET, "width": 2}})
figure.add_hline(1.5, line=theme.stroke("floor"))
parts.beside(figure, 1.5, "shortcuts", font={"color": theme.BLUE})
figure.update_layout(margin={"r": 100})"""
FOREIGN = """import plotly.graph_objects as go
go.Figure(layout={"template": "none", "paper_bgcolor": "white", "width": 300, "title": "Another's"})"""
# WCAG 2 contrast of what is painted in a figure with the page behind it: of every text, and of every mark's strongest.
CONTRAST = """(figure) => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const page = getComputedStyle(figure.closest(".jp-Notebook")).backgroundColor;
    const light = (...colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => linear(v / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (colour) => {
        const [a, b] = [light(page, colour), light(page)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    };
    const style = (node) => getComputedStyle(node);
    const leaves = [...figure.querySelectorAll(".main-svg text, .main-svg tspan")]
        .filter((node) => [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
    const marks = [...figure.querySelectorAll(".points path, .errorbar path, .shapelayer path")];
    return {
        texts: Object.fromEntries(leaves.map((node) => [node.textContent, ratio(style(node).fill)])),
        marks: marks.map((node) =>
            Math.max(...[style(node).fill, style(node).stroke].filter((c) => c !== "none").map(ratio))),
    };
}"""
WIDTHS = """(figure) => [
    figure.querySelector(".main-svg").getBoundingClientRect().width,
    figure.closest(".jp-OutputArea-output").clientWidth,
]"""
FITS = """() => [...document.querySelectorAll(".cogkit-figure")].every((figure) => {
    const drawn = figure.querySelector(".main-svg")?.getBoundingClientRect().width;
    return Math.abs(drawn - figure.closest(".jp-OutputArea-output").clientWidth) < 1;
})"""


@pytest.fixture
def figure(lab):
    return lab.run_cells(CELL, FOREIGN, folder="figures").locator(".cogkit-figure")


def look(lab, figure) -> None:
    """Check widths at 1280 and 1024, with the file browser open, and contrasts in the light and in the dark."""
    page = lab.page
    for width in (1024, 1280):
        lab.resize(width)
        page.wait_for_function(FITS)
        drawn, cell = figure.evaluate(WIDTHS)
        assert drawn <= cell < width - 200 and lab.sideways() == 0
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        found = figure.evaluate(CONTRAST)
        texts = found["texts"]
        assert {"People and models", "n = 7 tasks; one mark a task", "shortcuts"} <= texts.keys()
        assert min(texts.values()) >= 4.5, texts
        assert len(found["marks"]) >= 7 and min(found["marks"]) >= 3, found["marks"]
    lab.is_well()


def test_figure_follows_theme_and_width(lab, figure, server):
    assert figure.count() == 1  # another's figure is none of ours
    look(lab, figure)
    stored = json.loads(lab.save().read_text())
    (output,) = stored["cells"][0]["outputs"]
    kept = output["data"]["application/vnd.plotly.v1+json"]["layout"]
    assert kept["height"] == 320 and "width" not in kept  # what is kept is the figure as it was made
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
