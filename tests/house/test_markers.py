"""What is marked slow is there: a name in the list that no test has any more is an error."""

from __future__ import annotations

import ast
from itertools import groupby


def test_every_slow_test_is_there(root):
    lines = [line for line in (root / "tests" / "slow.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines == sorted(set(lines))
    for file, names in groupby((line.partition("::")[::2] for line in lines), key=lambda parts: parts[0]):
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        for _, name in names:  # a doctest's last part is what it stands in
            assert not name or name.rpartition(".")[2] in defined, f"{file}::{name}"
