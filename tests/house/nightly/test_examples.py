"""The examples in the docstrings that the README names run as they stand."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

from mewl import tiny

ROOT = Path(__file__).parents[3]


def example(module: str) -> str:
    """Return the code in a module's docstring, below a line with two colons; the README must name the module."""
    assert f"`{module}`" in (ROOT / "README.md").read_text(encoding="utf-8")
    path = ROOT / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return textwrap.dedent(re.search(r"::\n\n((?: {4}.*\n?|\n)+)", docstring)[1])


def test_the_examples_of_learners_that_it_names_run(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    scope: dict = {}
    exec(example("cogkit.tiles.learners.training"), scope)
    assert scope["rows"][["who", "n"]].drop_duplicates().values.tolist() == [["LSTM", 25]]
    scope = {}
    exec(example("cogkit.learning"), scope)
    assert 2 < scope["log"].guess.tail(100).mean() < 4
    monkeypatch.chdir(tmp_path)
    tiny.folder_of("bert", tmp_path / "my-bert")
    scope = {}
    exec(example("cogkit.mewl.learners.pretrained"), scope)
    assert scope["rows"][["who", "n"]].drop_duplicates().values.tolist() == [["BERT, my-bert", 40]]


def test_the_examples_of_boards_and_comparisons_that_it_names_run(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    scope: dict = {}
    exec(example("cogkit.tiles.rules.boards"), scope)
    known = scope["rows"][["who", "task", "n"]].drop_duplicates()
    assert known.values.tolist() == [["nearest neighbour", "diagonal/abstract", 2]]
    scope = {}
    exec(example("cogkit.app.experiments"), scope)
    assert scope["table"].who.nunique() == 2 and set(scope["table"].task) == {"tree/abstract", "tree/metamer"}
