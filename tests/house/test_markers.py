"""What is marked slow is there: a name in the list that no test has any more is an error."""

from __future__ import annotations

import ast
from pathlib import Path


def test_every_slow_test_is_there(root):
    lines = [line for line in (root / "tests" / "slow.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines == sorted(set(lines))
    for line in lines:
        file, _, name = line.partition("::")
        assert (root / file).is_file(), line
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        named = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        module = ".".join(Path(file).with_suffix("").parts)  # as a doctest is named
        assert not name or name in named or name.removeprefix(f"{module}.").split(".")[-1] in named, line
