"""The form of a card and of its metadata, whatever the instrument: escapes, sizes, records, and what an audit sees."""

from __future__ import annotations

import dataclasses
import json
import tomllib

import mistune
import pytest
import yaml
from carded import FLOOR, ROOT, body, dataset, front, records, tables

import cogkit
from cogkit.core.identity import item_set
from cogkit.data import cards, sets
from cogkit.data.cards import TEXT, WHOLE, Card, Column, Records

CONFIG = {"n": 3, "seed": 5, "only": None, "open_hypotheses": True, "profile": "as_published"}
TABLE = b'word,count\npado,3\n"a, b",4\n'
ROW = {
    "split": "test_a", "who": "a | b <i>", "kind": "floor", "metric": "accuracy", "value": 1 / 3, "low": 0.25,
    "high": 0.5, "interval": "95% Wilson", "n": 9,
}  # fmt: skip
NONE = ROW | {"value": None, "low": None, "high": None, "interval": ""}


def items_of(config) -> str:
    return cards.hash_of("counting", 2, config, "only")


def card(**changes) -> Card:
    fields = {
        "dataset": "counting", "title": "Counting", "item": "An item is a word.", "options": CONFIG,
        "items": items_of(CONFIG), "splits": {"test_a": 2}, "task": "multiple-choice", "tags": ("counting",),
        "paper": "Somebody (2020). Something.", "guarantees": ("Words are words.",), "checks": ("2 of 2 are words.",),
        "floors": [ROW], "measured": ("All were judged.",), "limits": ("They are no secret.",),
        "records": [Records("words", {
            "word": Column(TEXT, {"column": "word"}), "count": Column(WHOLE, {"column": "count"}),
        }, "words.csv")],
    }  # fmt: skip
    return Card(**{**fields, **changes})


def write(folder, **changes):
    sets.write(folder, "counting/make", CONFIG, cards.with_card([("words.csv", TABLE, 2)], lambda: card(**changes)), [])
    return folder


def test_the_licence_is_the_projects():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["license"] == cards.LICENSE
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause License")


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


@pytest.mark.parametrize(
    ("count", "size"), [(1, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (10**7, "n>10M")]
)
def test_sizes_are_those_of_hugging_face(count, size):
    text = cards.markdown(card(splits={"a": count - 1, "b": 1}))
    assert yaml.safe_load(text.split("---\n")[1])["size_categories"] == [size]


def test_only_a_file_of_rows_is_offered_to_viewers():
    head = yaml.safe_load(cards.markdown(card()).split("---\n")[1])
    assert head["configs"] == [{"config_name": "words", "data_files": "words.csv"}] and "viewer" not in head
    head = yaml.safe_load(cards.markdown(card(records=[])).split("---\n")[1])
    assert head["viewer"] is False and "configs" not in head


def test_the_command_has_every_option_that_is_set_as_a_shell_reads_it():
    command = "cogkit make counting --out DIR --n 3 --seed 5 --open-hypotheses --profile as_published"
    assert card().command == command
    assert card(options={"seed": 0, "only": "a b'; rm *"}).command.endswith("""--seed 0 --only 'a b'"'"'; rm *'""")
    assert card(options={"seed": 0}).profile == "verified" and card().profile == "as_published"


def test_the_hash_is_that_of_identity_and_depends_on_options_that_choose_items():
    plain = {"n": 3, "seed": 5, "profile": "verified"}
    assert cards.hash_of("counting", 2, plain) == item_set("counting", 2, "verified", 5, 3)
    assert cards.hash_of("counting", 2, plain | {"size": 64}, "only") == cards.hash_of("counting", 2, plain)
    hashes = {cards.hash_of("counting", 2, plain | {"only": only}, "only") for only in (None, "a", "b")}
    hashes |= {cards.hash_of("counting", 2, plain | change) for change in ({"n": 4}, {"seed": 6})}
    assert len(hashes) == 5 and len(hashes | {cards.hash_of("counting", 3, plain)}) == 6


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


def test_rows_of_a_card_have_the_metrics_that_it_names_and_six_decimals():
    rows = [ROW | {"task": "a", "source": "cogkit"}, ROW | {"metric": "z", "value": 2.0}, NONE]
    chosen = cards.floor_rows("test", rows, ["accuracy"])
    assert chosen == [ROW | {"split": "test", "value": 0.333333}, NONE | {"split": "test"}]


def test_the_card_is_made_after_the_files_and_is_the_same_again(tmp_path):
    order = []

    def files():
        order.append("files")
        yield "words.csv", TABLE, 2

    def made() -> Card:
        order.append("card")
        return card()

    names = [name for name, _, count in cards.with_card(files(), made) if count == 0]
    assert order == ["files", "card"] and names == ["croissant.json", "README.md"]
    before = {path.name: path.stat().st_mtime_ns for path in write(tmp_path).iterdir()}
    after = {path.name: path.stat().st_mtime_ns for path in write(tmp_path).iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"manifest.json"}


def findings(root) -> list[tuple[str, str]]:
    found = sets.audit(root, ["words.csv"]) + cards.audit(root, items_of)
    return [(finding.path.rpartition("/")[2], finding.field) for finding in found]


def test_a_sound_set_has_no_findings_and_neither_has_one_from_before_there_were_cards(tmp_path):
    assert findings(write(tmp_path / "new")) == []
    sets.write(tmp_path / "old", "counting/make", CONFIG, [("words.csv", TABLE, 2)], [])
    assert findings(tmp_path / "old") == []
    (tmp_path / "old" / "README.md").write_text("my notes")
    assert findings(tmp_path / "old") == []


def test_a_card_of_other_items_is_a_finding_also_if_the_manifest_agrees(tmp_path):
    root = write(tmp_path, items="2-00000000")
    assert findings(root) == [("README.md", "items"), ("croissant.json", "items")]


def test_metadata_of_other_files_are_a_finding(tmp_path):
    root = write(tmp_path)
    path = root / "croissant.json"
    path.write_text(path.read_text().replace('"sha256": "', '"sha256": "0'))
    assert findings(root) == [("croissant.json", "sha256"), ("croissant.json", "words.csv")]


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{", b"[]", b"null", b"---\ncogkit: {\n---\n", b"---\ncogkit: []\n---\n"]
)
@pytest.mark.parametrize("name", ["README.md", "croissant.json"])
def test_a_card_that_is_none_is_a_finding_and_so_is_a_missing_one(tmp_path, name, content):
    root = write(tmp_path)
    (root / name).write_bytes(content)
    assert findings(root) == [(name, "sha256"), (name, "file")]
    (root / name).unlink()
    assert findings(root) == [(name, "file")]


@pytest.mark.parametrize("distribution", [None, 3, "a", [3], [{"sha256": 3}], {"a": 1}])
def test_a_strange_distribution_is_no_crash(tmp_path, distribution):
    root = write(tmp_path)
    path = root / "croissant.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"distribution": distribution}))
    assert ("croissant.json", "sha256") in findings(root)


def test_a_card_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        card().title = "another"
