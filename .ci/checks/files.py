"""What may stand in a file: names at the top, words that are not allowed, and nothing that runs code out of data."""

from __future__ import annotations

import ast
import re
from pathlib import Path

NAMES = {
    ".ci", ".gitattributes", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "LICENSE",
    "README.md", "binder", "cogkit", "environment.yml", "notebooks", "pyproject.toml", "tests",
}  # fmt: skip
UNSAFE = {
    "eval", "exec", "pickle.load", "pickle.loads", "torch.load", "joblib.load", "pd.read_pickle", "os.system",
}  # fmt: skip
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"}
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~}])/(?:home|Users|root|work|mnt|private)/[A-Za-z]"),
    "a host of packages": re.compile(
        r"(?:pypi|pythonhosted|anaconda|conda-forge)\.(?:org|com|io)"
        r"|index-url[ =]+(?!https://download\.pytorch\.org/whl/cpu)\S+"
    ),
}
SCRIPTS = (".ci/run", "binder/postBuild")


def unsafe(source: str) -> list[str]:
    """Return what a source calls or imports that would run code out of data.

    >>> unsafe("import pickle"), unsafe("np.load(path, allow_pickle=True)"), unsafe("np.load(path)")
    (['pickle'], ['np.load(allow_pickle)'], [])
    """
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.split(".")[0] in UNSAFE_MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in UNSAFE_MODULES:
            names.append(str(node.module))
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            names += [called] * (called in UNSAFE)
            for keyword in node.keywords:
                is_true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
                if keyword.arg in ("allow_pickle", "shell") and is_true:
                    names.append(f"{called}({keyword.arg})")
    return names


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for each file that is out of place, unsafe, or says what it must not."""
    tops = {path.relative_to(root).parts[0] for path in files}
    problems = [f"{name}: not at the top level: {', '.join(sorted(NAMES))}" for name in sorted(tops ^ NAMES)]
    for path in files:
        where = path.relative_to(root).as_posix()
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures and weights
        for what, pattern in FORBIDDEN.items():
            problems += [f"{where}: {what}: {match[0]}" for match in pattern.finditer(text)]
        if where.startswith("cogkit/") and path.suffix == ".py":
            problems += [f"{where}: {name} runs code out of data" for name in unsafe(text)]
        if where in SCRIPTS and not (path.stat().st_mode & 0o111 and "set -euo pipefail" in text):
            problems.append(f"{where}: not executable, or goes on after a fault: chmod +x, set -euo pipefail")
    version = re.search(r'^__version__ = "(.+)"', (root / "cogkit/__init__.py").read_text(), re.MULTILINE)
    newest = re.search(r"^## \[(\d.*?)\]", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    cited = re.search(r'^version: "?([\w.]+)', (root / "CITATION.cff").read_text(), re.MULTILINE)
    if len({match and match[1] for match in (version, newest, cited)}) > 1 or not version:
        problems.append("CHANGELOG.md, CITATION.cff and cogkit/__init__.py speak of different versions")
    return problems
