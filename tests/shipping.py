"""What every instrument's shipped files must be: results of cells as they are today, and whole manifests."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

from safetensors import safe_open

from cogkit.app import experiments
from cogkit.core import identity
from cogkit.core.records import SUPERVISION, Manifest
from cogkit.data.results import Shipped

CLEAN = re.compile(r"[0-9a-f]{40}")  # a commit, with nothing changed since
CONTROLS = re.compile(r"mewl/(parts|renderers)/|bongard/(resnet-15/|shape-lookup-on-eyes$)")  # run once; code gone
TABLES = {"results.csv", "manifests.json"}
Run = tuple[Manifest, list[dict]]


def files_of(shipped: Path) -> list[Path]:
    """Return what an instrument ships, but for the answers of language models: `app/test_recordings.py` has those."""
    return sorted(
        path for path in shipped.rglob("*") if path.is_file() and path.relative_to(shipped).parts[0] != "asked"
    )


def runs_of(shipped: Path) -> list[Run]:
    """Return the shipped runs of cells: all but those of language models, which `app/test_recordings.py` has.

    The rows of `CONTROLS` stay, and they are of no cells any more.
    """
    runs = [run for run in Shipped(shipped).runs() if run[0].config.get("class") != "Run"]
    return [run for run in runs if not CONTROLS.match(run[0].cell)]


def manifest_in(path: Path) -> dict:
    """Return the manifest that weights carry."""
    with safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["manifest"])


def result_of(weights: Path, shipped: Path) -> Run:
    """Return the result that was stored with weights, after a look at its manifest."""
    header = manifest_in(weights)
    assert CLEAN.fullmatch(header["commit"])
    run = Shipped(shipped).read(*(header[name] for name in ("cell", "profile", "preset", "seed")))
    assert run and dataclasses.asdict(run[0]) == header
    return run


def check(run: Run) -> None:
    """Look at how a result says that it was made, and at what it says of who was taught."""
    manifest, rows = run
    (cell,) = experiments.cells(manifest.cell)
    config = experiments.config_of(cell, manifest.preset)
    assert dict(manifest.config) == identity.plain(config)  # no option has changed since
    assert CLEAN.fullmatch(manifest.commit) and manifest.seconds > 0 and manifest.device
    assert {"python", "cogkit", "numpy"} <= set(manifest.versions)
    assert rows and {row["cell"] for row in rows} == {cell.id} and {row["seed"] for row in rows} == {manifest.seed}
    for row in rows:  # nobody teaches a floor or an observer; what a cell has trained says from what
        assert row["supervision"] in SUPERVISION and row["supervision"] != "not stated"
        assert row["kind"] in ("model", "proxy") or not row["supervision"]
        assert not cell.weights or row["kind"] != "model" or row["supervision"]


def named(run: Run) -> str:
    """Return the cell, profile, preset and seed of a result, for the name of a test."""
    manifest = run[0]
    return f"{manifest.cell}/{manifest.profile}-{manifest.preset}-s{manifest.seed}"
