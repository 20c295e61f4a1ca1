"""Each small fault can still be made: the text that it changes stands in its file, once."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def test_every_fault_changes_what_stands_in_the_code():
    mutants = tomllib.loads((HERE / "mutants.toml").read_text("utf-8"))["mutant"]
    texts = {name: (HERE.parents[1] / name).read_text("utf-8") for name in {each["file"] for each in mutants}}
    outdated = [each["name"] for each in mutants if texts[each["file"]].count(each["old"]) != 1]
    assert len(mutants) == 60 and outdated == []
