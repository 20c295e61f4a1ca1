"""Each notebook answers its own question in a sentence that it prints: the gallery of a run shows it."""

from __future__ import annotations

import ast

import nbformat
import pytest

from cogkit.app import notebooks

# Not 00: it asks which notebook to open, and finds out nothing.
PATHS = notebooks.find()[1:]


def prints(source: str) -> bool:
    """Return whether code calls `print`."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_cell_tagged_headline_prints(path):
    cells = nbformat.read(path, as_version=4).cells
    assert any(prints(cell.source) for cell in cells if "headline" in cell.metadata.get("tags", ()))


def test_a_print_in_words_alone_is_none():
    assert not prints("# print(1)\nfigures.print_all('print(2)')") and prints("if one:\n    print(two)")
