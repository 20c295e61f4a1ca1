"""A real JupyterLab in a real Chromium: one server and one browser a session; tests share a page while it is as it was.

`lab` runs any notebook: ``lab.run_cells(*sources)``, ``lab.visit(name)``, ``lab.evaluate("expression in the kernel")``,
``lab.page`` (Playwright), ``lab.is_well()`` (no console error, page error, failed or outside request).
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import children
import psutil
import pytest
from playwright.sync_api import sync_playwright

from cogkit.app.notebooks import copy_to

pytest.register_assert_rewrite("lab", "looking", "persons", "readers")

from lab import Lab, free_port, wait_until_up  # noqa: E402
from looking import CHROMIUM, executable  # noqa: E402

# A kernel writes what its threads are doing when a test asks for it; no name of it is left in a notebook.
STACKS = '__import__("faulthandler").register(__import__("signal").SIGUSR1, all_threads=True)\n'
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"doNotDisturbMode": True},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none", "recordTiming": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}


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
    port = free_port()
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
            wait_until_up(process, f"{address}/api/status?token={token}", log)
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


@pytest.fixture(scope="session")
def labs(server, browser):
    """The page that tests share, one after the other: to load JupyterLab takes longer than most of them."""
    pool: list[Lab] = []
    yield pool
    for lab in pool:
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
def reader(lab, server, mirror):
    """The page of a reader who has just begun: an empty home, and a fresh copy of the notebooks."""
    folder = server.root / "reader"
    folder.mkdir(exist_ok=True)  # and it stays: the list of files may still show it from the test before
    for path in [*server.home.iterdir(), *folder.iterdir()]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    copy_to(folder)
    return lab
