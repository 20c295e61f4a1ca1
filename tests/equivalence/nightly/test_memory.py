"""What memory of the trained pairs gets on every split of matching trials, by the command."""

from __future__ import annotations

from cogkit.app import cli
from cogkit.equivalence.problems import splits


def test_the_command_finds_no_floor_above_its_bound(capsys):
    assert cli.main(["audit", "--memory", "equivalence"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(splits.names()) and lines[0] == "equivalence"
