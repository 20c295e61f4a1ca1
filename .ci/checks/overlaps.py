"""No learner of a shipped run is tested on what it was trained on: the two instruments whose items are made in seconds.

A nightly test does the same for all instruments.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

QUICK = ("bongard", "equivalence")
CODE = """
import sys
from cogkit.app.experiments import shipped_overlaps
for name in sys.argv[1:]:
    table = shipped_overlaps(name)
    if table.empty:
        print(f"{name}: no shipped run says what it learnt")
    for run in table[table.overlap > 0].itertuples():
        print(f"{run.cell}, seed {run.seed}: {run.overlap} of {run.test} test {run.what} are in its training")
"""


def faults(root: Path, paths: list[Path]) -> list[str]:
    """Return a line for each overlap, or why there is no answer."""
    command, environment = [sys.executable, "-B", "-c", CODE, *QUICK], os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[-1:]
    return [line for line in done.stdout.splitlines() if "test" in line or "no shipped" in line]
