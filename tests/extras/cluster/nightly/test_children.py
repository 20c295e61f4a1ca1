"""A run of tests that is stopped half-way leaves no process behind, whichever signal stops it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from children import start
from clusters import until

CLUSTER = Path(__file__).with_name("test_cluster.py")


def started(process: subprocess.Popen) -> dict[psutil.Process, str]:
    """Return all that a process has started, and what those have started, with the command line of each."""
    processes = {}
    for each in psutil.Process(process.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            processes[each] = " ".join(each.cmdline())
    return {each: line for each, line in processes.items() if "resource_tracker" not in line}  # which only tidies up


def lives(process: psutil.Process) -> bool:
    """Whether a process still runs; one that has ended and that nobody has asked for its status does not."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda stop: stop.name)
def test_a_scheduler_and_its_workers_end_with_the_tests_that_started_them(stop, tmp_path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'tests'}"]
    with (tmp_path / "log").open("wb") as log:
        tests = start([*command, f"{CLUSTER}::test_a_killed_worker_costs_no_result"], stdout=log, stderr=log)
    seen: dict[psutil.Process, str] = {}

    def under_way() -> bool:
        seen.update(started(tests))
        workers = [line for line in seen.values() if "spawn_main" in line]
        return len(workers) >= 2 and len(seen) >= 4  # with the scheduler, and the process that holds the workers

    until(under_way, tests)
    os.kill(tests.pid, stop)
    assert tests.wait() != 0, (tmp_path / "log").read_text()
    until(lambda: not any(map(lives, seen)))
