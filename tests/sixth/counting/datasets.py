"""The dataset of this instrument: one file with numbers that count up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cogkit.core.errors import Finding
from cogkit.extras.datasets.dataset import Dataset
from counting.instrument import counts_up


def make(out: Path, *, n: int = 5, seed: int = 0) -> list[Path]:
    """Return the one file written."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "count.txt"
    path.write_text(" ".join(map(str, range(n))))
    return [path]


def looks_like(folder: Path) -> bool:
    """Return whether the folder holds this dataset."""
    return (folder / "count.txt").exists()


def audit(folder: Path) -> list[Finding]:
    """Return a finding where the numbers do not count up from 0."""
    good = counts_up(np.array((folder / "count.txt").read_text().split(), dtype=np.int64))
    return [] if good else [Finding("count.txt", "numbers", "do not count up from 0")]


DATASETS = {"counting": Dataset(make, looks_like, audit)}
