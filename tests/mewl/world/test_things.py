"""Things and words: as many as there are, named as published, and no word that somebody may know."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.mewl.world import things, words


def test_things_are_those_of_the_palette(reference):
    palette = json.loads((reference / "mewl" / "palette.json").read_text())
    assert list(things.VALUES) == palette["attribute_order"] and things.VALUES["shape"] == tuple(palette["shapes"])
    assert {name: list(rgb) for name, rgb in things.RGB.items()} == palette["colors_rgb8"]
    assert len(set(things.EVERY)) == 144 and set(things.VALUES["material"]) == set(palette["materials"])


def test_what_is_no_thing_is_one_sentence():
    for values, message in (
        (["cube", "red", "glass"], "four values"),
        (["cube", "pink", "glass", "small"], "a color .*'pink'"),
    ):
        with pytest.raises(InputError, match=message):
            things.thing(values)
    assert things.thing(["cube", "red", "glass", "small"]) in things.EVERY


def test_the_syllables_are_our_own_and_parts_share_none(reference):
    published = json.loads((reference / "mewl" / "syllables.json").read_text())
    theirs = next(value for value in published.values() if isinstance(value, list) and len(value) == 175)
    assert len(set(words.SYLLABLES)) == len(words.SYLLABLES) >= 175
    assert len(set(words.SYLLABLES) & set(theirs)) < len(words.SYLLABLES) / 2
    parts = [set(words.syllables(part)) for part in words.PARTS]
    assert set.union(*parts) == set(words.SYLLABLES) and sum(map(len, parts)) == len(words.SYLLABLES)


def test_words_are_different_of_their_part_and_none_is_english():
    rng = np.random.default_rng(0)
    for part in words.PARTS:
        syllables = words.syllables(part)
        for _ in range(40):
            sample = words.draw(6, 2, rng, part)
            assert len(set(sample)) == 6 and not set(sample) & words.english()
            assert all(any(word == a + b for a in syllables for b in syllables) for word in sample)
    assert {"bar", "solo", "panel", "banana", "tomato"} <= words.english()
    everything = {a + b for a in words.SYLLABLES for b in words.SYLLABLES}
    assert everything & words.english()  # so that the filter has something to do
    assert set(words.draw(6, 2, np.random.default_rng(3), real=True)) <= everything
