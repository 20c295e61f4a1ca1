"""The table of what every notebook costs, printed when the tests have run."""

from __future__ import annotations

import pytest

from cogkit.pages import row

RUNS = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[RUNS] = []


@pytest.fixture(scope="session")
def runs(request) -> list:
    """What each notebook cost, gathered for the table."""
    return request.config.stash.setdefault(RUNS, [])


def pytest_terminal_summary(terminalreporter, config):
    if done := config.stash.get(RUNS, []):
        terminalreporter.section("notebooks at preset quick, solutions injected")
        for run in done:
            terminalreporter.write_line(row(run))
