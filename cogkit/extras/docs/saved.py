"""What notebooks of the project say, read from their files: their sections, and the glossary."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cogkit.app import notebooks


def section(path: Path, heading: str) -> str:
    """Return the Markdown below a heading of a notebook, in all its cells together; empty if there is none.

    ``heading`` is a regular expression.

    Examples
    --------
    >>> section(notebooks.find(["00"])[0], "Glossary").startswith("* **certificate**: ")
    True
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    match = re.search(rf"^## (?:{heading})$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return match[1].strip() if match else ""


def terms() -> dict[str, str]:
    """Return the terms of the glossary, each with its explanation.

    Examples
    --------
    >>> terms()["seed"].split(".")[0]
    'the number from which a program starts its random draws'
    """
    (first,) = notebooks.find(["00"])
    entries = re.findall(r"^\* \*\*(.+?)\*\*: (.+(?:\n  .+)*)", section(first, "Glossary"), re.MULTILINE)
    return {term: " ".join(text.split()) for term, text in entries}
