"""Run every notebook in turn: executed copies, HTML pages, and a gallery of them with headlines and costs.

A page fetches nothing: its formulas are MathML, its widgets stand as the run left them, and what teaches nothing is
folded away.
"""

from __future__ import annotations

import html
import math
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from cogkit.app import gallery, notebooks
from cogkit.app.notebooks import Run
from cogkit.core.presets import preset as valid_preset
from cogkit.data.files import write_whole
from cogkit.ui.files import inline, policy

PLOTLY = "application/vnd.plotly.v1+json"
_TEMPLATES = Path(__file__).with_name("templates")


def run_all(
    preset: str, out: Path | str, names: Iterable[str] = (), values: Mapping[str, Any] | None = None,
    say: Callable[[str], Any] = print,
) -> list[Run]:  # fmt: skip
    """Run notebooks and return their `Run`; ``out/<preset>`` then holds ``.ipynb``, ``.html`` and ``index.html``.

    No reader is there: a notebook that declares ``hands_free`` trains and answers by itself. If a notebook fails, it is
    reported and the others still run. The kernels get their own empty COGKIT_HOME, so that the clicks of a headless run
    never mix with the reader's. Without ``names`` all notebooks run. ``values`` are more parameters, each of every
    chosen notebook. ``say`` is called with one line of progress.
    """
    values = {"preset": preset, **(values or {})}
    preset = valid_preset(values["preset"])
    paths = notebooks.find(names)
    for path in paths:  # all checks come before the first long run
        notebooks.check_values(path, values)
    folder = Path(out) / preset
    folder.mkdir(parents=True, exist_ok=True)
    stems = [path.stem for path in paths]
    if (pictures := notebooks.source() / "pictures").is_dir():
        shutil.copytree(pictures, folder / "pictures", dirs_exist_ok=True)
    runs = []
    with tempfile.TemporaryDirectory(prefix="cogkit-run-") as home:
        for path in paths:
            free = {"hands_free": True} if "hands_free" in notebooks.parameters(path) else {}
            run = notebooks.execute(path, folder / path.name, free | values, env={"COGKIT_HOME": home})
            write_page(folder / path.name, stems, index=True)
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


def write_page(path: Path, stems: Iterable[str] = (), index: bool = False) -> Path:
    """Write the page of an executed notebook beside it and return its path; it needs only ``plotly.min.js``.

    A picture of each widget is added to the notebook. Links to the notebooks ``stems`` lead to their pages. ``index``
    says that there is a gallery to lead back to.
    """
    # Not at the top: nbconvert and plotly are heavy, and only a page needs them.
    import nbformat
    from plotly.offline import get_plotlyjs

    from cogkit.app import stills  # with Pillow
    from cogkit.ui import tables  # with pandas

    notebook = nbformat.read(path, as_version=4)
    stills.add_pictures(notebook)
    nbformat.write(notebook, path)
    script, scripts = flattened(notebook)
    # nbconvert's own page loads require.js, MathJax, Mermaid and the widget manager from the web; ours loads nothing.
    resources = {"metadata": {"name": path.stem}, "cogkit_stills": script, "cogkit_index": index}
    resources["cogkit_policy"] = policy(
        *scripts, tables.SORT, tables.KEYS, files=True, script="blob:"
    )  # widgets are modules in blobs
    page, _ = _exporter().from_notebook_node(notebook, resources)
    shared = path.with_name("plotly.min.js")
    if not shared.exists():
        write_whole(shared, get_plotlyjs().encode())
    target = path.with_suffix(".html")
    write_whole(target, linked(page, stems).encode())
    return target


