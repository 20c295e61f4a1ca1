"""A notebook of yesterday shows its widgets, also when it was saved without a kernel or the page is busy."""

from __future__ import annotations

import json

import pytest
from scripts import script

CELLS = (
    "import ipywidgets\nbox = ipywidgets.HBox([ipywidgets.IntSlider(3), ipywidgets.Text('pado')])\nbox",
    "import ipywidgets\nipywidgets.Label('of one cell')",
    "import numpy as np\nfrom cogkit.tiles.rules.boards import Items\nfrom cogkit.tiles.views import TileBoard\n"
    "TileBoard(Items([np.eye(7, dtype=int)], [0], 'rectangle/abstract', 'test'))",
)
STATE, VIEW = (f"application/vnd.jupyter.widget-{name}+json" for name in ("state", "view"))
SHOWN = ".jp-Notebook .jp-OutputArea-output :is(.widget-hbox, .widget-label, .cogkit-widget)"


def held(path) -> tuple[list[str], dict]:
    """Return the widgets that a notebook shows, and the state of all that it keeps."""
    notebook = json.loads(path.read_text())
    outputs = [output for cell in notebook["cells"] for output in cell["outputs"]]
    views = [output["data"][VIEW]["model_id"] for output in outputs if VIEW in output.get("data", {})]
    return views, notebook["metadata"]["widgets"][STATE]["state"]


@pytest.fixture
def path(lab):
    lab.run_cells(*CELLS, folder="reopened")
    return lab.save()


def count_widgets(lab) -> int:
    return lab.page.locator(SHOWN).count()


def wait_for(lab, count: int) -> None:
    lab.page.wait_for_function("([what, n]) => document.querySelectorAll(what).length === n", arg=[SHOWN, count])


def test_a_notebook_that_is_saved_without_its_kernel_keeps_its_widgets(lab, path):
    count, (views, state) = count_widgets(lab), held(path)
    assert len(views) == 3 and count == 5
    for _ in range(2):  # opened, looked at, saved
        lab.reopen()
        wait_for(lab, count)
        lab.save()
        assert held(path) == (views, state)
    assert lab.run_cell(1)
    lab.save()
    after, new_state = held(path)
    assert [old == new for old, new in zip(views, after, strict=True)] == [True, False, True]
    assert set(after) <= set(new_state) and views[1] not in new_state
    lab.reopen()
    wait_for(lab, count)
    assert not lab.problems


def test_a_busy_page_hides_no_widget(lab, path, server):
    """JupyterLab looks for a widget for two seconds, and without the package's extension never again."""
    count, complaints = count_widgets(lab), []
    lab.page.on("console", lambda message: complaints.append(message.text))
    for _ in range(2):
        lab.settle(script("busy"))
        server.end_kernels()
        lab.visit("reopened/cells.ipynb")
        wait_for(lab, count)
        assert "model not found" not in lab.page.locator(".jp-Notebook").inner_text()
    assert any("widget model not found" in text for text in complaints)  # it did give up
    assert not lab.problems
