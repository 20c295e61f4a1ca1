"""Code lines a folder stand in a table that may fall, and rises only by an edit of it, with a reason in the commit.

A code line has something on it beside comment and docstring. ``.ci/lint --sizes`` writes the table anew.
"""

from __future__ import annotations

import ast
import csv
import io
import tokenize
from collections import Counter
from pathlib import Path

TABLE = Path(__file__).parents[1] / "sizes.csv"
EMPTY = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
SCRIPTS = (".js", ".css")


def code_lines(source: str) -> int:
    """Return the code lines of a Python source: no blanks, comments or docstrings.

    >>> code_lines('"A docstring."' + chr(10) + "x = (1,  # a comment" + chr(10) + "     2)")
    2
    """
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node, False) is not None
        ):
            docstrings |= {*range(node.body[0].lineno, node.body[0].end_lineno + 1)}
    tokens = (token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in EMPTY)
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - docstrings)


def count(root: Path, files: list[Path]) -> dict[str, int]:
    """Return the code lines of each folder of the package, of each extra and of the tests, and of all scripts."""
    lines: Counter[str] = Counter()
    for path in files:
        parts = path.relative_to(root).parts
        if path.suffix == ".py" and parts[0] in ("cogkit", "tests", ".ci"):
            deep = 1 if parts[0] == ".ci" else 3 if parts[1] == "extras" else 2
            lines["/".join(parts[:-1][:deep])] += code_lines(path.read_text())
        elif path.suffix in SCRIPTS and parts[0] == "cogkit":
            lines["JavaScript and CSS"] += sum(bool(line.strip()) for line in path.read_text().splitlines())
    return dict(sorted(lines.items()))


def write(root: Path, files: list[Path]) -> None:
    """Write the table as things are."""
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["folder", "code_lines"])
        writer.writerows(count(root, files).items())


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every folder that has more lines than the table says."""
    with TABLE.open(newline="") as file:
        most = {row["folder"]: int(row["code_lines"]) for row in csv.DictReader(file)}
    return [
        f"{folder}: {lines} code lines, at most {most.get(folder, 0)}: make it shorter, or write the table anew with "
        f".ci/lint --sizes and say in the commit why"
        for folder, lines in count(root, files).items()
        if lines > most.get(folder, 0)
    ]
