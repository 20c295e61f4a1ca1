"""A test's tier is its folder: what each command collects, and parts that are the whole when put together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def collected(*arguments: str) -> set[str]:
    """Return the files whose tests a command would run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 5), done.stdout  # 5: nothing to run
    return {line.split("::")[0] for line in done.stdout.splitlines() if "::" in line}


def test_each_command_takes_its_own_tier():
    default, nightly = (
        collected("tests/house", "cogkit/tiles"),
        collected("-m", "nightly", "tests/house", "cogkit/tiles"),
    )
    assert {"tests/house/test_doors.py", "cogkit/tiles/__init__.py"} <= default
    assert {"tests/house/nightly/test_tiers.py", "cogkit/tiles/rules/boards.py"} <= nightly and not default & nightly
    assert collected("tests/mutants") == set() != collected("-m", "weekly", "tests/mutants")
    assert all("/weekly/" in file for file in collected("-m", "weekly", "tests/fuzz", "tests/mutants"))


def test_a_file_that_is_named_is_run_whatever_its_tier():
    for file in (
        "tests/house/nightly/test_tiers.py",
        "tests/mutants/weekly/test_mutants.py",
        "cogkit/stats/intervals.py",
    ):
        assert collected(file) == {file}


def test_parts_are_the_whole():
    what = ("-m", "nightly", "tests/house", "cogkit/stats")
    parts = [collected(*what, "--shard", f"{k}/3") for k in (1, 2, 3)]
    assert set.union(*parts) == collected(*what) and sum(map(len, parts)) == len(set.union(*parts))
