"""No variable, parameter or function is called by a word that the field does not use, or by a participle."""

from __future__ import annotations

import ast
from pathlib import Path

NAMES = {
    "surprise": "loss, or delta of a step",
    **dict.fromkeys(("shown", "told", "said", "asked", "given", "found", "kept"), "a noun that says what it holds"),
}  # fmt: skip
STORED = {"ClipTransformer.forward"}  # a parameter that is a key of the rows which it is called with


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every such name. Attributes and fields may be names of what is stored, and pass."""
    problems = []
    for path in files:
        if path.suffix == ".py":
            tree = ast.parse(path.read_text("utf-8"))
            problems += [f"{path.relative_to(root)}:{line}: {name}: {NAMES[name]}" for name, line in _named(tree, "")]
    return problems


def _named(tree: ast.AST, owner: str) -> list[tuple[str, int]]:
    names = []
    for node in ast.iter_child_nodes(tree):
        inner = owner
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = f"{owner}.{node.name}".lstrip(".")
            names.append((node.name, node.lineno))
        elif isinstance(node, ast.arg):
            names.append((node.arg, node.lineno))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not isinstance(tree, ast.AnnAssign):
            names.append((node.id, node.lineno))
        names += _named(node, inner)
    return [(name, line) for name, line in names if name in NAMES and owner not in STORED]
