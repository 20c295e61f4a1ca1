"""What is shipped was made by code that is in the history: the commit in each manifest is an ancestor of this one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path


def manifest(path: Path) -> dict | None:
    """Return the manifest of a shipped file; of weights it stands in the header, behind the header's length."""
    if path.suffix == ".json":
        return json.loads(path.read_text("utf-8"))["manifest"]
    if path.suffix == ".safetensors":
        with path.open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        return json.loads(header["__metadata__"]["manifest"])
    return None


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every shipped file whose commit is not in the history; a shallow clone has none to ask."""
    commits: dict[str, list[Path]] = {}
    for path in (path for path in files if "shipped" in path.relative_to(root).parts):
        if made := manifest(path):
            commits.setdefault(made["commit"], []).append(path.relative_to(root))
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
