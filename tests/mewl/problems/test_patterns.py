"""What is wrong with a wrong name, by episodes written by hand and by the episodes' own lexicons."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from cogkit.core.errors import InputError
from cogkit.mewl.problems import patterns
from cogkit.mewl.problems.episodes import TASKS, Episode, Panel, Trial
from cogkit.mewl.world.scenes import Scene, stands
from cogkit.mewl.world.things import Thing

CUBE, BALL, TUBE = (
    Thing("cube", "red", "glass", "small"), Thing("sphere", "blue", "metal", "small"),
    Thing("cylinder", "cyan", "rubber", "large"),
)  # fmt: skip
N = 60


def alone(thing: Thing) -> Scene:
    return Scene((thing,), ((0.0, 0.0),), (0.0,))


def three(target=None) -> Scene:
    """From the left: cube, ball, tube; the cube stands behind, the tube in front."""
    hand = None if target is None else (3.0, -3.0)
    return Scene((CUBE, BALL, TUBE), ((-2.0, -0.2), (0.0, 0.0), (2.0, 0.1)), (0.0,) * 3, hand=hand, target=target)


def kinds(task, panels, query, options, lexicon, answer=0) -> list[str]:
    question = Trial(task, tuple(Panel(scene, text) for scene, text in panels), query, tuple(options))
    episode = Episode(question, answer, lexicon)
    return [patterns.kind(episode, k) for k in range(5)]


def test_single_words():
    panels = [(alone(CUBE), "pado"), (alone(BALL), "kelo"), (alone(TUBE), "mima")] * 2
    lexicon = {"pado": "cube", "kelo": "sphere", "mima": "cylinder"}
    # but for its shape the first is like the cube, and large as the tube, which no ball shown is
    for rest, kind in ((("red", "glass"), "of a picture more alike"), (("blue", "metal"), "another known word")):
        query = alone(Thing("sphere", *rest, "large"))
        names = kinds("shape", panels, query, ["kelo", "pado", "mima", "new", "newer"], lexicon)
        assert names == ["right", kind, kind, "word never heard", "word never heard"]


def test_triples_and_phrases():
    panels = [(three(), "a and b and c"), (three(), "c and d and e")] * 3
    options = ["a and b and e", "a and e and d", "c and d and e", "b and f and a", "d and c and a"]
    names = kinds("object", panels, three(), options, {})
    assert names == ["right", "one word wrong", "two words wrong", "word never heard", "two words wrong"]
    panels = [(alone(CUBE), text) for text in ("a x", "b y", "c z")] * 2
    names = kinds("composite", panels, alone(CUBE), ["a y", "a x", "a z", "c y", "b z"], {})
    assert names == ["right", "name of a picture", "second word wrong", "first word wrong", "both words wrong"]


def test_statements():
    lexicon = {"pado": "left", "kelo": "right", "mima": "front"}
    panels = [(three(), "red cube pado blue sphere"), (three(), "blue sphere kelo red cube"),
            (three(), "cyan cylinder mima red cube")] * 2  # fmt: skip
    options = ["red cube pado blue sphere", "blue sphere pado red cube", "red cube kelo blue sphere",
               "red cube mima blue sphere", "cyan cylinder pado red cube"]  # fmt: skip
    names = kinds("relation", panels, three(), options, lexicon)
    assert names == ["right", "reversed", "opposite word", "another word", "about other things"]


def test_places():
    lexicon = {"a": CUBE, "b": BALL, "c": TUBE}
    panels = [(three(), "a left b"), (three(), "b left c")] * 3
    assert stands(three(), 0, 1, "left")
    options = ["a left b", "b left a", "a right b", "new left a", "c left b"]
    names = kinds("bootstrap", panels, three(), options, lexicon)
    assert names == ["right", "reversed", "another place", "word never heard", "fits but for the places"]


def test_counts_and_pointing():
    panels = [(three(), word) for word in "abcdef"]
    lexicon = dict(zip("abcdef", range(1, 7), strict=True))
    names = kinds("number", panels, three(), ["c", "b", "d", "a", "f"], lexicon)
    assert names == ["right", "off by one", "off by one", "off by more", "off by more"]
    panels = [(three(0), word) for word in "abcdef"]
    lexicon = {"a": "cube", "b": "small", "c": "sphere", "d": "gray", "e": "red", "f": "brown"}
    names = kinds("pragmatic", panels, three(0), ["a", "b", "c", "d", "f"], lexicon)
    assert names == ["right", "true, rules out one", "of another thing", "of nothing there", "of nothing there"]


def test_every_option_has_a_kind_and_one_is_right(profile, made):
    for episode in (episode for task in TASKS for episode in made(task, profile, N)):
        names, single = [patterns.kind(episode, k) for k in range(5)], episode.task in ("shape", "color", "material")
        assert [k for k, kind in enumerate(names) if kind == "right"] == [episode.answer]
        assert set(names) - {"right"} <= set(patterns.KINDS[episode.task])
        if single or profile == "verified":
            assert names.count(patterns.UNHEARD) == (2 if single else 0)


def test_who_errs_at_random_is_at_random(made):
    episodes, rng = made("shape", "verified", N), np.random.default_rng(1)
    choices = [(episode.answer + int(rng.integers(1, 5))) % 5 for episode in episodes]
    table = patterns.errors(episodes, choices).set_index("kind")
    assert table.chosen.sum() == N and set(table.errors) == {N}
    assert table.at_random[patterns.UNHEARD] == pytest.approx(0.5) and table.at_random.sum() == pytest.approx(1)
    assert (table.share - table.at_random).abs().max() <= 4 * np.sqrt(0.25 / N)
    low, high = proportion_confint(table.chosen[patterns.UNHEARD], N, method="wilson")
    assert (table.low[patterns.UNHEARD], table.high[patterns.UNHEARD]) == pytest.approx((low, high))


def test_no_errors_and_bad_input(made):
    episodes = made("number", "verified", N)
    assert patterns.errors(episodes, [episode.answer for episode in episodes]).empty
    with pytest.raises(InputError, match="one of the five"):
        patterns.kind(episodes[0], 5)
