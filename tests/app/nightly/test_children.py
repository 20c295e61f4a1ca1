"""A run of tests that is stopped half-way leaves no process behind, whichever signal stops it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest
from children import start
from clusters import until

CLUSTER = Path(__file__).with_name("test_cluster.py")


def started(process: psutil.Popen) -> list[psutil.Process]:
    """Return all that a process has started, and what those have started, but for what only tidies up after them."""
    found = psutil.Process(process.pid).children(recursive=True)
    return [each for each in found if "resource_tracker" not in " ".join(each.cmdline())]


def lives(process: psutil.Process) -> bool:
    """Whether a process still runs; one that has ended and that nobody has asked for its status does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda stop: stop.name)
def test_a_scheduler_and_its_workers_end_with_the_tests_that_started_them(stop, tmp_path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'tests'}"]
    with (tmp_path / "log").open("wb") as log:
        tests = start([*command, f"{CLUSTER}::test_a_killed_worker_costs_no_result"], stdout=log, stderr=log)
    seen: list[psutil.Process] = []

    def under_way() -> bool:
        seen[:] = started(tests)
        workers = [each for each in seen if "spawn_main" in " ".join(each.cmdline())]
        return len(workers) >= 2 and len(seen) >= 4  # with the scheduler, and the process that holds the workers

    until(under_way, tests)
    os.kill(tests.pid, stop)
    assert tests.wait() != 0, (tmp_path / "log").read_text()
    until(lambda: not any(map(lives, seen)))
