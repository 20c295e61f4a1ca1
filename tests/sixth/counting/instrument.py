"""What the sixth instrument offers: cells that spin, one that fails, and a dataset of one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cogkit.core import seeding
from cogkit.core.contracts import Cell, Finding, Instrument


@dataclass(frozen=True)
class Spin:
    """How long to spin."""

    rounds: int


def spin(config: Spin, profile: str, seed: int) -> list[dict]:
    """Return one row whose value depends on the seed alone, after some work."""
    draws = seeding.stream(seed, "spin").random((config.rounds, 5000))
    row = {"task": "spin", "kind": "floor", "who": "spinner", "inputs": "symbols", "n": config.rounds}
    return [{**row, "metric": "mean", "value": float(draws.mean())}]


def fail(config: Spin, profile: str, seed: int) -> list[dict]:
    """Raise, as a cell with a mistake in it would."""
    raise ZeroDivisionError("the cell's own mistake")


def cells() -> list[Cell]:
    """Return two cells that spin and one that fails."""
    configs = {"quick": Spin(400), "lab": Spin(2000)}
    spinning = [Cell(f"counting/spinner/{name}", spin, configs) for name in ("left", "right")]
    return [*spinning, Cell("counting/broken/left", fail, configs)]


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
    words = (folder / "count.txt").read_text().split()
    good = words == [str(number) for number in range(len(words))]
    return [] if good else [Finding("count.txt", "numbers", "do not count up from 0")]


INSTRUMENT = Instrument("counting", cells, {"counting": make}, {"counting": (looks_like, audit)})
