"""One page of JupyterLab in Chromium, and what is asked of the notebook that is open in it."""

from __future__ import annotations

import ast
import json
import math
import secrets
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import Error
from scripts import script

LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
LOOPBACK = {"127.0.0.1", "localhost", "::1", ""}
# What JupyterLab 4.4 says of its table of contents, and of a notebook that was closed while it set the focus. No later
# version may.
JUPYTERLAB = metadata.version("jupyterlab")
OLD_COMPLAINTS = ("(reading 'isRunning')", "(setting 'isRunning')", "._ensureFocus")
OPEN = """async (path) => {
    const {commands, shell} = window.jupyterapp;
    [...shell.widgets("main")].forEach((widget) => widget.dispose());
    await commands.execute("docmanager:open", {path});
    while (shell.currentWidget?.context?.path !== path) await new Promise(requestAnimationFrame);
}"""
# What the next test may rely on: the room that notebooks have, the theme, and that Lab asks nothing.
STATE = """() => {
    const room = document.querySelector("#jp-main-dock-panel")?.getBoundingClientRect();
    const asked = document.querySelectorAll(".jp-Dialog").length;
    return [room?.width, room?.height, document.body.dataset.jpThemeLight, asked];
}"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.flatMap((cell, number) =>
    (cell.toJSON().outputs ?? []).filter((output) => output.output_type === "error")
        .map((output) => `cell ${number}: ${output.ename}: ${output.evalue}`))"""
CLOSE = """() => [...window.jupyterapp.shell.widgets("main")].forEach((widget) => widget.dispose())"""
IDLE = """() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel;
    return kernel?.status === "idle" && kernel.connectionStatus === "connected";
}"""
# Lab's own times of the cell that is run: when the kernel began, and when it had answered.
SECONDS = """() => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells;
    const at = (cell, moment) => Date.parse(cell.getMetadata("execution")?.[moment]) / 1000;
    return cells.map((cell) => at(cell, "shell.execute_reply") - at(cell, "iopub.execute_input"));
}"""
# Lab lays its panels out some moments after its window has another size.
LAID_OUT = """([width, height]) => {
    const {right, bottom} = document.querySelector("#jp-main-dock-panel").getBoundingClientRect();
    return width - 100 < right && right <= width && height - 100 < bottom && bottom <= height;
}"""
# A widget holds a change back until the kernel has done with its last one. A request that asks for nothing comes back
# after that, so the change is on its way before the question that follows it.
ASK = """async (content) => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    await kernel.requestExecute({code: "", silent: true}).done;
    return (await kernel.requestExecute({store_history: false, ...content}).done).content;
}"""