def flattened(notebook: Any) -> tuple[str, list[str]]:
    """Turn each widget and figure of an executed notebook into HTML, in place.

    Return what draws the widgets, and all scripts that are in the page then and are ours.
    """
    import plotly.io  # as above

    from cogkit.app import stills

    names = []
    for data, name in stills.outputs(notebook):
        data["text/html"] = stills.figure(name, stills.words(notebook, name))
        names.append(name)
    script = stills.script(notebook, names)
    scripts = inline(script)
    notebook.metadata.pop("widgets", None)
    every = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", ())]
    for number, data in enumerate(every):
        data.pop(stills.VIEW, None)  # of a widget without a view of its own the text remains
        if PLOTLY in data:
            content = data.pop(PLOTLY)
            figure = {"data": content["data"], "layout": content["layout"]}
            how = {"include_plotlyjs": False, "full_html": False, "validate": False}
            data["text/html"] = plotly.io.to_html(figure, div_id=f"figure-{number}", **how)
            scripts += inline(data["text/html"])
    return script, scripts


def _exporter() -> Any:
    """Return an HTML exporter with our page, whose formulas are MathML."""
    from jinja2 import pass_context
    from latex2mathml.converter import convert
    from nbconvert import HTMLExporter
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return convert(body)

        def block_math(self, body: str) -> str:
            return convert(body, display="block")

        def latex_environment(self, name: str, body: str) -> str:
            return convert(f"\\begin{{{name}}}{body}\\end{{{name}}}", display="block")

    class Exporter(HTMLExporter):
        @pass_context
        def markdown2html(self, context, source):
            return MarkdownWithMath(renderer=Renderer(escape=False)).render(source)

    return Exporter(raw_template=(_TEMPLATES / "page.html.j2").read_text())


def linked(page: str, stems: Iterable[str]) -> str:
    """Return a page whose links to these notebooks lead to their pages."""
    known = "|".join(re.escape(gallery.link(stem, "")) for stem in stems)
    return re.sub(rf'href="({known})\.ipynb(?=["#])', r'href="\1.html', page) if known else page


def headline(path: Path) -> str:
    """Return what an executed notebook found: the first whole sentence that its cells tagged ``headline`` print."""
    import nbformat  # with the notebook schema: only for reading executed notebooks

    cells = nbformat.read(path, as_version=4).cells
    tagged = [cell for cell in cells if "headline" in cell.metadata.get("tags", ())]
    printed = (" ".join(output.get("text", "").split()) for cell in tagged for output in cell.outputs)
    matches = (re.search(r"\S.*?\w.*?[.!?](?=\s|$)", text) for text in printed)
    return next((sentence[0] for sentence in matches if sentence), "")


def write_index(folder: Path, preset: str, runs: Iterable[Run]) -> Path:
    """Write the gallery of the pages in ``folder`` and return its path; the text of notebooks is escaped."""
    runs = list(runs)
    known = {card.name: card for card in gallery.cards()}
    items = [_item(folder, run, known.get(run.notebook)) for run in runs]
    target = folder / "index.html"
    page = Template((_TEMPLATES / "index.html").read_text())
    n, ok = len(runs), sum(run.ok for run in runs)
    summary = f"{ok} of {n} ran without an error, in {sum(run.wall_s for run in runs):.0f} s."
    write_whole(
        target,
        page.substitute(
            policy=policy(files=True), preset=html.escape(preset), summary=summary, cards="\n".join(items)
        ).encode(),
    )
    return target


def _item(folder: Path, run: Run, card: gallery.Card | None) -> str:
    summary = headline(folder / f"{run.notebook}.ipynb") if run.ok else f"FAILED in {run.error}"
    texts = (card.title, card.question) if card else (run.notebook, "")
    title, question, summary = map(html.escape, (*texts, summary))
    picture = f"pictures/{run.notebook}.svg"
    image = f'<img src="{quote(picture)}" alt="">' if (folder / picture).is_file() else ""
    page, source = gallery.link(run.notebook, ".html"), gallery.link(run.notebook)
    failed = "" if run.ok else ' class="failed"'
    return (
        f'<li>{image}<h2><a href="{page}">{title}</a></h2><p>{question}</p><p{failed}><b>{summary}</b></p>'
        f'<p class="cost">{html.escape(_cost(run))} · <a href="{source}">notebook</a></p></li>'
    )


def _cost(run: Run) -> str:
    if math.isnan(run.cpu_s):
        return f"{run.wall_s:.0f} s"
    return f"{run.wall_s:.0f} s, of which {run.cpu_s:.0f} s of computing; {run.peak_mb:.0f} MB"
