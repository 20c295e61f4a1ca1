"""Items as a sequence: slices stay items, one line tells them, strangers' words are escaped, names make a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from bs4 import BeautifulSoup
from markup import HOSTILE

from cogkit.core.items import Entries, overlap


@dataclass(frozen=True)
class Word:
    text: str


class Words(Entries):
    def name(self, index):
        return self.entries[index].text

    def row(self, index):
        return {"letters": len(self.name(index))}

    def png(self, index):
        return self.name(index).encode()


def test_a_slice_is_items_and_a_number_is_one():
    words = Words(tuple(map(Word, ("pado", "tif", "gakar"))), "words", "all", seed=3)
    assert len(words) == 3 and words[1] == Word("tif") and [*words] == [*words.entries]
    some = words[1:]
    assert isinstance(some, Words) and some.names == ("tif", "gakar") and (some.task, some.seed) == ("all", 3)
    assert words.to_frame().to_dict("list") == {"name": ["pado", "tif", "gakar"], "letters": [4, 3, 5]}
    assert repr(words) == "<3 items of words, all: part test, verified, seed 3, cogkit>" and len(repr(words[:0])) < 80
    assert words[:0].to_frame().empty and words[:1] + words[2:] == (Word("pado"), Word("gakar"))


def test_a_strip_shows_six_pictures_and_escapes_what_a_stranger_wrote():
    words = Words(tuple(Word(f"{HOSTILE}{k}") for k in range(9)), HOSTILE, HOSTILE, source=HOSTILE)
    page = BeautifulSoup(words._repr_html_(), "html.parser")
    assert len(page.find_all("img")) == 6 and {tag.name for tag in page.find_all(True)} == {"p", "img"}
    assert page.img["alt"] == f"{HOSTILE}0"
    assert {name for tag in page.find_all("img") for name in tag.attrs} <= {"src", "alt", "title", "style"}


def test_items_of_the_front_doors_are_one_line_and_know_their_task():
    from cogkit import bongard, equivalence, mewl, tiles

    tasks = {bongard: "BA", mewl: "color", tiles: "tree/abstract", equivalence: "LS/select-only"}
    for door, task in tasks.items():
        items = door.items(task, 3)
        assert repr(items).startswith(f"<3 items of {door.__name__[7:]}, {task}") and len(repr(items)) < 100
        assert items.to_frame().name.tolist() == list(items.names)
        assert items._repr_html_().count("<img") == 3 * (door is not equivalence)
    trials = items.frame().iloc[:, :4].itertuples(index=False)
    assert list(items.names) == [" ".join(row) for row in trials]
    assert bongard.judge(bongard.learner("ink-amount"), bongard.items("BA", 3)).task == "BA"


def test_overlap_is_the_test_items_that_training_holds_by_content():
    """As a plain loop finds them, in keys of any kind and in arrays; equal items may have other names."""
    rng = np.random.default_rng(0)
    for n in range(6):
        train, test = (rng.integers(8, size=n) for _ in range(2))
        expected = [key for key in test.tolist() if any(key == other for other in train.tolist())]
        assert overlap(train, test) == overlap(iter(train.tolist()), tuple(test.tolist())) == expected
    words = Words(tuple(map(Word, ("pado", "tif", "tif"))), "words", "all")
    again = Words((Word("tif"), Word("gakar")), "words", "others", "train", "as_published", 7)
    assert len(overlap(again, words)) == 2 and overlap(words[:1], again) == []