def free_port() -> int:
    """Return a TCP port of this machine at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until_up(process: subprocess.Popen, address: str, log: Path) -> None:
    """Return when a server answers at an address; fail with its log if it ends first."""
    while process.poll() is None:
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(address, timeout=10).close()
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
    raise AssertionError(f"the server ended with exit code {process.returncode}:\n{log.read_text()[-3000:]}")


@dataclass
class Lab:
    """One JupyterLab page and the notebook open in it."""

    server: Any  # as the fixture
    page: Any
    problems: list[str] = field(default_factory=list)
    begun: list = field(default_factory=list)  # the page's state when Lab had been loaded

    def __post_init__(self) -> None:
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: message.type == "error" and self._note("console", message.text))
        self.page.on("pageerror", lambda error: self._note("page", error.stack or error))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", self._watch)

    def _note(self, kind: str, what) -> None:
        # What anywidget says when a widget took over two seconds to begin: `wake` in base.js mends that.
        if "[anywidget] Failed to initialize model" in str(what) and "AbortSignal" in str(what):
            return
        # What JupyterLab says of a widget that it looked for too early: the package's extension shows it all the same.
        if "Error: widget model not found" in str(what):
            return
        if JUPYTERLAB.startswith("4.4.") and any(words in str(what) for words in OLD_COMPLAINTS):
            return
        self.problems.append(f"{kind}: {what}")

    def _failed(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a page was still loading when it was left
            self._note("request failed", f"{request.url} {request.failure}")

    def _watch(self, request) -> None:
        if (urlsplit(request.url).hostname or "") not in LOOPBACK:
            self._note("outside request", request.url)

    def open_cells(self, *cells: str, folder: str = "", **metadata) -> None:
        """Open a notebook of these code cells, in ``folder`` or one of its own."""
        place = self.server.root / (folder or f"nb-{secrets.token_hex(4)}")
        place.mkdir(exist_ok=True)
        code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"metadata": {"kernelspec": kernelspec} | metadata, "nbformat": 4, "nbformat_minor": 5}
        notebook["cells"] = [code | {"id": f"c{n}", "source": cell} for n, cell in enumerate(cells)]
        (place / "cells.ipynb").write_text(json.dumps(notebook))
        self.visit(f"{place.name}/cells.ipynb")

    def run_cells(self, *cells: str, fresh: bool = True, folder: str = ""):
        """Open a notebook of these code cells and run it, from an empty home unless told; return the page."""
        if fresh:
            shutil.rmtree(self.server.home, ignore_errors=True)
            self.server.home.mkdir()
        self.open_cells(*cells, folder=folder)
        assert self.run_all(), self.errors()
        return self.page

    def visit(self, name: str) -> None:
        """Open a notebook that lies in the server's folder already, alone, and wait until its kernel is there."""
        if self.begun and self.page.evaluate(script("calm")):
            self.settle(OPEN, name)
        else:
            self._load(name)
            self.begun = self.page.evaluate(STATE)
        self.wait()

    def leave(self) -> None:
        """Close what is open, unsaved, and end its kernels."""
        self.settle(CLOSE)
        self.page.mouse.move(0, 0)
        self.server.end_kernels()

    def is_as_it_was(self) -> bool:
        """Return whether the page is as a new one but for its notebook: no complaint, the same room and theme."""
        settled = "() => window.outcome?.settled ?? true"  # else a test has ended while Lab was still at work
        return (
            bool(self.begun) and not self.problems
            and self.page.evaluate(STATE) == self.begun and self.page.evaluate(settled)
        )  # fmt: skip

    def wait(self) -> None:
        """Wait until the open notebook is drawn and its kernel answers."""
        self.page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext")
        self.settle(script("ready"))
        self.page.wait_for_function(IDLE)

    def settle(self, promise: str, argument=None, seconds: int = 120):
        """Return what a promise of the page brings; when it does not settle in time, tell what it waits for."""
        try:
            return self._promised(promise, argument, seconds)
        except Error as error:
            if "no answer in" not in str(error):
                raise
            waiting = self.page.evaluate(script("waiting"))
            raise AssertionError(f"{error}\n{waiting}\n{self.server.stacks()}") from error

    def _promised(self, promise: str, argument, seconds: int):
        try:
            return self.page.evaluate(script("bounded"), [promise, argument, seconds])
        except Error as error:
            if "garbage collected" not in str(error):
                raise
        self.page.wait_for_function("() => window.outcome.settled", timeout=(seconds + 10) * 1000)
        outcome = self.page.evaluate("() => window.outcome")
        if "error" in outcome:
            raise Error(outcome["error"])
        return outcome.get("value")

    def save(self) -> Path:
        """Save the notebook; return its file."""
        self.settle("() => window.jupyterapp.shell.currentWidget.context.save()")
        return self.server.root / self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.path")

    def reload(self) -> None:
        """Save the notebook and load the page anew, the kernel staying alive."""
        self._load(str(self.save().relative_to(self.server.root)))

    def _load(self, name: str) -> None:
        """Load the page anew with a notebook, in Lab's own layout: it keeps its side panel as a share of the window."""
        address = f"{self.server.url}/lab/tree/{quote(name)}?token={self.server.token}&reset"
        self.page.goto(address, wait_until="domcontentloaded")
        self.wait()

    def run_all(self) -> bool:
        """Run every cell to its end; return whether all ran without an error."""
        return self._run("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")

    def _run(self, promise: str, argument=None) -> bool:
        """Run cells to their end, and wait until every widget of theirs is drawn."""
        is_well = self.settle(promise, argument, 400)
        self.page.wait_for_function(script("drawn"))
        return is_well

    def evaluate(self, expression: str):
        """Return the value of an expression in the notebook's own kernel (a literal, or else its repr)."""
        content = self.settle(ASK, {"code": "", "silent": True, "user_expressions": {"x": expression}})
        answer = content["user_expressions"]["x"]
        if answer["status"] != "ok":
            raise AssertionError(f"{expression}: {answer['ename']}: {answer['evalue']}")
        text = answer["data"]["text/plain"]
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text

    def do(self, *lines: str) -> None:
        """Run statements in the notebook's kernel, beside its cells: their names are their own."""
        code = "\n    ".join(("def _do():", *lines)) + "\n_do()"
        answer = self.settle(ASK, {"code": code})
        assert answer["status"] == "ok", f"{code}: {answer['ename']}: {answer['evalue']}"

    def wait_until(self, expression: str, value=True) -> None:
        """Wait until an expression in the kernel, or what follows from a change of the page, has this value."""
        end = time.monotonic() + 120
        while (last := self.evaluate(expression)) != value:
            assert time.monotonic() < end, f"{expression} is {last!r}, and not {value!r} within two minutes"
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def seconds(self) -> list[float]:
        """Return how long the kernel took over each cell when it was run last (NaN: it was not)."""
        return [math.nan if each is None else each for each in self.page.evaluate(SECONDS)]

    def run_cell(self, number: int) -> bool:
        """Run one cell alone; return whether it ran without an error."""
        run = """(number) => {
            window.jupyterapp.shell.currentWidget.content.activeCellIndex = number;
            return window.jupyterapp.commands.execute("notebook:run-cell");
        }"""
        return self._run(run, number)

    def kernel_is_gone(self) -> None:
        """Wait until the page knows that its kernel has died."""
        gone = ["autorestarting", "restarting", "starting", "unknown", "dead"]
        status = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
        self.page.wait_for_function(f"(gone) => gone.includes({status})", arg=gone, polling=20)

    def reopen(self) -> None:
        """Save the notebook, end its kernel, and open it again, as on another day."""
        path = str(self.save().relative_to(self.server.root))
        self.server.end_kernels()
        self.visit(path)

    def find(self, source: str):
        """Return the one cell, as a Playwright locator, whose source holds these words."""
        (number,) = [n for n, text in enumerate(self.cells()) if source in text]
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def run_from(self, source: str) -> bool:
        """Run the cell whose source holds these words, and all below; return whether all ran without an error."""
        return self._run_beside(source, 0, "notebook:run-all-below")

    def run_to(self, source: str) -> bool:
        """Run every cell down to the one whose source holds these words; return whether all ran without an error."""
        return self._run_beside(source, 1, "notebook:run-all-above")

    def _run_beside(self, source: str, after: int, command: str) -> bool:
        (number,) = [n for n, text in enumerate(self.cells()) if source in text]
        run = """([number, command]) => {
            window.jupyterapp.shell.currentWidget.content.activeCellIndex = number;
            return window.jupyterapp.commands.execute(command);
        }"""
        return self._run(run, [number + after, command])

    def errors(self) -> list[str]:
        """Return the errors that the notebook's cells hold, each with the number of its cell."""
        return self.page.evaluate(ERRORS)

    def cells(self) -> list[str]:
        """Return the source of every cell, to see that nothing was added, cut or changed."""
        model = "window.jupyterapp.shell.currentWidget.content.model.sharedModel"
        return self.page.evaluate(f"() => {model}.cells.map((cell) => cell.source)")

    def takes_no_orders(self, cells: list[str], keys: str = "bxddzmyrv00") -> None:
        """See that letters which are orders to a notebook in command mode leave its cells as they are."""
        for key in keys:
            self.page.keyboard.press(key)
        assert self.cells() == cells

    def resize(self, width: int, height: int = 800) -> None:
        """Give the window another size, and wait until Lab has laid its panels out in it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(LAID_OUT, arg=[width, height])

    def use_theme(self, name: str) -> None:
        """Switch to a theme, such as ``JupyterLab Dark``, and wait until it is drawn."""
        change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.settle(change, name)
        light = "false" if "Dark" in name else "true"
        self.page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
        # Lab's own splash goes 200 ms later: a second switch before that takes it away twice, which is a page error.
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def sideways(self) -> int:
        """Return by how many pixels anything in the notebook is wider than its window (0: no scrolling)."""
        return self.page.evaluate("""() => Math.max(
            ...[...document.querySelectorAll(".jp-WindowedPanel-outer, .jp-OutputArea-output")]
                .map((node) => node.scrollWidth - node.clientWidth))""")

    def says(self, selector: str, *words: str) -> None:
        """Wait until the first such element holds all of these words."""
        holds = """([selector, words]) => {
            const text = document.querySelector(selector)?.textContent ?? "";
            return words.every((each) => text.includes(each));
        }"""
        self.page.wait_for_function(holds, arg=[selector, words], polling=10)

    def press(self, name: str) -> None:
        """Press the button of this name by keyboard alone."""
        self.page.get_by_role("button", name=name, exact=True).focus()
        self.page.keyboard.press("Enter")

    def is_readable(self, selector: str, least: int, paint: str = "color") -> None:
        """Check that an element has so many texts, each readable in both themes; ``paint`` is ``fill`` in figures."""
        for theme in (DARK, LIGHT):
            self.use_theme(theme)
            ratios = self.contrast(selector, paint)
            faint = {text: ratio for text, ratio in ratios.items() if ratio < 4.5}
            assert len(ratios) >= least and not faint, (theme, ratios)

    def is_well(self) -> None:
        """Check that no cell has failed, the page complains of nothing, and nothing is wider than the window."""
        assert self.errors() == [] and self.problems == [] and self.sideways() <= 0

    def contrast(self, selector: str, paint: str = "color") -> dict[str, float]:
        """Return the contrast ratio of every text inside an element, by the text (WCAG AA wants 4.5)."""
        return self.page.evaluate(script("contrast"), [selector, paint])
