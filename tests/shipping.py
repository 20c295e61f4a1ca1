"""What every instrument's shipped files must be: where their cell looks for them, and with a whole manifest."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

from safetensors import safe_open

from cogkit.app import experiments
from cogkit.core import identity
from cogkit.core.records import SUPERVISION, Manifest
from cogkit.data import results

CLEAN = re.compile(r"[0-9a-f]{40}")  # a commit, with nothing changed since


def files_of(shipped: Path) -> list[Path]:
    """Return what an instrument ships, but for the answers of language models: `app/test_recordings.py` has those."""
    return sorted(
        path for path in shipped.rglob("*") if path.is_file() and path.relative_to(shipped).parts[0] != "asked"
    )


def manifest_in(path: Path) -> dict:
    """Return the manifest that weights carry."""
    with safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["manifest"])


def result_of(weights: Path, shipped: Path) -> tuple[Manifest, list[dict]]:
    """Return the result that was stored with weights, after a look at its manifest."""
    header = manifest_in(weights)
    assert CLEAN.fullmatch(header["commit"])
    file = results.Store(shipped).path(*(header[name] for name in ("cell", "profile", "preset", "seed", "config")))
    manifest, rows = results.read(file)
    assert dataclasses.asdict(manifest) == header
    return manifest, rows


def result_at(path: Path, shipped: Path) -> tuple[Manifest, list[dict]]:
    """Return a stored result, after a look at where it lies and at how it says that it was made."""
    manifest, rows = results.read(path)
    (cell,) = experiments.cells(manifest.cell)
    config = experiments.config_of(cell, manifest.preset)
    assert dict(manifest.config) == identity.plain(config)  # no option has changed since
    assert path == results.Store(shipped).path(cell.id, manifest.profile, manifest.preset, manifest.seed, config)
    assert manifest.seconds > 0 and manifest.device and {"python", "cogkit", "numpy"} <= set(manifest.versions)
    assert rows and {row["cell"] for row in rows} == {cell.id} and {row["seed"] for row in rows} == {manifest.seed}
    for row in rows:  # nobody teaches a floor, and of observers E-EPS alone; what a cell has trained says from what
        assert row["supervision"] in SUPERVISION and row["supervision"] != "not stated"
        assert row["kind"] in ("model", "proxy") or row["who"] == "E-EPS" or not row["supervision"]
        assert cell.keep is None or row["kind"] != "model" or row["supervision"]
    return manifest, rows


def named(path: Path) -> str:
    """Return a stored result's folders and file, for the name of a test."""
    return "/".join(path.parts[path.parts.index("shipped") + 2 :])
