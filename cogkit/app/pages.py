"""Run every notebook in turn: executed copies, HTML pages, and an index with costs and headlines."""

from __future__ import annotations

import html
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from string import Template
from typing import Any

from cogkit.app import notebooks
from cogkit.app.notebooks import Run
from cogkit.core.contracts import InputError
from cogkit.core.presets import preset as valid_preset
from cogkit.data.files import write_whole

PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
_TEMPLATES = Path(__file__).with_name("templates")


def run_all(
    preset: str,
    out: Path | str,
    names: Iterable[str] = (),
    values: Mapping[str, Any] | None = None,
    say: Callable[[str], Any] = print,
) -> list[Run]:
    """Run notebooks and return their `Run`; ``out/<preset>`` then holds ``.ipynb``, ``.html`` and ``index.html``.

    If a notebook fails, it is reported and the others still run. The kernels get their own empty COGKIT_HOME, so that
    the clicks of a headless run never mix with the reader's.

    Parameters
    ----------
    preset : str
        quick, lab or paper.
    out : path
        Folder for all runs, such as ``results/run``.
    names : iterable of str, optional
        Notebooks to run; all of them when empty.
    values : mapping, optional
        More parameters. Each must be a parameter of every chosen notebook.
    say : callable
        Called with one line of progress.
    """
    values = {"preset": valid_preset(preset), **(values or {})}
    paths = notebooks.find(names)
    if not paths:
        raise InputError(f"none in {notebooks.source()}", "at least one notebook")
    for path in paths:  # all checks come before the first long run
        notebooks.check_values(path, values)
    folder = Path(out) / preset
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    with tempfile.TemporaryDirectory(prefix="cogkit-run-") as home:
        for path in paths:
            run = notebooks.execute(path, folder / path.name, values, env={"COGKIT_HOME": home})
            write_page(folder / path.name)
            runs.append(run)
            say(row(run))
            write_index(folder, preset, runs)
    return runs


def row(run: Run) -> str:
    """Return one line for the table of costs.

    Examples
    --------
    >>> row(Run("00_start_here", 3.14, 5.0, 250.0, 40.0, True))
    '00_start_here                3.1 CPU-s     5.0 s    250 MB     40 kB  ok'
    """
    state = "ok" if run.ok else f"FAILED in {run.error}"
    costs = f"{run.cpu_s:8.1f} CPU-s{run.wall_s:8.1f} s{run.peak_mb:7.0f} MB{run.size_kb:7.0f} kB"
    return f"{run.notebook:<24}{costs}  {state}"


def write_page(path: Path) -> Path:
    """Write the page of an executed notebook beside it and return its path; it needs only ``plotly.min.js``."""
    # Not at the top: nbconvert and plotly are heavy, and only a page needs them.
    import nbformat
    import plotly.io
    from nbconvert import HTMLExporter
    from plotly.offline import get_plotlyjs

    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            data.pop(WIDGET, None)  # the widget's text remains
            if PLOTLY in data:
                content = data.pop(PLOTLY)
                figure = {"data": content["data"], "layout": content["layout"]}
                data["text/html"] = plotly.io.to_html(figure, include_plotlyjs=False, full_html=False, validate=False)
    # nbconvert's own page loads require.js, MathJax, Mermaid and the widget manager from the web; ours loads nothing.
    exporter = HTMLExporter(raw_template=(_TEMPLATES / "page.html.j2").read_text())
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": path.stem}})
    script = path.with_name("plotly.min.js")
    if not script.exists():
        write_whole(script, get_plotlyjs().encode())
    target = path.with_suffix(".html")
    write_whole(target, page.encode())
    return target


def headlines(path: Path) -> str:
    """Return the plain text output of the cells tagged ``headline`` in an executed notebook."""
    import nbformat  # with the notebook schema: only for reading executed notebooks

    texts = []
    for cell in nbformat.read(path, as_version=4).cells:
        if "headline" in cell.metadata.get("tags", ()):
            for output in cell.outputs:
                texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "\n".join(text.strip() for text in texts if text.strip())


def write_index(folder: Path, preset: str, runs: Iterable[Run]) -> Path:
    """Write the index page of ``folder`` and return its path; the text of notebooks is escaped."""
    rows = []
    for run in runs:
        name = html.escape(run.notebook)
        costs = (run.cpu_s, run.wall_s, run.peak_mb, run.size_kb)
        numbers = "".join(f"<td>{'–' if math.isnan(cost) else format(cost, '.1f')}" for cost in costs)
        text = headlines(folder / f"{run.notebook}.ipynb") if run.ok else f"FAILED in {run.error}"
        rows.append(f'<tr><td><a href="{name}.html">{name}</a>{numbers}<td><pre>{html.escape(text)}</pre></tr>')
    target = folder / "index.html"
    page = Template((_TEMPLATES / "index.html").read_text())
    write_whole(target, page.substitute(preset=html.escape(preset), rows="\n".join(rows)).encode())
    return target
