"""The lowest version of everything that cogkit and its extras for users ask for, as a file of constraints for pip.

Run it as ``python3 .ci/lowest.py``; ``.ci/run --lowest`` installs and tests with these versions. It needs
Python alone, because it runs before anything is installed.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
# Tools of tests and rivals of benchmarks are not here: no user of cogkit installs them.
EXTRAS = ("lab", "models", "cluster", "docs")
# Otter brings it to the tests, and with it an extension that JupyterLab's lowest version cannot load.
TOOLS = ("jupytext<1.19",)
LOWER = re.compile(r"(?P<name>[\w-]+)>=(?P<version>[\d.]+)(,<[\d.]+)?")


def constraints() -> list[str]:
    """Return a line ``name==version`` for each requirement, its lower bound, and what holds tools of the tests back."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    specs = [*project["dependencies"], *(line for extra in EXTRAS for line in project["optional-dependencies"][extra])]
    lines = []
    for line in specs:
        match = LOWER.fullmatch(re.sub(r"\[.*\]", "", line))  # without extras of its own, which no constraint may have
        if not match:
            raise SystemExit(f"{line!r} in pyproject.toml has no lower bound: write it as name>=lowest,<too high")
        lines.append(f"{match['name']}=={match['version']}")
    return [*lines, *TOOLS]


if __name__ == "__main__":
    print("\n".join(constraints()))
