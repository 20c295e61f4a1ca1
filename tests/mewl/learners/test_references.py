"""Learners that need no training get what the facts say that they get, and what plain reasoning gives them."""

from __future__ import annotations

import math

import numpy as np
from cases import case

from cogkit.mewl.learners.crosssituational import Associative, ProposeButVerify
from cogkit.mewl.learners.floors import reference
from cogkit.mewl.problems.episodes import Panel, Question, Trial
from cogkit.mewl.problems.making import episodes_of
from cogkit.mewl.scoring import judge
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import thing

N = 200
FACTS = {  # § 6 and 7: percent right under the published rules
    ("elimination", "shape"): 33.3, ("elimination", "color"): 33.3, ("elimination", "material"): 33.3,
    ("elimination", "composite"): 33.3, ("elimination", "number"): 20.0, ("elimination", "object"): 20.0,
    ("reversal", "relation"): 35.0, ("converse-pair", "relation"): 48.8, ("query-alone", "relation"): 65.1,
    ("order-graph", "bootstrap"): 58.9, ("literal-listener", "pragmatic"): 25.1,
    ("informative-listener", "pragmatic"): 65.5, ("pragmatic-listener", "pragmatic"): 98.6,
    ("pragmatic-listener-4", "pragmatic"): 100.0, ("ideal-learner", "bootstrap"): 97.2,
    ("ideal-learner", "object"): 99.9, ("ideal-learner", "composite"): 99.7, ("random", "number"): 20.0,
}  # fmt: skip


def test_as_published_each_gets_what_was_measured(made):
    for (name, task), percent in FACTS.items():
        with case((name, task)):
            score = judge(reference(name), made(task, "as_published", N)).score
            share = percent / 100
            # a right answer at most: the standard error is no larger than a binomial's, and the facts' own is ± a point
            assert abs(score.mean() - share) <= 4 * math.sqrt(max(share * (1 - share), 0.002) / N) + 0.002


def test_the_ideal_learner_is_always_right_on_verified_episodes(task):
    assert (judge(reference("ideal-learner"), episodes_of(task, n=60)).score == 1).all(), task


def scene(*names: str, target: int | None = None) -> Scene:
    things = tuple(thing(name.split()) for name in names)
    places = tuple((2.0 * k - 2, 1.5 * k - 2) for k in range(len(things)))
    hand = (2.2, -2.2) if target is not None else None
    return Scene(things, places, (0.0,) * len(things), hand=hand, target=target)


RED, BLUE, GREEN = "cube red rubber large", "sphere blue metal small", "cylinder green glass large"


def trial(task, panels, query, options) -> Question:
    items = [Panel(*panel) for panel in panels]
    question = Trial(task, tuple(items), query, tuple(options))
    return Question((task,), [(*(panel.scene for panel in items), query)], (tuple(panel.utterance for panel in items),),
                    (question.options,))  # fmt: skip


def objects() -> Question:
    pairs = [(RED, BLUE), (RED, GREEN), (BLUE, GREEN)] * 2
    words = {RED: "ra", BLUE: "bu", GREEN: "ge"}
    panels = [(scene(*pair), " and ".join(words[name] for name in pair[::-1])) for pair in pairs]
    options = ("ra and bu", "ra and ge", "bu and ge", "ra and xo", "xo and zu")
    return trial("object", panels, scene(GREEN, RED), options)


def test_who_counts_finds_by_company_what_no_panel_tells():
    weights = Associative().score(objects())[0]
    assert weights.argmax() == 1 and weights[1] > 2 * np.sort(weights)[-2]


def test_counting_one_word_at_a_time_is_a_share():
    # one word said three times of red things of every other kind: red goes with it three times, others once
    panels = [(scene(f"{shape} red {material} large"), "ra") for shape, material in
              (("cube", "rubber"), ("sphere", "metal"), ("cylinder", "glass"))] * 2  # fmt: skip
    query = scene("cube red metal small")
    weights = Associative(1e-12).score(trial("color", panels, query, ("ra",) * 5))[0]
    # red and large are there each time: 6 of 24 things that were seen with the word
    assert np.allclose(weights, 6 / 24)


def test_who_guesses_keeps_a_guess_that_fits():
    right = sum(ProposeButVerify(1.0, 0.0, seed).score(objects())[0][1] for seed in range(300)) / 300
    # by hand, for a perfect memory: a word is heard in four panels, in which the second thing changes every time, so a
    # wrong guess never fits the next one and is made anew, right one time out of two: wrong at the end 1 in 2⁴ times
    share = (15 / 16) ** 2  # of two words
    assert abs(right - share) <= 4 * math.sqrt(share * (1 - share) / 300)
    forgetful = sum(ProposeButVerify(0.0, 0.0, seed).score(objects())[0][1] for seed in range(300)) / 300
    assert forgetful == 0  # who remembers nothing knows nothing when asked
