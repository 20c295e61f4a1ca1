"""A real JupyterLab in a real Chromium: one server and one browser a session; tests share a page while it is as it was.

`lab` runs any notebook: ``lab.run_cells(*sources)``, ``lab.visit(name)``, ``lab.evaluate("expression in the kernel")``,
``lab.page`` (Playwright), ``lab.is_well()`` (no console error, page error, failed or outside request).
`screenshot` writes PNG files to COGKIT_SCREENSHOTS, or to the test's own folder.
"""

from __future__ import annotations

import ast
import json
import math
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from urllib.parse import quote, urlsplit

import children
import psutil
import pytest
from playwright.sync_api import Error, sync_playwright

from cogkit.app.notebooks import copy_to

pytest.register_assert_rewrite("looking", "readers")

from looking import CHROMIUM, executable  # noqa: E402

LOOPBACK = {"127.0.0.1", "localhost", "::1", ""}
# A kernel writes what its threads are doing when a test asks for it; no name of it is left in a notebook.
STACKS = '__import__("faulthandler").register(__import__("signal").SIGUSR1, all_threads=True)\n'
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"doNotDisturbMode": True},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none", "recordTiming": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
# What JupyterLab 4.4 says of its table of contents, and of a notebook that was closed while it set the focus. No later
# version may.
JUPYTERLAB = metadata.version("jupyterlab")
OLD_COMPLAINTS = ("(reading 'isRunning')", "(setting 'isRunning')", "._ensureFocus")
# Every promise is awaited before the first cell runs: run earlier, Lab loses cells without an error.
READY = """async () => {
    const app = window.jupyterapp;
    await app.started;
    await app.restored;
    const panel = app.shell.currentWidget;
    await panel.revealed;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
}"""
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
# No kernel of the page has died, and Lab asks nothing.
CALM = """() => {
    const widgets = [...(window.jupyterapp?.shell?.widgets("main") ?? [null])];
    return !document.querySelector(".jp-Dialog") && widgets.every((widget) => {
        const kernel = widget?.sessionContext?.session?.kernel;
        return widget && (!kernel || (kernel.connectionStatus === "connected" && /idle|busy/.test(kernel.status)));
    });
}"""
CLOSE = """() => [...window.jupyterapp.shell.widgets("main")].forEach((widget) => widget.dispose())"""
# A kernel that dies takes some of Lab's promises with it: they never settle, so nothing waits for one alone. What came
# of a promise stays in the window: on a busy page Chromium now and then collects a promise that is waited for.
BOUNDED = """([script, argument, seconds]) => {
    const outcome = window.outcome = {settled: false};
    const bounded = Promise.race([
        eval(script)(argument),
        new Promise((_, fail) => setTimeout(() => fail(new Error(`no answer in ${seconds} s`)), seconds * 1000)),
    ]);
    bounded.then((value) => Object.assign(outcome, {settled: true, value}),
        (error) => Object.assign(outcome, {settled: true, error: `${error}`}));
    return bounded;
}"""
IDLE = """() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel;
    return kernel?.status === "idle" && kernel.connectionStatus === "connected";
}"""
# What a page knows of a run that does not end: its kernel, and the cells that wait.
WAITING = """() => {
    const panel = window.jupyterapp?.shell?.currentWidget, kernel = panel?.sessionContext?.session?.kernel;
    const cells = [...(panel?.content?.widgets ?? [])].map((cell, number) => [number, cell.model.executionState]);
    const waiting = cells.filter(([, state]) => state && state !== "idle").map((cell) => cell.join(" "));
    return `kernel ${kernel?.status}, ${kernel?.connectionStatus}; cells ${waiting.join(", ")}`;
}"""
# A cell has been run before its widget is drawn: JupyterLab shows an empty panel until the widget's script is there.
DRAWN = """() => {
    const areas = window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.outputArea).filter(Boolean);
    return areas.flatMap(({model, widgets}) => widgets.filter((_, n) => n < model.length
        && model.get(n).data["application/vnd.jupyter.widget-view+json"])).every(({node}) =>
            node.querySelector(".jupyter-widgets, .ck-place") && !node.querySelector(".lm-Widget:empty"));
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

# WCAG 2 contrast of every piece of text with whatever is painted behind it.
CONTRAST = """(selector) => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
    const behind = (node) => !node ? [255, 255, 255, 1]
        : over(rgba(getComputedStyle(node).backgroundColor), behind(node.parentElement));
    const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const found = {};
    for (const node of document.querySelectorAll(`${selector} *`)) {
        const text = [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
        if (text.length < 2 || node.closest("svg, [hidden]")) continue;  // one sign alone is a mark, not text
        const back = behind(node), front = over(rgba(getComputedStyle(node).color), back);
        const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        found[text] = (a + 0.05) / (b + 0.05);
    }
    return found;
}"""


LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


@dataclass
class Server:
    """A running JupyterLab: address, token, its folders (notebooks, COGKIT_HOME, settings), its log and process."""

    url: str
    token: str
    root: Path
    home: Path
    settings: Path
    log: Path
    process: subprocess.Popen | None = None

    def request(self, method: str, path: str) -> bytes:
        """Return the answer of the server's REST interface."""
        request = urllib.request.Request(f"{self.url}{path}", method=method)
        request.add_header("Authorization", f"token {self.token}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def stacks(self) -> str:
        """Return the end of the log, when every kernel has written there what each of its threads is doing."""
        for child in psutil.Process(self.process.pid).children():
            if any("ipykernel" in word for word in child.cmdline()):
                child.send_signal(signal.SIGUSR1)
        psutil.wait_procs(psutil.Process(self.process.pid).children(), timeout=3)  # time to write
        return self.log.read_text(errors="replace")[-12_000:]

    def end_kernels(self) -> None:
        """End every session and its kernel."""
        for session in json.loads(self.request("GET", "/api/sessions")):
            self.request("DELETE", f"/api/sessions/{session['id']}")


def jupyter_folders(environment: dict[str, str]) -> dict[str, str]:
    """Return what `cogkit lab` tells Jupyter of our folders, in this environment."""
    ask = "import json; from cogkit.app.cli import jupyter_folders; print(json.dumps(jupyter_folders()))"
    return json.loads(children.run([sys.executable, "-c", ask], env=environment, check=True).stdout)


def _wait_until_up(server: Server) -> None:
    """Return when the server answers; fail with its log if it ends first."""
    while server.process.poll() is None:
        try:
            server.request("GET", "/api/status")
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            try:
                server.process.wait(0.2)
            except subprocess.TimeoutExpired:
                continue
    pytest.fail(f"JupyterLab ended with exit code {server.process.returncode}:\n{server.log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab on loopback, with every folder of its own, so that nobody's settings are read or touched."""
    folder = tmp_path_factory.mktemp("lab")
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    private = {f"JUPYTER_{name}": folder / name.lower() for name in names}
    # Kernels listen on sockets of the file system, whose paths must be short: of two servers that look for free TCP
    # ports at once, one now and then takes what the other has just found.
    sockets = tempfile.TemporaryDirectory(prefix="ck")
    private |= {"JUPYTER_RUNTIME_DIR": Path(sockets.name)}
    private |= {"IPYTHONDIR": folder / "ipython", "COGKIT_HOME": folder / "home", "HOME": folder / "user"}
    private |= {f"JUPYTERLAB_{name}_DIR": folder / name.lower() for name in ("WORKSPACES", "SETTINGS")}
    settings, root = folder / "app_settings", folder / "notebooks"
    kernel = private["JUPYTER_DATA_DIR"] / "kernels" / "python3"
    for path in (*private.values(), settings, root, kernel):
        path.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(json.dumps(OVERRIDES))
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    startup = private["IPYTHONDIR"] / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-stacks.py").write_text(STACKS)
    log = folder / "server.log"
    address, token = f"http://127.0.0.1:{port}", secrets.token_hex(16)
    server = Server(address, token, root, private["COGKIT_HOME"], private["JUPYTERLAB_SETTINGS_DIR"], log)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip", "127.0.0.1",
        "--port", str(port), "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={server.token}", f"--ServerApp.root_dir={root}",
        "--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True",
        f"--LabApp.app_settings_dir={settings}", "--KernelManager.transport=ipc",
    ]  # fmt: skip
    environment = os.environ | {name: str(path) for name, path in private.items()}
    environment |= {"JUPYTER_PREFER_ENV_PATH": "0", "OMP_NUM_THREADS": "1"}
    environment |= jupyter_folders(environment)
    with log.open("w") as out:
        server.process = process = children.start(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait_until_up(server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            sockets.cleanup()


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven by Playwright; without one skip loudly, or fail under COGKIT_NO_SKIP."""
    if executable() is None:
        message = "the browser tests need Chromium on the PATH (apt-get install chromium)"
        if os.environ.get("COGKIT_NO_SKIP") == "1":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=executable(), args=CHROMIUM)
        yield chromium
        chromium.close()


@dataclass
class Lab:
    """One JupyterLab page and the notebook open in it."""

    server: Server
    page: object
    problems: list[str] = field(default_factory=list)
    begun: list = field(default_factory=list)  # the page's state when Lab had been loaded

    def __post_init__(self) -> None:
        self.page.set_default_timeout(60_000)
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
        if self.begun and self.page.evaluate(CALM):
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
        self.settle(READY)
        self.page.wait_for_function(IDLE)

    def settle(self, script: str, argument=None, seconds: int = 120):
        """Return what a promise of the page brings; when it does not settle in time, tell what it waits for."""
        try:
            return self._promised(script, argument, seconds)
        except Error as error:
            if "no answer in" not in str(error):
                raise
            raise AssertionError(f"{error}\n{self.page.evaluate(WAITING)}\n{self.server.stacks()}") from error

    def _promised(self, script: str, argument, seconds: int):
        try:
            return self.page.evaluate(BOUNDED, [script, argument, seconds])
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

    def _run(self, script: str, argument=None) -> bool:
        """Run cells to their end, and wait until every widget of theirs is drawn."""
        is_well = self.settle(script, argument, 400)
        self.page.wait_for_function(DRAWN)
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
        end = time.monotonic() + 60
        while (last := self.evaluate(expression)) != value:
            assert time.monotonic() < end, f"{expression} is {last!r}, and not {value!r} within a minute"
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
        script = """([selector, words]) => {
            const text = document.querySelector(selector)?.textContent ?? "";
            return words.every((each) => text.includes(each));
        }"""
        self.page.wait_for_function(script, arg=[selector, words], polling=10)

    def press(self, name: str) -> None:
        """Press the button of this name by keyboard alone."""
        self.page.get_by_role("button", name=name, exact=True).focus()
        self.page.keyboard.press("Enter")

    def is_readable(self, selector: str, least: int) -> None:
        """Check that an element has so many texts, each of which can be read in the dark theme and in the light one."""
        for theme in (DARK, LIGHT):
            self.use_theme(theme)
            ratios = self.contrast(selector)
            faint = {text: ratio for text, ratio in ratios.items() if ratio < 4.5}
            assert len(ratios) >= least and not faint, (theme, ratios)

    def is_well(self) -> None:
        """Check that no cell has failed, the page complains of nothing, and nothing is wider than the window."""
        assert self.errors() == [] and self.problems == [] and self.sideways() <= 0

    def contrast(self, selector: str) -> dict[str, float]:
        """Return the contrast ratio of every text inside an element, by the text (WCAG AA wants 4.5)."""
        return self.page.evaluate(CONTRAST, selector)


@pytest.fixture(scope="session")
def labs(server, browser):
    """The page that tests share, one after the other: to load JupyterLab takes longer than most of them."""
    kept: list[Lab] = []
    yield kept
    for lab in kept:
        lab.page.context.close()


@pytest.fixture
def lab(server, browser, labs):
    """A 1280×800 page of the session's JupyterLab with nothing open; its kernels are ended afterwards."""
    if not labs:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        labs.append(Lab(server, context.new_page()))
    lab = labs[0]
    yield lab
    if lab.is_as_it_was():
        lab.leave()
    else:
        labs.remove(lab)
        lab.page.context.close()
        server.end_kernels()
    for path in server.settings.rglob("*.jupyterlab-settings"):
        path.unlink()  # such as a theme: the next page begins with Lab's own


@pytest.fixture
def screenshot(lab, tmp_path):
    """A function that writes the page, a part of it or one element of it to NAME.png and returns the path."""
    folder = Path(os.environ.get("COGKIT_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def take(name: str, locator=None, **options) -> Path:
        path = folder / f"{name}.png"
        (locator or lab.page).screenshot(path=str(path), **options)
        return path

    return take


@pytest.fixture
def reader(lab, server, mirror):
    """The page of a reader who has just begun: an empty home, and a fresh copy of the notebooks."""
    folder = server.root / "reader"
    folder.mkdir(exist_ok=True)  # and it stays: the list of files may still show it from the test before
    for path in [*server.home.iterdir(), *folder.iterdir()]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    copy_to(folder)
    return lab
