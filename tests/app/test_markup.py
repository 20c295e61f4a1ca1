"""Markup in what notebooks, sittings and studies say stays text on every page that is made of it."""

from __future__ import annotations

import json

import nbformat
import pandas as pd
import plotly.graph_objects as go
from galleries import write
from markup import HOSTILE, PLAIN, structure, texts

from cogkit.app import gallery, pages, stills
from cogkit.app.notebooks import Run
from cogkit.ui import theme
from cogkit.ui.tables import readable

NAME = "<img src=x onerror=ran()>\"'&b"  # a file may be called so
WIDGET = {"_esm": "export default {}", "_css": "", "_anywidget_id": "a.B"}


def notebook(word: str):
    """Return an executed notebook whose outputs, not its code and prose, say a word."""
    v4 = nbformat.v4
    figure = theme.figure(word).add_scatter(y=[1], name=word, text=[word], hovertemplate=word)
    stranger = go.Figure(go.Scatter(y=[1], name=word))
    table = readable(pd.DataFrame({"who": [word]}))
    bundles = [
        {"text/plain": word, pages.PLOTLY: json.loads(figure.to_json())},
        {"text/plain": word, pages.PLOTLY: json.loads(stranger.to_json())},
        {"text/plain": repr(table), "text/html": table._repr_html_()},
        {"text/plain": word},
        {"text/plain": word, stills.VIEW: {"model_id": "a1"}},
    ]
    outputs = [v4.new_output("stream", text=word), v4.new_output("error", ename=word, evalue=word, traceback=[word])]
    outputs += [v4.new_output("display_data", data) for data in bundles]
    headline = v4.new_code_cell(
        "1", outputs=[v4.new_output("stream", text=f"{word} is it.")], metadata={"tags": ["headline"]}, id="b"
    )
    state = WIDGET | {"scene": {"status": word, "deep": [word]}, word: word}
    models = {"state": {"a1": {"model_name": "AnyModel", "state": state, "buffers": []}}}
    cells = [v4.new_code_cell("0", outputs=outputs, id="a"), headline]
    return v4.new_notebook(cells=cells, metadata={"title": word, "widgets": {stills.STATE: models}})


def unnumbered(page: str) -> list[tuple]:
    """Return the elements of a page without ids, which plotly draws at random."""
    return [tuple(part for part in tag if part[0] != "id") for tag in structure(page)]


def test_pages_of_a_run_have_the_same_elements_whatever_is_said(folder, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(stills.shutil, "which", lambda name: None)  # no Chromium: the page needs none
    made = {}
    for word, name in ((HOSTILE, NAME), (PLAIN, "x" * len(NAME))):
        out = tmp_path / name / "quick"
        out.mkdir(parents=True)
        nbformat.write(notebook(word), out / f"{name}.ipynb")
        page = pages.write_page(out / f"{name}.ipynb", [name]).read_text()
        write(folder, name, f"# {word}", question=word, instrument=word)
        runs = [Run(name, 1.0, 1.0, 1.0, 1.0, True), Run(name, 1.0, 1.0, 1.0, 1.0, False, word)]
        index = pages.write_index(out, word, runs).read_text()
        made[word] = page, index, gallery.markdown()
        (folder / f"{name}.ipynb").unlink()
    assert unnumbered(made[HOSTILE][0]) == unnumbered(made[PLAIN][0])
    assert texts(made[HOSTILE][0]).count(HOSTILE) >= 6
    for hostile, plain in zip(made[HOSTILE][1:], made[PLAIN][1:], strict=True):
        without = [[(tag[0], *(part for part in tag[1:] if part[0] not in ("href", "src"))) for tag in structure(page)]
                   for page in (hostile, plain)]  # fmt: skip
        assert without[0] == without[1]
        assert not any("javascript:" in str(tag) for tag in structure(hostile))
