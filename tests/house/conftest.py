"""What the house tests look at: the repository, and its files as a fresh clone would have them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Every file that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in sorted(set(output.split("\0"))) if name and (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def clone(tracked, tmp_path_factory) -> Path:
    """A copy of the tracked files alone."""
    folder = tmp_path_factory.mktemp("clone")
    for path in tracked:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
        target.chmod(path.stat().st_mode)
    return folder
