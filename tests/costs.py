"""What each test costs in seconds of the processor: setup, call and teardown, with the processes that it starts."""

from __future__ import annotations

import csv
from pathlib import Path

import psutil
import pytest

PHASES = ("setup", "call", "teardown")


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all that it started, alive or ended."""
    me, total = psutil.Process(), 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])  # its own, and its children's that have ended
        except psutil.NoSuchProcess:  # it ended meanwhile; its parent's number holds it from now on
            continue
    return total


class Costs:
    """A plugin of pytest: `--costs=FILE` writes a line for each test, the most expensive first."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.rows, self.collecting = path, {}, []
        self.before = 0.0

    def pytest_collection_finish(self, session) -> None:
        self.before = cpu_seconds()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["collecting"] = self.before
        elif not session.config.getoption("numprocesses", None):
            self.collecting = [self.before]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if type(report) is pytest.TestReport:  # a subtest's is one more report of the same phase
            now = cpu_seconds()
            report.cpu_seconds, self.before = now - self.before, now  # xdist sends it along
        return report

    def pytest_runtest_logreport(self, report) -> None:
        self.rows.setdefault(report.nodeid, dict.fromkeys(PHASES, 0.0))[report.when] += getattr(
            report, "cpu_seconds", 0.0
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node) -> None:
        self.collecting.append(getattr(node, "workeroutput", {}).get("collecting", 0.0))

    def pytest_terminal_summary(self, terminalreporter) -> None:
        if self.path is None:
            return
        total = {name: sum(row.values()) for name, row in self.rows.items()}
        with self.path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["test", "cpu_seconds", *PHASES])
            for name in sorted(total, key=lambda name: -total[name]):
                writer.writerow([name, *(f"{x:.2f}" for x in (total[name], *self.rows[name].values()))])
        terminalreporter.section("cost of the tests")
        terminalreporter.write_line(
            f"{len(total)} tests, {sum(total.values()) / 60:.1f} CPU-minutes, and to collect them "
            f"{' + '.join(f'{s:.0f}' for s in self.collecting)} s: {self.path}"
        )
