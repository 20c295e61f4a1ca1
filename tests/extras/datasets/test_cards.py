"""The form of a card, whatever the instrument: sizes, options, rows, and what an audit sees."""

from __future__ import annotations

import json

import yaml
from cases import case
from data.counted import CONFIG, NONE, ROW, TABLE, card, items_of, write

from cogkit.core.identity import item_set
from cogkit.extras.datasets import cards, sets


def front(**changes) -> dict:
    """Return the front matter of a card."""
    return yaml.safe_load(cards.markdown(card(**changes)).split("---\n")[1])


def test_sizes_are_those_of_hugging_face():
    sizes = {1: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 99_999: "10K<n<100K", 10**7: "n>10M"}
    for count, size in sizes.items():
        assert front(splits={"a": count - 1, "b": 1})["size_categories"] == [size]


def test_only_a_file_of_rows_is_offered_to_viewers():
    head = front()
    assert head["configs"] == [{"config_name": "words", "data_files": "words.csv"}] and "viewer" not in head
    head = front(records=[])
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


def test_rows_of_a_card_have_the_metrics_that_it_names_and_six_decimals():
    rows = [ROW | {"task": "a", "source": "cogkit"}, ROW | {"metric": "z", "value": 2.0}, NONE]
    chosen = cards.floor_rows("test", rows, ["accuracy"])
    assert chosen == [ROW | {"split": "test", "value": 0.333333}, NONE | {"split": "test"}]


def findings(root) -> list[tuple[str, str]]:
    entries = sets.audit(root, ["words.csv"]) + cards.audit(root, items_of)
    return [(finding.path.rpartition("/")[2], finding.field) for finding in entries]


def test_a_sound_set_has_no_findings_and_neither_has_one_from_before_there_were_cards(tmp_path):
    assert findings(write(tmp_path / "new")) == []
    sets.write(tmp_path / "old", "counting/make", CONFIG, [("words.csv", TABLE, 2)], [])
    assert findings(tmp_path / "old") == []
    (tmp_path / "old" / "README.md").write_text("my notes")
    assert findings(tmp_path / "old") == []


def test_a_card_of_other_items_or_files_is_a_finding_also_if_the_manifest_agrees(tmp_path):
    root = write(tmp_path / "items", items="2-00000000")
    assert findings(root) == [("README.md", "items"), ("croissant.json", "items")]
    path = write(tmp_path / "files") / "croissant.json"
    path.write_text(path.read_text().replace('"sha256": "', '"sha256": "0'))
    assert findings(tmp_path / "files") == [("croissant.json", "sha256"), ("croissant.json", "words.csv")]


def test_a_card_that_is_none_is_a_finding_and_so_is_a_missing_one(tmp_path):
    for name in ("README.md", "croissant.json"):
        root = write(tmp_path / name)
        for content in (b"", b"\xff", b"{", b"[]", b"null", b"---\ncogkit: {\n---\n", b"---\ncogkit: []\n---\n"):
            (root / name).write_bytes(content)
            with case((name, content)):
                assert findings(root) == [(name, "sha256"), (name, "file")]
        (root / name).unlink()
        assert findings(root) == [(name, "file")]


def test_a_strange_distribution_is_no_crash(tmp_path):
    path = write(tmp_path) / "croissant.json"
    sound = json.loads(path.read_text())
    for distribution in (None, 3, "a", [3], [{"sha256": 3}], {"a": 1}):
        path.write_text(json.dumps(sound | {"distribution": distribution}))
        with case(distribution):
            assert ("croissant.json", "sha256") in findings(tmp_path)
