"""What may stand in a file: size, names, and the words that are not allowed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

import cogkit

NAMES = {
    ".ci", ".gitattributes", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "LICENSE",
    "README.md", "binder", "cogkit", "environment.yml", "notebooks", "pyproject.toml", "tests",
}  # fmt: skip
UNSAFE = {
    "eval",
    "exec",
    "pickle.load",
    "pickle.loads",
    "torch.load",
    "joblib.load",
    "pd.read_pickle",
    "os.system",
}
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"}
MACHINE_PATH = re.compile(r"(?<![\w.~}])/(?:home|Users|root|work|mnt|private)/[A-Za-z]")
INDEX_HOST = re.compile(
    r"(?:pypi|pythonhosted|anaconda|conda-forge)\.(?:org|com|io)"
    r"|index-url[ =]+(?!https://download\.pytorch\.org/whl/cpu)\S+"
)


def unsafe(source: str) -> list[str]:
    """Return what a source calls or imports that would run code out of data."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.split(".")[0] in UNSAFE_MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in UNSAFE_MODULES:
            names.append(node.module)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            names += [called] * (called in UNSAFE)
            for keyword in node.keywords:
                is_true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
                if keyword.arg in ("allow_pickle", "shell") and is_true:
                    names.append(f"{called}({keyword.arg})")
    return names


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "def f():\n    from pickle import loads",
        "x = eval('1')",
        "import numpy\nnumpy.load('a', allow_pickle=True)",
        "import subprocess\nsubprocess.run('ls', shell=True)",
        "import torch\ntorch.load('a')",
    ],
)
def test_unsafe_is_seen(source):
    assert unsafe(source)


def test_safe_is_passed():
    assert unsafe("import numpy, re, ast\nnumpy.load('a', allow_pickle=False)\nast.literal_eval('1')") == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("open('/home/ada/x')", True),
        ("see /Users/ada", True),
        ("/work" + "/main", True),
        ("about paper/work/time", False),
        ("https://example.org/home/page", False),
        ("~/work/x", False),
    ],
)
def test_machine_paths_are_seen(text, seen):
    assert bool(MACHINE_PATH.search(text)) is seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("https://py" + "pi.org/simple", True),
        ("pip install --extra-" + "index-url https://example.org torch", True),
        ("--index-url https://download.pytorch.org/whl/cpu", False),
        ("channels: conda-forge", False),
    ],
)
def test_index_hosts_are_seen(text, seen):
    assert bool(INDEX_HOST.search(text)) is seen


def texts(tracked: list[Path]) -> dict[Path, str]:
    here = Path(__file__).resolve()
    contents = {}
    for path in tracked:
        try:
            contents[path] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures and weights
    contents.pop(here, None)  # it names what it forbids
    return contents


def test_top_level_names(root, tracked):
    assert {path.relative_to(root).parts[0] for path in tracked} == NAMES


def test_changelog_and_citation_speak_of_this_version(root):
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    newest = re.search(r"^## \[(\d.*?)\]", (root / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1]
    assert citation["version"] == newest == cogkit.__version__


def test_nothing_runs_code_out_of_data(root, tracked):
    sources = [path for path in tracked if path.suffix == ".py" and path.is_relative_to(root / "cogkit")]
    assert {path.name: unsafe(path.read_text()) for path in sources if unsafe(path.read_text())} == {}


def test_no_machine_paths_and_no_index_hosts(tracked):
    matches = [
        f"{path.name}: {match[0]}"
        for path, text in texts(tracked).items()
        for pattern in (MACHINE_PATH, INDEX_HOST)
        for match in pattern.finditer(text)
    ]
    assert matches == []


def test_scripts_can_be_run(root):
    for name in (".ci/run", "binder/postBuild"):
        path = root / name
        assert path.stat().st_mode & 0o111, f"{name} is not executable"
        assert path.read_text().startswith("#!/bin/bash\n") and "set -euo pipefail" in path.read_text()
