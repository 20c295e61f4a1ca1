"""A set of one small table, with its card, for the tests of cards."""

from __future__ import annotations

from cogkit.extras.datasets import cards, sets
from cogkit.extras.datasets.cards import TEXT, WHOLE, Card, Column, Records

CONFIG = {"n": 3, "seed": 5, "only": None, "open_hypotheses": True, "profile": "as_published"}
TABLE = b'word,count\npado,3\n"a, b",4\n'
ROW = {"split": "test_a", "who": "a | b <i>", "kind": "floor", "metric": "accuracy", "value": 1 / 3, "low": 0.25}
ROW |= {"high": 0.5, "interval": "95% Wilson", "n": 9}
NONE = ROW | {"value": None, "low": None, "high": None, "interval": ""}
WORDS = {"word": Column(TEXT, {"column": "word"}), "count": Column(WHOLE, {"column": "count"})}


def items_of(config) -> str:
    return cards.hash_of("counting", 2, config, "only")


def card(**changes) -> Card:
    fields = {"dataset": "counting", "title": "Counting", "item": "An item is a word.", "options": CONFIG}
    fields |= {"items": items_of(CONFIG), "splits": {"test_a": 2}, "task": "multiple-choice", "tags": ("counting",)}
    fields |= {"paper": "Somebody (2020). Something.", "guarantees": ("Words are words.",), "floors": [ROW]}
    fields |= {"checks": ("2 of 2 are words.",), "measured": ("All were judged.",), "limits": ("They are no secret.",)}
    fields["records"] = [Records("words", WORDS, "words.csv")]
    return Card(**fields | changes)


def write(folder, **changes):
    sets.write(folder, "counting/make", CONFIG, cards.with_card([("words.csv", TABLE, 2)], lambda: card(**changes)), [])
    return folder
