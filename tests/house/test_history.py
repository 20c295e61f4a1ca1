"""What is shipped was made by code that is in the history: the commit in each manifest is an ancestor of this one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from safetensors import safe_open


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=60)


def has_whole_history(root: Path) -> bool:
    """Return whether this is a repository with all that came before; a shallow clone or a download has less to ask."""
    return (root / ".git").exists() and git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == "false"


def is_ancestor(root: Path, commit: str) -> bool:
    return git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode == 0


def commits(root: Path) -> dict[str, str]:
    """Return the commit that each shipped file names, by the file's place in the package."""
    found = {}
    for path in sorted((root / "cogkit").glob("*/shipped/**/*.*")):
        name = path.relative_to(root / "cogkit").as_posix()
        if path.suffix == ".json":
            found[name] = json.loads(path.read_text("utf-8"))["manifest"]["commit"]
        elif path.suffix == ".safetensors":
            with safe_open(path, framework="numpy") as file:
                found[name] = json.loads(file.metadata()["manifest"])["commit"]
    return found


def test_every_shipped_file_was_made_by_a_commit_of_this_history(root):
    named = commits(root)
    assert len(named) > 400
    if not has_whole_history(root):
        return  # outside a repository there is no history to ask
    past = {commit: is_ancestor(root, commit) for commit in set(named.values())}
    assert [name for name, commit in named.items() if not past[commit]] == []


@pytest.fixture
def repository(tmp_path) -> Path:
    """Two commits in a row, and one that was taken back."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    assert git(tmp_path, "init", "-q").returncode == 0
    for message in ("first", "lost"):
        assert git(tmp_path, *identity, "commit", "-q", "--allow-empty", "-m", message).returncode == 0
    git(tmp_path, "tag", "lost")
    git(tmp_path, "reset", "-q", "--hard", "HEAD~1")
    assert git(tmp_path, *identity, "commit", "-q", "--allow-empty", "-m", "second").returncode == 0
    return tmp_path


def test_a_commit_is_of_this_history_or_not(repository, tmp_path_factory):
    first, lost = (git(repository, "rev-parse", name).stdout.strip() for name in ("HEAD~1", "lost"))
    assert has_whole_history(repository)
    assert is_ancestor(repository, first) and is_ancestor(repository, "HEAD")
    assert not is_ancestor(repository, lost) and not is_ancestor(repository, "0" * 40)
    shallow = tmp_path_factory.mktemp("shallow")
    cloned = subprocess.run(["git", "clone", "-q", "--depth", "1", repository.as_uri(), shallow / "copy"], timeout=60)
    assert cloned.returncode == 0 and not has_whole_history(shallow / "copy") and not has_whole_history(shallow)
