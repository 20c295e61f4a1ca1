"""What is shipped was made by code that is in the history: the commit in each manifest is an ancestor of this one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path


def made_by(path: Path) -> set[str]:
    """Return the commits that a shipped file names: of results, or of weights, behind the length of their header."""
    if path.name == "manifests.json":
        return {run["commit"] for run in json.loads(path.read_text("utf-8"))["runs"]}
    if path.suffix == ".safetensors":
        with path.open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        return {json.loads(header["__metadata__"]["manifest"])["commit"]}
    return set()


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every shipped file whose commit is not in the history; a shallow clone has none to ask."""
    commits: dict[str, list[Path]] = {}
    for path in (path for path in files if "shipped" in path.relative_to(root).parts):
        for commit in made_by(path):
            commits.setdefault(commit, []).append(path.relative_to(root))
    shallow = git(root, "rev-parse", "--is-shallow-repository")
    if shallow.returncode or shallow.stdout.strip() == "true":
        return []
    known = set(git(root, "rev-list", "HEAD").stdout.split())
    return [
        f"{path}: made by {commit}, which is no ancestor of this commit: run it again from a clean one"
        for commit, paths in commits.items()
        if commit not in known
        for path in paths
    ]
