"""Each small fault can still be made: the text that it changes stands in its file, once."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_small_fault_changes_what_stands_in_the_code():
    mutants = tomllib.loads((ROOT / "tests/mutants/mutants.toml").read_text("utf-8"))["mutant"]
    texts = {name: (ROOT / name).read_text("utf-8") for name in {each["file"] for each in mutants}}
    outdated = [each["name"] for each in mutants if texts[each["file"]].count(each["old"]) != 1]
    assert len(mutants) == 60 and outdated == []
