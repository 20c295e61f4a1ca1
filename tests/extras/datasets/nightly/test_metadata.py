"""What the readers of a card take from it: Markdown without foreign markup, and the records of its metadata."""

from __future__ import annotations

import json

import mistune
import pytest
from carded import FLOOR, body, dataset, front, records, tables
from data.counted import NONE, ROW, TABLE, card, write

import cogkit
from cogkit.extras.datasets.cards import TEXT, WHOLE, Column, Records

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


def test_metadata_give_the_rows_of_a_file_of_many_files_and_of_themselves(tmp_path):
    for k, word in enumerate(("pado", "kimob")):
        (tmp_path / "items" / str(k)).mkdir(parents=True)
        content = {"word": word, "panels": [{"name": "x"}, {"name": word}]}
        (tmp_path / "items" / str(k) / "info.json").write_text(json.dumps(content))
    many = Records("many", {
        "number": Column(WHOLE, {"fileProperty": "fullpath"}, {"regex": "items/([0-9]+)/"}),
        "word": Column(TEXT, {"jsonPath": "$.word"}),
        "panels": Column(TEXT, {"jsonPath": "$.panels"}, {"jsonPath": "$.name"}, repeated=True),
    }, "info-files")  # fmt: skip
    own = Records("own", {"word": Column(TEXT), "count": Column(WHOLE)}, rows=[{"word": "é", "count": 2}])
    root = write(
        tmp_path, records=[*card().records, many, own], groups={"info-files": "*/info.json"}, floors=[ROW, NONE]
    )
    loaded = dataset(root)
    assert records(loaded, "words") == [{"word": "pado", "count": 3}, {"word": "a, b", "count": 4}]
    assert records(loaded, "many") == [
        {"number": 0, "word": "pado", "panels": ["x", "pado"]}, {"number": 1, "word": "kimob", "panels": ["x", "kimob"]}
    ]  # fmt: skip
    assert records(loaded, "own") == [{"word": "é", "count": 2}]
    assert records(loaded, "floors")[0] == ROW
    metadata = json.loads((root / "croissant.json").read_text())
    assert metadata["version"] == cogkit.__version__ and loaded.metadata.cite_as == "Somebody (2020). Something."


def test_metadata_see_a_file_that_changed(tmp_path):
    root = write(tmp_path)
    (root / "words.csv").write_bytes(TABLE.replace(b"3", b"5"))
    with pytest.raises(Exception, match="generation of the dataset"):
        records(dataset(root), "words")
