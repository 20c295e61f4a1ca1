"""The runner: refusals, injected mistakes and solutions, failures, costs, copies and pages, on notebooks made here."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
import solving
from galleries import Tags
from sixth_package import path_with

from cogkit.app import cli, notebooks, pages, stills
from cogkit.core.errors import InputError
from cogkit.extras.classroom.notes import Mistake, Note

PARAMETERS = 'preset: str = "quick"  # quick, lab or paper\nseed: int = 0  # of all randomness'
CHECK = 'from cogkit.app import exercises\n\nexercises.check("90-seven", answer)'
SEVEN = Note("answer = 7", ())


def write(path: Path, *sources: str, exercise: str = "", headline: str = "") -> Path:
    """Write a notebook of a title, a parameters cell and these cells."""
    v4 = nbformat.v4
    cells = [v4.new_markdown_cell("# A title"), v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})]
    for source in sources:
        cell = v4.new_code_cell(source)
        if exercise and source.startswith("answer"):
            cell.metadata.update(tags=["exercise"], exercise=exercise)
        if headline and source == headline:
            cell.metadata["tags"] = ["headline"]
        cells.append(cell)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path


def text_of(path: Path) -> str:
    """Return what all the cells of an executed notebook printed."""
    cells = nbformat.read(path, as_version=4).cells
    return "".join(output.get("text", "") for cell in cells for output in cell.get("outputs", ()))


def test_parameters_are_passed_and_the_kernel_is_this_interpreter(tmp_path, monkeypatch):
    hostile = tmp_path / "jupyter" / "kernels" / "python3"
    hostile.mkdir(parents=True)
    spec = {"argv": ["/no/such/python", "-f", "{connection_file}"], "display_name": "x", "language": "python"}
    (hostile / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    path = write(tmp_path / "a.ipynb", "import os, sys\n\nprint(sys.executable, preset, seed, os.getcwd())")
    run = notebooks.execute(path, tmp_path / "out" / "a.ipynb", {"preset": "lab", "seed": 5})
    assert run.ok and run.notebook == "a"
    assert text_of(tmp_path / "out" / "a.ipynb").split() == [sys.executable, "lab", "5", str(tmp_path / "out")]
    assert run.size_kb == (tmp_path / "out" / "a.ipynb").stat().st_size / 1000


def test_an_unknown_parameter_is_refused_before_anything_runs(tmp_path):
    path = write(tmp_path / "a.ipynb")
    with pytest.raises(InputError, match="did you mean 'preset'"):
        notebooks.execute(path, tmp_path / "out.ipynb", {"presett": "lab"})
    with pytest.raises(InputError, match="did you mean 'seed'"):
        pages.run_all("quick", tmp_path / "run", [str(path)], {"sed": 1})
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.ipynb"]


def test_what_is_no_notebook_is_refused(tmp_path):
    (tmp_path / "a.ipynb").write_text("{")
    with pytest.raises(InputError, match="a Jupyter notebook"):
        notebooks.execute(tmp_path / "a.ipynb", tmp_path / "out.ipynb")


def test_a_failing_cell_is_named_and_the_output_kept(tmp_path):
    path = write(tmp_path / "a.ipynb", "print('before')", "1 / 0", "print('after')")
    run = notebooks.execute(path, tmp_path / "out.ipynb")
    assert not run.ok and "ZeroDivisionError: division by zero" in run.error and run.error.startswith("cell 3")
    assert "before" in text_of(tmp_path / "out.ipynb") and "after" not in text_of(tmp_path / "out.ipynb")


def test_a_kernel_that_dies_is_reported(tmp_path):
    path = write(tmp_path / "a.ipynb", "import os\n\nos._exit(3)")
    run = notebooks.execute(path, tmp_path / "out.ipynb")
    assert not run.ok and "Dead" in run.error and run.cpu_s != run.cpu_s


def test_costs_are_those_of_the_kernel_and_its_children(tmp_path):
    burn = "import time\n\nend = time.process_time() + 1\nwhile time.process_time() < end:\n    pass"
    grow = "block = b'x' * 300_000_000"
    child = "import subprocess, sys\n\nsubprocess.run([sys.executable, '-c', {!r}], check=True).returncode"
    ballast = bytearray(os.urandom(1)) * 400_000_000  # this process is large: the kernel must not inherit the figure
    small = notebooks.execute(write(tmp_path / "a.ipynb", burn), tmp_path / "a-out.ipynb")
    cells = burn, child.format(burn), f"{grow}\ndel block"
    large = notebooks.execute(write(tmp_path / "b.ipynb", *cells), tmp_path / "b-out.ipynb")
    gone = notebooks.execute(write(tmp_path / "c.ipynb", child.format(f"{grow}\n{burn}")), tmp_path / "c-out.ipynb")
    del ballast
    assert 1.0 <= small.cpu_s <= small.wall_s + 1 and small.peak_mb < 200
    assert large.cpu_s >= 2.0 and 300 <= large.peak_mb < 500
    assert 300 <= gone.peak_mb < 500  # of a child that has ended


@pytest.mark.parametrize(
    ("stub", "solution", "problem"),
    [
        ("answer = ...", "answer = 7", ""),
        ("answer = ...", "answer = 6", "after its solution: Not yet: too small. Hint: count the days of a week"),
        ("answer = 7", "answer = 7", "as the stub stands: Correct."),
        ("answer = ...", "answer = 'seven'", "after its solution: Not yet: the check ended with an error (TypeError"),
    ],
)
def test_stub_then_solution_then_check(stub, solution, problem, tmp_path):
    path = write(tmp_path / "a.ipynb", stub, CHECK, exercise="90-seven")
    run = solving.execute(
        path, tmp_path / "out.ipynb", notes={"90-seven": Note(solution, ())}, env={"PYTHONPATH": path_with()}
    )
    assert run.ok == (not problem) and problem in run.error
    kinds = [cell.metadata.get("tags", []) for cell in nbformat.read(tmp_path / "out.ipynb", as_version=4).cells]
    assert kinds.count(["injected-solution"]) == 1


@pytest.mark.parametrize(
    ("mistake", "problem"),
    [
        ("answer = 6", ""),
        ("answer = 7", "after mistake 2: Correct."),
        ("answer = ...", "after mistake 2, which its check does not judge: Not answered yet."),
        ("answer = 'seven'", "after mistake 2, which its check does not judge: Not yet: the check ended with an error"),
    ],
)
def test_the_check_judges_each_mistake_between_stub_and_solution(mistake, problem, tmp_path):
    path = write(tmp_path / "a.ipynb", "answer = ...", CHECK, exercise="90-seven")
    note = Note("answer = 7", (Mistake("a guess", "answer = 5"), Mistake("another", mistake)))
    run = solving.execute(path, tmp_path / "out.ipynb", notes={"90-seven": note}, env={"PYTHONPATH": path_with()})
    assert run.ok == (not problem) and problem in run.error
    sources = [cell.source for cell in nbformat.read(tmp_path / "out.ipynb", as_version=4).cells]
    assert sources[-8:] == ["answer = ...", CHECK, "answer = 5", CHECK, mistake, CHECK, "answer = 7", CHECK]


def test_an_exercise_without_solution_or_check_is_refused(tmp_path):
    path = write(tmp_path / "a.ipynb", "answer = ...", CHECK, exercise="90-seven")
    with pytest.raises(InputError, match="a solution"):
        solving.execute(path, tmp_path / "out.ipynb", notes={})
    path = write(tmp_path / "b.ipynb", "answer = ...", exercise="90-seven")
    with pytest.raises(InputError, match=r"exercises\.check"):
        solving.execute(path, tmp_path / "out.ipynb", notes={"90-seven": SEVEN})


def test_run_all_goes_on_after_a_failure_and_escapes_what_notebooks_say(tmp_path):
    bad = write(tmp_path / "bad.ipynb", "raise ValueError('<script>alert(1)</script>')")
    figure = "import plotly.graph_objects as go\n\ngo.Figure(go.Scatter(y=[1, 2], name='</script><b>'))"
    widget = "import ipywidgets\n\nipywidgets.IntSlider()"
    source = "print('<b>skill</b> & 0.5', preset, 'won. And more.')"
    good = write(tmp_path / "good.ipynb", figure, widget, source, headline=source)
    lines = []
    runs = pages.run_all("lab", tmp_path / "run", [str(bad), str(good)], {"seed": 2}, lines.append)
    assert [run.ok for run in runs] == [False, True] and "ValueError" in lines[0] and lines[1].endswith("ok")
    folder = tmp_path / "run" / "lab"
    index = (folder / "index.html").read_text()
    assert "<b>&lt;b&gt;skill&lt;/b&gt; &amp; 0.5 lab won.</b>" in index and "<script>" not in index
    assert "1 of 2 ran without an error" in index and 'href="good.html"' in index and 'href="good.ipynb"' in index
    assert "FAILED in cell 3: ValueError: &lt;script&gt;" in index
    page = (folder / "good.html").read_text()
    assert "Plotly.newPlot" in page and 'src="plotly.min.js"' in page and (folder / "plotly.min.js").exists()
    links = re.findall(r"""(?:<script[^>]*src=|<link[^>]*href=|\bfrom |import\(|url\()["']?https?://[^"' )]*""", page)
    assert links == []
    assert not re.search(r"https?://[^\"' ]*(cdn|unpkg|jsdelivr)", page)


WIDGET = """import anywidget, traitlets


class Still(anywidget.AnyWidget):
    _esm = "export default { render({ model, el }) { el.textContent = model.get('scene').status; } };"
    scene = traitlets.Dict({"status": "begun </script><b>"}).tag(sync=True)


still = Still()
display(still)
still.scene = {"status": "done </script><b>"}"""


def test_a_page_holds_each_widget_in_its_last_state_and_its_text_is_data(tmp_path, monkeypatch):
    monkeypatch.setattr(stills.shutil, "which", lambda name: None)  # no Chromium: the page needs none
    path = write(tmp_path / "a.ipynb", WIDGET)
    pages.run_all("quick", tmp_path / "run", [str(path)])
    page = (tmp_path / "run" / "quick" / "a.html").read_text()
    (place,) = (attributes for tag, attributes in Tags(page).tags if attributes.get("class") == "ck-still")
    assert place["role"] == "img" and place["aria-label"] == "Still, as the run left it: done </script><b>"
    assert "widget-view" not in page
    (data,) = re.findall(r'<script [^>]*id="ck-stills"[^>]*>(.*?)</script>', page, re.DOTALL)
    (stored,) = json.loads(data)["models"].values()
    assert stored["state"]["scene"] == {"status": "done </script><b>"} and "_esm" not in stored["state"]
    notebook = nbformat.read(tmp_path / "run" / "quick" / "a.ipynb", as_version=4)
    ((bundle, _),) = stills.outputs(notebook)
    assert "image/png" not in bundle and bundle["text/plain"] == "Still, as the run left it: done </script><b>"


def test_a_run_without_a_reader_is_told_so_where_a_notebook_asks(tmp_path):
    asks = write(tmp_path / "asks.ipynb", "print('free', hands_free, '.')", headline="print('free', hands_free, '.')")
    text = asks.read_text().replace("preset: str =", "hands_free: bool = False  # no reader\\npreset: str =")
    asks.write_text(text)
    plain = write(tmp_path / "plain.ipynb", "print(preset, '.')", headline="print(preset, '.')")
    runs = pages.run_all("quick", tmp_path / "run", [str(asks), str(plain)])
    assert [run.ok for run in runs] == [True, True]
    assert pages.headline(tmp_path / "run" / "quick" / "asks.ipynb") == "free True ."
    pages.run_all("quick", tmp_path / "run", [str(asks)], {"hands_free": False})
    assert pages.headline(tmp_path / "run" / "quick" / "asks.ipynb") == "free False ."


def test_formulas_are_mathml_plumbing_is_folded_and_links_lead_to_pages(tmp_path):
    path = write(tmp_path / "a.ipynb", "shown = 1", "hidden = 2")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[-1].metadata["jupyter"] = {"source_hidden": True}
    text = "It is $\\frac{a}{b}$, and\n\n$$x^2 < 3$$\n\n[other](b.ipynb#Top), [third](c.ipynb), [web](https://x.org/b.ipynb)"
    notebook.cells.append(nbformat.v4.new_markdown_cell(text))
    nbformat.write(notebook, path)
    page = pages.write_page(path, ["a", "b"], index=True).read_text()
    assert "<mfrac>" in page and 'display="block"' in page and "$" not in page.split("It is")[1].split("web")[0]
    assert 'href="b.html#Top"' in page and 'href="c.ipynb"' in page and 'href="https://x.org/b.ipynb"' in page
    assert 'href="index.html"' in page
    folds = re.findall(r'<details class="ck-code">.*?</details>', page, re.DOTALL)
    assert len(folds) == 1 and "hidden" in folds[0] and "shown" not in folds[0]


def test_a_copy_keeps_what_the_reader_changed(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    for name in ("00_a", "01_b", "02_c"):
        write(ours / f"{name}.ipynb", f"print('{name}')")
    assert notebooks.copy_to(theirs, ours) == ["copied 00_a.ipynb", "copied 01_b.ipynb", "copied 02_c.ipynb"]
    assert notebooks.copy_to(theirs, ours) == []
    (theirs / "00_a.ipynb").write_text("my own")
    (theirs / "02_c.ipynb").unlink()
    for name in ("00_a", "01_b"):
        write(ours / f"{name}.ipynb", "print('a new release')")
    assert notebooks.copy_to(theirs, ours) == ["kept your 00_a.ipynb", "updated 01_b.ipynb", "copied 02_c.ipynb"]
    assert (theirs / "00_a.ipynb").read_text() == "my own"
    assert "a new release" in (theirs / "01_b.ipynb").read_text()
    (theirs / notebooks.STAMP).write_text("{ broken")  # then nothing is known to be ours
    write(ours / "01_b.ipynb", "print('newer still')")
    assert "kept your 01_b.ipynb" in notebooks.copy_to(theirs, ours)


def test_cogkit_run_exits_with_1_when_a_notebook_fails(tmp_path, capsys):
    source = "print(preset, seed, '.')"
    good = write(tmp_path / "good.ipynb", source, headline=source)
    bad = write(tmp_path / "bad.ipynb", "1 / 0")
    out = str(tmp_path / "run")
    assert cli.main(["run", str(good), "--preset", "lab", "--out", out, "-p", "seed", "7"]) == 0
    assert pages.headline(tmp_path / "run" / "lab" / "good.ipynb") == "lab 7 ."
    assert cli.main(["run", str(bad), str(good), "--out", out]) == 1
    output = capsys.readouterr().out
    assert "ZeroDivisionError" in output and output.splitlines()[-1].endswith("index.html")
