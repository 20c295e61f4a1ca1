"""Small sets of problems on the disk, for the tests that read and spoil them."""

from __future__ import annotations

import hashlib
import json

from PIL import Image

from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Problem
from cogkit.extras.datasets.bongard import datasets

ROOT = "ShapeBongard_V2"
N = 12
SIZE = {"verified": 64, "as_published": 128}  # pixels: of the smallest pictures that are compared without placements


def again(out, **changed) -> list:
    """Make the set that fixture ``stored`` has, or one that differs from it in something."""
    return datasets.make(out, **({"n": N, "size": SIZE["verified"], "jobs": 1} | changed))


def problems_of(profile: str) -> list[Problem]:
    """Return the problems of the set of a profile."""
    return [sets.problem(spec) for spec in sets.specs(profile, n=N, source="published")]


def spec_of(name: str, profile: str = "verified", seed: int = 0, source: str = "any") -> sets.Spec:
    """Return the spec of the problem with this name."""
    specs = sets.specs(profile, (name[:2],), seed=seed, source=source)
    return next(spec for spec in specs if spec.name == name)


def faults(folder) -> list[tuple[str, str, str]]:
    """Return every finding: the last part of its path, field and problem."""
    return [(fault.path.rsplit("/", 1)[-1], fault.field, fault.problem) for fault in datasets.audit(folder, jobs=1)]


def folders(root, kind: str) -> list:
    """Return the folders of the problems of a kind."""
    return sorted((root / kind / "images").iterdir())


def edit(path, change) -> None:
    """Change what a JSON file holds."""
    content = json.loads(path.read_text())
    result = change(content)
    path.write_text(json.dumps(content if result is None else result))


def edit_line(root, name: str, change) -> None:
    """Change the stored placements of a problem."""
    path = root / name[:2] / f"{name[:2]}_placements.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line["name"] == name:
            change(line)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def sign(root) -> None:
    """Make a manifest name what lies there, as whoever wanted to deceive would."""
    manifest, metadata = (json.loads((root / name).read_text()) for name in ("manifest.json", "croissant.json"))
    for file in metadata["distribution"]:
        if "sha256" in file:
            file["sha256"] = hashlib.sha256((root / file["contentUrl"]).read_bytes()).hexdigest()
    (root / "croissant.json").write_text(json.dumps(metadata))
    for name in manifest["sha256"]:
        manifest["sha256"][name] = hashlib.sha256((root / name).read_bytes()).hexdigest()
    for name in manifest["problems"]:
        files = [root / name[:2] / "images" / name / side / f"{k}.png" for side in "10" for k in range(7)]
        content = b"".join(file.read_bytes() for file in files if file.is_file())
        manifest["problems"][name] = hashlib.sha256(content).hexdigest()
    (root / "manifest.json").write_text(json.dumps(manifest))


def png(path, array) -> None:
    """Write pixels as a picture."""
    Image.fromarray(array).save(path, "PNG")
