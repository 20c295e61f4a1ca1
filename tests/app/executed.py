"""A notebook as a run leaves it, with all that a page has to show."""

from __future__ import annotations

import json

import nbformat

from cogkit.app import pages, stills
from cogkit.ui import theme


def ran(word: str) -> nbformat.NotebookNode:
    """Return a notebook with a figure, a widget, a text, a link, and a result that only our programs read."""
    v4, figure = nbformat.v4, theme.figure("Tiles").add_scatter(y=[1, 3], name="a")
    bundles = [
        {"text/plain": "Figure", pages.PLOTLY: json.loads(figure.to_json())},
        {"text/plain": "TileBoard", stills.VIEW: {"model_id": "a1"}},
        {"text/plain": word, "application/vnd.cogkit.verdict+json": {"right": True}},
        {"text/plain": "link", "text/html": '<a href="02_task_metamers.ipynb">next</a>'},
    ]
    outputs = [v4.new_output("stream", text=word), *(v4.new_output("display_data", data) for data in bundles)]
    state = {"_esm": "export default {render() {}}", "_css": "", "_anywidget_id": "a.TileBoard", "status": "Ready."}
    models = {"state": {"a1": {"model_name": "AnyModel", "state": state, "buffers": []}}}
    cells = [v4.new_markdown_cell("# Play tiles", id="a"), v4.new_code_cell("board", outputs=outputs, id="b")]
    return v4.new_notebook(cells=cells, metadata={"widgets": {stills.STATE: models}})
