"""The table of what every notebook costs, printed when the tests have run."""

from __future__ import annotations

COST = "notebook cost"  # of a test's report, which comes back from whichever process ran it


def pytest_terminal_summary(terminalreporter):
    reports = [each for kind in terminalreporter.stats.values() for each in kind if getattr(each, "when", "") == "call"]
    if rows := sorted(value for each in reports for name, value in each.user_properties if name == COST):
        terminalreporter.section("notebooks at preset quick, solutions injected")
        for row in rows:
            terminalreporter.write_line(row)
