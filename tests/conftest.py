"""Fixtures that every test folder shares: the mirror of published files, and the reference tables."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import children
import pytest
from costs import Costs
from sixth_package import installed
from tiers import Tiers

PR_SET_PDEATHSIG = 1


def pytest_addoption(parser) -> None:
    parser.addoption(
        "--costs", metavar="FILE", type=Path, help="write what each test costs, in seconds of the processor"
    )
    parser.addoption("--shard", metavar="K/N", help="run the files of one part of N, the same at any time")


def pytest_configure(config) -> None:
    """Give the whole session, doctests too, a home of its own: no test may touch the reader's trials."""
    if hasattr(config, "workerinput"):  # one of several processes, before torch is there: they share the cores
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        if sys.platform == "linux":  # it ends with the process that hands out the tests, even if that is killed
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    config.pluginmanager.register(Tiers(config))  # hooks of this file do not reach the doctests of cogkit
    if (costs := config.getoption("--costs")) is not None:
        config.pluginmanager.register(Costs(None if hasattr(config, "workerinput") else costs.absolute()))
    home = tempfile.TemporaryDirectory(prefix="cogkit-test-")
    config.add_cleanup(home.cleanup)
    os.environ["COGKIT_HOME"] = home.name
    # A shell's background job ignores SIGINT, and so would every process that a test starts in order to interrupt it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter) -> None:
    """Print what every notebook cost, whichever process ran it."""
    reports = [
        report for kind in terminalreporter.stats.values() for report in kind if getattr(report, "when", "") == "call"
    ]
    if rows := sorted(value for report in reports for name, value in report.user_properties if name == "notebook cost"):
        terminalreporter.section("notebooks at preset quick, solutions injected")
        for row in rows:
            terminalreporter.write_line(row)
    if rows := [value for report in reports for name, value in report.user_properties if name == "fuzz"]:
        terminalreporter.section("spoilt files: refused, accepted and equal, accepted with another content")
        for row in rows:
            terminalreporter.write_line(row)


def _folder(variable: str, what: str) -> Path:
    """Return the folder that an environment variable names; without it skip loudly, or fail under COGKIT_NO_SKIP."""
    folder = os.environ.get(variable, "")
    if folder and Path(folder).is_dir():
        return Path(folder).resolve()
    message = f"{what} needed: set {variable} to their folder (now {folder or 'unset'})"
    if os.environ.get("COGKIT_NO_SKIP") == "1":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def warm(tmp_path_factory) -> None:
    """Compile the loops first, so that no kernel does: the first process that asks, and the others wait for it."""
    folder = tmp_path_factory.getbasetemp()
    with open((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "warm.lock", "a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            children.run([sys.executable, "-m", "cogkit.app.cli", "warm"], check=True)
            lock.write("done")


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The mirror of the authors' published files."""
    return _folder("COGKIT_MIRROR", "the published files are")


@pytest.fixture(scope="session")
def reference() -> Path:
    """The cleaned tables to check against."""
    return _folder("COGKIT_REFERENCE", "the reference tables are")


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A private COGKIT_HOME, so that no test touches the reader's own trials."""
    monkeypatch.setenv("COGKIT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def sixth(monkeypatch):
    """One more instrument in this process, of a package that is installed; gone again afterwards."""
    monkeypatch.syspath_prepend(installed())
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in ("abacus", "counting")]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def made():
    """A function that returns the first episodes of MEWL of a task and profile, each made once."""
    from cogkit.mewl.problems import making  # most tests need no episodes

    cache = defaultdict(list)

    def first(task: str, profile: str, n: int) -> list:
        episodes = cache[task, profile]
        episodes += [making.episode(task, number, profile) for number in range(len(episodes), n)]
        return episodes[:n]

    return first


@pytest.fixture(scope="module")
def one_thread():
    """One torch thread for a whole module: sums come out the same, and nothing waits on a busy machine."""
    from cogkit.learning import one_thread as only_one  # most tests need no torch

    with only_one():
        yield


@pytest.fixture(scope="module")
def kernel():
    """A real notebook kernel for a whole module: its manager, and a client."""
    from jupyter_client.manager import start_new_kernel  # most tests need none

    manager, client = start_new_kernel(kernel_name="python3")
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)
