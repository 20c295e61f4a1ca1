"""What memory of the trained pairs gets on every split of matching trials, by the command."""

from __future__ import annotations

from cogkit.app import cli
from cogkit.core import registry
from cogkit.equivalence.problems import splits


def test_the_command_finds_no_floor_above_its_bound_and_without_a_name_asks_every_instrument(capsys, monkeypatch):
    assert cli.main(["audit", "--memory", "equivalence"]) == 0
    alone = capsys.readouterr().out
    assert len(alone.splitlines()) == 2 + len(splits.names()) and alone.startswith("equivalence\n")
    monkeypatch.setattr(registry, "names", lambda: ("equivalence", "generalization"))  # all five take minutes
    assert cli.main(["audit", "--memory"]) == 0
    both = capsys.readouterr().out
    assert both.startswith(alone) and "\ngeneralization\n" in both[len(alone) - 1 :]
