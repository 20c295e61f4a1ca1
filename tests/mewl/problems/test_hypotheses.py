"""`hypotheses`: by brute force over lexicons at every panel, and the exact solvers' options after all six."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.mewl.problems import hypotheses
from cogkit.mewl.problems.episodes import OPTIONS, PANELS
from cogkit.mewl.problems.tasks import bootstrap, module, pragmatic, relation
from cogkit.mewl.world.scenes import RELATIONS, row, stands
from cogkit.mewl.world.things import ATTRIBUTES, VALUES

EVERY_VALUE = [(place, value) for place, name in enumerate(ATTRIBUTES) for value in VALUES[name]]


def words_of(trial, pick) -> list[str]:
    utterances = [panel.utterance for panel in trial.panels] + list(trial.options)
    return list(dict.fromkeys(word for text in utterances for word in pick(text)))


def injective(words, meanings):
    """Every lexicon of these words in which no two mean the same."""
    return [dict(zip(words, values, strict=True)) for values in permutations(meanings, len(words))]


def may_mean(word, speech, name):
    """The values of an attribute that a word may have, by all lexicons of it and of words said of a value each."""
    words = list(dict.fromkeys([*(heard for heard, _ in speech), word]))
    lexicons = injective(words, VALUES[name])
    return {lexicon[word] for lexicon in lexicons if all(lexicon[heard] == value for heard, value in speech)}


def one_attribute(trial, k):
    """Of words each about one value of one attribute: what each may mean."""
    heard = [(panel.utterance, panel.scene.things[0]) for panel in trial.panels[:k]]
    words, query = words_of(trial, str.split), trial.query.things[0]
    may = {
        (word, place): may_mean(word, [(item, thing[place]) for item, thing in heard], name)
        for place, name in enumerate(ATTRIBUTES)
        for word in words
    }
    right = [any(value in may[option, place] for place, value in enumerate(query)) for option in trial.options]
    return [[value in may[word, place] for place, value in EVERY_VALUE] for word in words], right


def tried(trial, k, words, meanings, true):
    """What is left of all injective lexicons, where ``true(scene, text, lexicon)`` says what may be said."""
    left = [
        lexicon
        for lexicon in injective(words, meanings)
        if all(true(panel.scene, panel.utterance, lexicon) for panel in trial.panels[:k])
    ]
    right = [any(true(trial.query, option, lexicon) for lexicon in left) for option in trial.options]
    return [[any(lexicon[word] == meaning for lexicon in left) for meaning in meanings] for word in words], right


def six_things(trial, k):
    """Of triples: all 720 ways in which six words can mean six things."""
    words = words_of(trial, lambda text: text.split(" and "))
    things = list(dict.fromkeys(item for scene in trial.scenes for item in scene.things))
    if len(words) != len(things):
        return None

    def true(scene, text, lexicon):
        return {lexicon[word] for word in text.split(" and ")} == set(scene.things)

    return tried(trial, k, words, things, true)


def placed(scene, name, first, last, heed=True) -> bool:
    """Whether a thing of a picture stands so to another one of it; or just that both are there."""
    if first not in scene.things or last not in scene.things or first == last:
        return False
    return not heed or stands(scene, scene.things.index(first), scene.things.index(last), name)


def three_relations(trial, k):
    def true(scene, utterance, lexicon):
        color, shape, word, other_color, other_shape = utterance.split()
        (first,) = (thing for thing in scene.things if (thing.color, thing.shape) == (color, shape))
        (last,) = (thing for thing in scene.things if (thing.color, thing.shape) == (other_color, other_shape))
        return placed(scene, lexicon[word], first, last)

    return tried(trial, k, words_of(trial, lambda utterance: [utterance.split()[2]]), RELATIONS, true)


def counts(trial, k):
    words, meanings = words_of(trial, str.split), range(1, PANELS + 1)
    return tried(trial, k, words, meanings, lambda scene, word, lexicon: lexicon[word] == len(scene.things))


def pairs_of_attributes(trial, k):
    """Of two-word names: all maps of the words of each place to values of each attribute, joined."""
    words = [words_of(trial, lambda speech, side=side: [speech.split()[side]]) for side in (0, 1)]
    may, right, left = {}, [False] * OPTIONS, set()
    for frame in permutations(range(len(ATTRIBUTES)), 2):
        meanings, possible = {}, True
        for side, place in enumerate(frame):
            speech = [(panel.utterance.split()[side], panel.scene.things[0][place]) for panel in trial.panels[:k]]
            meanings |= {word: (place, may_mean(word, speech, ATTRIBUTES[place])) for word in words[side]}
            possible &= all(meanings[word][1] for word, _ in speech)
        if possible:
            left.add(frame)
            for word, (place, values) in meanings.items():
                may.setdefault(word, set()).update((place, value) for value in values)
            for n, option in enumerate(trial.options):
                means = [meanings[word] for word in option.split()]
                right[n] |= all(trial.query.things[0][place] in values for place, values in means)
    return [[column in may.get(word, ()) for column in EVERY_VALUE] for word in [*words[0], *words[1]]], right, left


def two_of_three(trial, k, heed=True):
    """Of sentences of two named things: all injective lexicons of the heard words; or all, if nobody heeds places."""
    words = words_of(trial, lambda speech: speech.split()[::2])
    things = list(dict.fromkeys(item for scene in trial.scenes for item in scene.things))
    speech = [panel.utterance.split() for panel in trial.panels[:k]]
    heard = list(dict.fromkeys(word for item in speech for word in item[::2]))
    candidates = {
        word: [
            thing for thing in things
            if all(thing in panel.scene.things for panel in trial.panels[:k] if word in panel.utterance.split())
        ]
        for word in heard
    }  # fmt: skip
    left = []
    for meanings in product(*candidates.values()):
        lexicon = dict(zip(heard, meanings, strict=True))
        if len(set(meanings)) == len(meanings) and all(
            placed(panel.scene, name, lexicon[subject], lexicon[landmark], heed)
            for panel, (subject, name, landmark) in zip(trial.panels, speech, strict=False)
        ):
            left.append(lexicon)

    def can(lexicon, word, thing):
        return lexicon[word] == thing if word in lexicon else thing not in lexicon.values()

    def right(option):
        subject, name, landmark = option.split()
        ways = [(a, b) for a, b in permutations(trial.query.things, 2) if placed(trial.query, name, a, b, heed)]
        return any(can(item, subject, a) and can(item, landmark, b) for item in left for a, b in ways)

    return [[any(can(item, word, thing) for item in left) for thing in things] for word in words], list(
        map(right, trial.options)
    )


def pointed(trial, k, least):
    """Of a thing pointed at: a word heard is true of it and not of so many others; the exhaustive one is its own."""
    words, heard = words_of(trial, str.split), {panel.utterance: panel.scene for panel in trial.panels[:k]}

    def true(scene, value):
        rest = [thing for n, thing in enumerate(scene.things) if n != scene.target]
        return value in scene.things[scene.target] and sum(value not in thing for thing in rest) >= least

    values = [value for _, value in EVERY_VALUE]
    taken = {value for scene in heard.values() for value in values if least == 2 and true(scene, value)}
    may = {word: [v for v in values if (true(heard[word], v) if word in heard else v not in taken)] for word in words}
    right = [any(true(trial.query, value) for value in may[option]) for option in trial.options]
    return [[value in may[word] for value in values] for word in words], right


def test_after_six_panels_the_options_are_those_of_the_exact_solver_and_so_with_fewer(made, task, profile):
    several = 0
    for episode in made(task, profile, 60):
        trial = episode.trial
        space = hypotheses.space(trial)
        assert tuple(space.options[PANELS]) == module(task).solve(trial)[1]
        assert space.options[:, episode.answer].all(), "what is right is never ruled out"
        for k in (1, 3, 5):
            few = replace(trial, panels=trial.panels[:k] + trial.panels[:1] * (PANELS - k))
            left = module(task).solve(few)[1]
            assert tuple(space.options[k]) == left
            several += sum(left) > 1
    assert several > 30


def test_what_is_struck_out_stays_so_and_says_why_and_by_which_panel(made, task, profile):
    for episode in made(task, profile, 12):
        space = hypotheses.space(episode.trial)
        assert space.alive.shape == (7, len(space.rows), len(space.columns)) and space.options.shape == (7, 5)
        sides = [(space.alive, np.array(space.why)), (space.about, np.array(space.about_why)),
                 (space.options, np.array(space.option_why))]  # fmt: skip
        for alive, why in sides:
            assert (alive[1:] <= alive[:-1]).all() and alive[0].all()
            fell = hypotheses.struck(alive)
            for n, reason in zip(fell.ravel(), why.ravel(), strict=True):
                assert reason.startswith(f"Panel {n}: ") and reason.endswith(".") if n <= PANELS else reason == ""
        if space.groups:
            assert sum(wide for _, wide in space.groups) == len(space.columns)


@pytest.mark.parametrize(
    ("task", "force"),
    [("shape", one_attribute), ("material", one_attribute), ("object", six_things), ("relation", three_relations),
     ("number", counts), ("bootstrap", two_of_three)],
)  # fmt: skip
def test_at_every_panel_the_space_is_what_brute_force_leaves(made, task, force, profile):
    tried = 0
    for episode in made(task, profile, 20):
        space = hypotheses.space(episode.trial)
        for k in range(PANELS + 1):
            result = force(episode.trial, k)
            if result is not None:
                alive, right = result
                np.testing.assert_array_equal(space.alive[k], alive, f"{task} {episode.number}, {k} panels")
                assert space.options[k].tolist() == right, (task, episode.number, k)
                tried += 1
    assert tried >= 2 * (PANELS + 1)


def test_who_heeds_no_places_keeps_what_brute_force_does(made, profile):
    for episode in made("bootstrap", profile, 30):
        assert list(bootstrap.solve_together(episode.trial)[1]) == two_of_three(episode.trial, PANELS, False)[1]


def test_pairs_of_attributes_are_what_brute_force_leaves(made, profile):
    frames = list(permutations(range(len(ATTRIBUTES)), 2))
    for episode in made("composite", profile, 16):
        space = hypotheses.space(episode.trial)
        for k in range(PANELS + 1):
            alive, right, left = pairs_of_attributes(episode.trial, k)
            np.testing.assert_array_equal(space.alive[k], alive)
            assert space.options[k].tolist() == right
            assert [frame in left for frame in frames] == space.about[k].tolist()
        assert space.abouts[0] == "shape · color"


@pytest.mark.parametrize(
    ("reading", "least", "solve"),
    [("exhaustive", 2, pragmatic.solve), ("informative", 1, pragmatic.SOLVERS["informative"]),
     ("literal", 0, pragmatic.SOLVERS["literal"])],
)  # fmt: skip
def test_a_reading_leaves_what_its_solver_does_and_brute_force_at_every_panel(made, profile, reading, least, solve):
    for episode in made("pragmatic", profile, 30):
        space = hypotheses.space(episode.trial, reading)
        may, options = solve(episode.trial)
        assert tuple(space.options[PANELS]) == options
        rows = zip(space.rows, space.alive[PANELS], strict=True)
        assert {word: frozenset(np.array(space.columns)[row]) for word, row in rows} == may
        with pytest.raises(InputError, match="exhaustive"):
            hypotheses.space(episode.trial, "charitable")
        for k in range(PANELS + 1):
            alive, right = pointed(episode.trial, k, least)
            assert (space.alive[k] == alive).all() and space.options[k].tolist() == right


def test_what_the_words_are_about_is_what_the_exact_solver_says(made):
    for episode in (episode for task in ATTRIBUTES[:3] for episode in made(task, "verified", 12)):
        space, (places, _) = hypotheses.space(episode.trial), module(episode.task).solve(episode.trial)
        left = [name for name, alive in zip(space.abouts, space.about[PANELS], strict=True) if alive]
        assert [ATTRIBUTES[place] for place in places] == left


def test_a_shortcut_keeps_what_its_leak_does_and_says_so_of_each_option(made, task, profile):
    for episode in made(task, profile, 12):
        leaks = module(task).leaks(episode.trial)
        shortcuts = hypotheses.shortcuts(episode.trial)
        masks = {name: tuple(map(bool, left)) for name, left in leaks.items()}
        assert {shortcut.name: shortcut.keeps for shortcut in shortcuts} == masks
        for shortcut in shortcuts:
            assert shortcut.does.endswith(".") and len(shortcut.why) == OPTIONS
            flags = [reason.split(":")[0] == "Kept" for reason in shortcut.why]
            assert flags == list(shortcut.keeps) and not any("{" in reason for reason in shortcut.why)


def test_mention_order_keeps_what_trying_all_orders_of_words_does(made, profile):
    for episode in made("bootstrap", profile, 30):
        pairs, options = (
            [tuple(text.split()[::2]) for text in texts] for texts in (episode.trial.utterances, episode.trial.options)
        )
        words = sorted({word for pair in (*pairs, *options) for word in pair})
        places = (dict(zip(order, range(len(words)), strict=True)) for order in permutations(words))
        rows = [[at[a] < at[b] for a, b in options] for at in places if all(at[a] < at[b] for a, b in pairs)]
        joint = [[k == right for k in range(OPTIONS)] in rows for right in range(OPTIONS)]
        surely, perhaps = ([test(row[k] for row in rows) for k in range(OPTIONS)] for test in (all, any))
        masks = {"joint": joint if any(joint) else [True] * OPTIONS, "closure": surely if any(surely) else perhaps}
        assert {name: list(left) for name, left in module("bootstrap").leaks(episode.trial).items()} == masks


def test_relation_without_its_panels_keeps_what_most_worlds_make_the_only_truth(made, profile):
    ways = list(permutations(range(3)))
    for episode in made("relation", profile, 8):
        trial, triples = episode.trial, [relation.read(option) for option in episode.trial.options]
        names = [f"{thing.color} {thing.shape}" for thing in trial.query.things]
        words = words_of(trial, lambda text: [text.split()[2]])
        true = {name: [row(trial.query, name).index(k) for k in range(3)] for name in ("left", "front")}
        for shortcut, worlds in (("text", product(ways, ways)), ("query", [(true["left"], true["front"])])):
            counts = np.zeros(OPTIONS, int)
            for (across, deep), lexicon in product(worlds, injective(words, RELATIONS)):
                at = {"left": across, "right": [-k for k in across], "front": deep, "behind": [-k for k in deep]}
                so = [at[lexicon[word]][names.index(a)] < at[lexicon[word]][names.index(b)] for a, word, b in triples]
                counts += np.array(so) * (sum(so) == 1)
            assert list(module("relation").leaks(trial)[shortcut]) == (counts == counts.max()).tolist()
