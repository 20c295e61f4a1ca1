"""The table of the kills at the end of the tests."""

from __future__ import annotations


def pytest_terminal_summary(terminalreporter) -> None:
    """Print what was killed how often, and how often something was lost."""
    reports = [r for kind in terminalreporter.stats.values() for r in kind if getattr(r, "when", "") == "call"]
    rows = sorted(tuple(value) for r in reports for name, value in r.user_properties if name == "kills")
    if rows:
        terminalreporter.section("kills at random moments")
        for what, kills, lost in [*rows, ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))]:
            terminalreporter.write_line(f"{what:<32} {kills:>4} kills  {lost:>3} lost")
