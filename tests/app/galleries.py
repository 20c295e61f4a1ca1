"""What the tests of the gallery share: small notebooks, hostile text, and a reader of tags."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> \" onload='y' & </section>"


class Tags(HTMLParser):
    """Collects every tag with its attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data) -> None:
        self.text.append(data)

    def all(self, tag: str, attribute: str) -> list[str]:
        return [attributes[attribute] for name, attributes in self.tags if name == tag]


def write(folder: Path, name: str, title: str | list[str] = "# A title", headings=(), **about) -> Path:
    source = title if isinstance(title, list) else [title]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": text} for text in (source, *headings)]
    metadata = {"cogkit": about} if about else {}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
