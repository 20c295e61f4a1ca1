"""No result is typed in Markdown: every decimal or per cent there is a setting, a limit or a name that is listed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from cogkit.app import notebooks
from cogkit.data import results
from cogkit.mewl.paper import summary

LISTED = pd.read_csv(Path(__file__).with_name("numbers.csv"), comment="#", dtype=str)
ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])(?:\d*\.\d+|\d+(?:\.\d+)?\s?%)(?![\w.]*\d)")
BESIDE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]*>", re.DOTALL)  # code, addresses and HTML are no prose
README_ROW = re.compile(r"A concept search whose eyes.*?\|")  # compared with the shipped table by the README's test


def prose() -> Iterator[tuple[str, str]]:
    """Yield the Markdown of each notebook, and the README without the sentences that are computed."""
    for path in notebooks.find():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path.stem, "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace(summary.sentence(results.shipped("mewl")), "")
    yield "README", README_ROW.sub("", text)


def test_every_number_in_markdown_is_listed_and_every_listed_one_is_there():
    present = {
        (name, " ".join(number.split()))
        for name, text in prose()
        for number in NUMBER.findall(BESIDE.sub(" ", text))
        if number != "95 %"
    }
    assert present == {*LISTED[["where", "number"]].itertuples(index=False, name=None)}
    assert LISTED.what.str.len().min() > 5


def test_a_typed_result_would_be_seen():
    for text in ("It gets 84 % right.", "a share of .774", "z of −1.25 or so", "from 0.3 to .4"):
        assert NUMBER.findall(text), text
    assert not NUMBER.findall("in 2023, 12,000 problems of 512 px, § 3.2.1, version v1.2")
