"""What the readers of a card take from it: Markdown without foreign markup, and the records of its metadata."""

from __future__ import annotations

import json

import mistune
import pytest
from carded import FLOOR, body, dataset, front, records, tables
from data.counted import NONE, ROW, TABLE, write

import cogkit

ODD = 'A "title": # – \u2028 \x85 \U0001f600, \\ | <script>alert(1)</script> *it* [x](y)\n---\nlicense: "mit"'


def test_no_text_leaves_its_place(tmp_path):
    root = write(tmp_path, title=ODD, tags=("a: b", "- c", "#"), floors=[ROW, NONE])
    head = front(root)
    assert head["pretty_name"] == ODD and head["license"] == "bsd-3-clause"
    assert head["tags"] == ["cogkit", "a: b", "- c", "#"]
    page = mistune.create_markdown(plugins=["table"])(body(root))
    assert "<script>" not in page and "<i>" not in page and "<em>it</em>" not in page and "<a href" not in page
    assert page.count("<h1>") == 1 and "a | b &lt;i&gt; (floor)" in page
    assert tables(root)[FLOOR] == [
        ("test_a", "a | b <i> (floor)", "accuracy", "0.333", "0.250 to 0.500 (95% Wilson)", "9"),
        ("test_a", "a | b <i> (floor)", "accuracy", "none", "none", "9"),
    ]


def test_metadata_give_the_rows_of_a_file_and_of_themselves(tmp_path):
    loaded = dataset(write(tmp_path, floors=[ROW, NONE]))
    assert records(loaded, "words") == [{"word": "pado", "count": 3}, {"word": "a, b", "count": 4}]
    assert records(loaded, "floors")[0] == ROW
    metadata = json.loads((tmp_path / "croissant.json").read_text())
    assert metadata["version"] == cogkit.__version__ and loaded.metadata.cite_as == "Somebody (2020). Something."


def test_metadata_see_a_file_that_changed(tmp_path):
    root = write(tmp_path)
    (root / "words.csv").write_bytes(TABLE.replace(b"3", b"5"))
    with pytest.raises(Exception, match="generation of the dataset"):
        records(dataset(root), "words")
