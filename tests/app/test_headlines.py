"""Each notebook answers its own question in a sentence that it prints: the gallery of a run shows it."""

from __future__ import annotations

import ast

import nbformat

from cogkit.app import notebooks


def prints(source: str) -> bool:
    """Return whether code calls `print`."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == "print" for function in calls)


def test_a_cell_tagged_headline_prints():
    for path in notebooks.find()[1:]:  # 00 asks which notebook to open, and finds out nothing
        cells = nbformat.read(path, as_version=4).cells
        assert any(prints(cell.source) for cell in cells if "headline" in cell.metadata.get("tags", ())), path
