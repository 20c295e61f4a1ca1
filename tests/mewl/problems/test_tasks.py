"""Episodes of every task are built as published, or without its faults; what listeners make of them, by hand.

That solvers agree with trying all lexicons is in `test_hypotheses`.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from cogkit.mewl.problems import making, tasks
from cogkit.mewl.problems.episodes import Episode, Panel, Trial
from cogkit.mewl.problems.tasks import attribute, pragmatic
from cogkit.mewl.world import geometry, words
from cogkit.mewl.world.scenes import RELATIONS, Scene, stands
from cogkit.mewl.world.things import ATTRIBUTE_OF, ATTRIBUTES, Thing

N = 120


def utterances(episode: Episode) -> list[str]:
    return [panel.utterance for panel in episode.trial.panels]


def test_what_every_episode_is(task, profile, made):
    places = Counter()
    for episode in made(task, profile, N):
        question = episode.trial
        assert len(question.panels) == 6 and len(set(question.options)) == 5 and question.task == task
        assert all(geometry.clear(scene) for scene in question.scenes)
        assert all(scene.recorded == (profile == "as_published") for scene in question.scenes)
        assert tasks.module(task).solve(question)[1][episode.answer]
        assert len(set(episode.lexicon.values())) == len(episode.lexicon)
        places[episode.answer] += 1
        if profile == "verified":
            assert set(episode.lexicon) <= question.heard and not set(episode.lexicon) & words.english()
            assert episode.certificate["consistent"]["exact"] == 1
    share = np.array([places[k] for k in range(5)]) / N
    assert np.abs(share - 0.2).max() < 4 * np.sqrt(0.16 / N)


def test_an_episode_is_its_seed_alone(task):
    first, again = (making.episode(task, 3, seed=5, part="val") for _ in range(2))
    assert first == again
    variants = [making.episode(task, 4, seed=5, part="val"), making.episode(task, 3, seed=6, part="val")]
    variants += [making.episode(task, 3, seed=5, part="test"), making.episode(task, 3, "as_published", 5, "val")]
    assert all(episode.trial != first.trial for episode in variants), task


def test_one_attribute_is_all_that_a_words_pictures_share(profile, made):
    for episode in (episode for task in ATTRIBUTES[:3] for episode in made(task, profile, N)):
        question, place = episode.trial, ATTRIBUTES.index(episode.task)
        things = [panel.scene.things[0] for panel in question.panels]
        assert len({*things, question.query.things[0]}) == 7
        pairs = list(zip(utterances(episode), things, strict=True))
        assert all(episode.lexicon[word] == thing[place] for word, thing in pairs)
        groups = {word: [thing for name, thing in pairs if name == word] for word in episode.lexicon}
        assert [k for k in range(4) if all(len({t[k] for t in g}) == 1 for g in groups.values())] == [place]
        assert sorted(word in episode.lexicon for word in question.options) == [False, False, True, True, True]
        assert episode.lexicon[question.options[episode.answer]] == question.query.things[0][place]
        if profile == "verified":
            assert {len(group) for group in groups.values()} == {2}


def test_object_says_three_of_six(profile, made):
    same = []
    for episode in made("object", profile, N):
        phrases = [tuple(text.split(" and ")) for text in utterances(episode)]
        for panel, triple in zip(episode.trial.panels, phrases, strict=True):
            assert {episode.lexicon[word] for word in triple} == set(panel.scene.things)
            same.append([episode.lexicon[word] for word in triple] == list(panel.scene.things))
        triples = [frozenset(text.split(" and ")) for text in [*utterances(episode), *episode.trial.options]]
        assert len(set(triples)) == 11
    assert all(same) if profile == "as_published" else abs(np.mean(same) - 1 / 6) < 4 * np.sqrt(5 / 36 / len(same))


def test_composite_names_two_values_in_one_order(profile, made):
    for episode in made("composite", profile, N):
        attributes = [[ATTRIBUTE_OF[episode.lexicon[word]] for word in text.split()] for text in utterances(episode)]
        assert len({tuple(pair) for pair in attributes}) == 1
        assert "size" not in attributes[0] and len(set(attributes[0])) == 2
        for panel in episode.trial.panels:
            assert all(episode.lexicon[word] in panel.scene.things[0] for word in panel.utterance.split())
        names = set(utterances(episode))
        unseen = sum(option not in names for option in episode.trial.options)
        assert episode.trial.options[episode.answer] not in names
        assert (len(names), unseen) == ((6, 3) if profile == "as_published" else (4, 5))


def test_relation_says_what_is_so_in_two_pictures_a_word(profile, made):
    blocks = []
    for episode in made("relation", profile, N):
        truths: dict[str, set[str]] = {}
        for panel in episode.trial.panels:
            color, shape, word, *landmark = panel.utterance.split()
            names = [f"{thing.color} {thing.shape}" for thing in panel.scene.things]
            i, j = names.index(f"{color} {shape}"), names.index(" ".join(landmark))
            assert stands(panel.scene, i, j, episode.lexicon[word])
            so = {relation for relation in RELATIONS if stands(panel.scene, i, j, relation)}
            truths.setdefault(word, set()).update(so - {episode.lexicon[word]})
        assert len(truths) == 3 and all(len(relations) == 2 for relations in truths.values())
        order = [text.split()[2] for text in utterances(episode)]
        blocks.append(order[0] == order[1] and order[2] == order[3] and order[4] == order[5])
        right = [holds(episode, option) for option in episode.trial.options]
        assert right == [k == episode.answer for k in range(5)]
        if profile == "verified":
            assert all(geometry.agrees(panel.scene) for panel in episode.trial.panels)
            assert max(episode.certificate["floors"].values()) <= 1 / 3 + 1e-9
    assert all(blocks) if profile == "as_published" else abs(np.mean(blocks) - 1 / 15) < 4 * np.sqrt(14 / 225 / N)


def holds(episode: Episode, option: str) -> bool:
    color, shape, word, *landmark = option.split()
    scene = episode.trial.query
    names = [f"{thing.color} {thing.shape}" for thing in scene.things]
    return stands(scene, names.index(f"{color} {shape}"), names.index(" ".join(landmark)), episode.lexicon[word])


def test_bootstrap_says_what_is_so_of_two_of_three(profile, made):
    for episode in made("bootstrap", profile, N):
        place = {word: k for k, word in enumerate(episode.lexicon)}
        for text, scene in [*((p.utterance, p.scene) for p in episode.trial.panels),
                            (episode.trial.options[episode.answer], episode.trial.query)]:  # fmt: skip
            subject, relation, landmark = text.split()
            i, j = (scene.things.index(episode.lexicon[word]) for word in (subject, landmark))
            assert stands(scene, i, j, relation) and len(scene.things) == 3
            if profile == "as_published":
                assert place[subject] > place[landmark]
                assert scene.things[:2] == (episode.lexicon[landmark], episode.lexicon[subject])
        wrong = [option.split() for k, option in enumerate(episode.trial.options) if k != episode.answer]
        if profile == "as_published":
            assert all(place[subject] < place[landmark] for subject, _, landmark in wrong)
        else:
            pairs = Counter(frozenset(text.split()[::2]) for text in utterances(episode))
            assert sorted(pairs.values()) == [2, 2, 2] and len(set(utterances(episode))) == 6
            assert len({option.split()[1] for option in episode.trial.options}) == 1
            assert not any(frozenset(option.split()[::2]) in pairs for option in episode.trial.options)
            assert episode.certificate["consistent"]["together"] > 1


def test_number_counts_and_pragmatic_points(profile, made):
    for episode in made("number", profile, N):
        counts = [len(panel.scene.things) for panel in episode.trial.panels]
        assert sorted(counts) == [1, 2, 3, 4, 5, 6]
        assert [episode.lexicon[text] for text in utterances(episode)] == counts
        assert episode.lexicon[episode.trial.options[episode.answer]] == len(episode.trial.query.things)
    for episode in made("pragmatic", profile, N):
        for panel in episode.trial.panels:
            scene, value = panel.scene, episode.lexicon[panel.utterance]
            assert [value in thing for thing in scene.things].count(True) == 1 and value in scene.things[scene.target]
            assert pragmatic.excluding(scene, 2) == {value}
        assert len({*map(ATTRIBUTE_OF.get, episode.lexicon.values())}) >= 2


def test_rational_speech_acts_by_hand():
    things = (
        Thing("cube", "red", "glass", "small"),
        Thing("cube", "red", "glass", "large"),
        Thing("cube", "blue", "metal", "large"),
    )

    def scene(target: int):
        return Scene(things, ((0, 0), (1, 1), (2, 2)), (0, 0, 0), hand=(3, 3), target=target)

    # speaker for the first: cube is true of 3, red and glass of 2, small of 1: 1/3, 1/2, 1/2, 1 over 7/3
    first = {"cube": 1 / 7, "red": 3 / 14, "glass": 3 / 14, "small": 3 / 7}
    second = {"cube": 1 / 3, "red": 1 / 2, "glass": 1 / 2, "large": 1 / 2}
    second = {value: share / sum(second.values()) for value, share in second.items()}
    question = Trial("pragmatic", (Panel(scene(0), "pado"), Panel(scene(1), "kelo")), scene(0), ("pado", "kelo"))
    scores = [sum(p * first.get(v, 0) for v, p in chances.items()) for chances in (first, second)]
    assert np.allclose(pragmatic.rational(question), np.array(scores) / sum(scores))
    assert pragmatic.rational(question, 8)[0] > 0.99
    assert pragmatic.solve(question, least=0)[1] == (True, True) and pragmatic.solve(question)[1] == (True, False)


def test_an_open_mind_needs_contrast():
    def trial(*pairs, query):
        panels = tuple(Panel(Scene((thing,), ((0, 0),), (0,)), word) for thing, word in pairs)
        return Trial("shape", panels, Scene((query,), ((0, 0),), (0,)), ("pado", "kelo", "mima"))

    cube, ball = Thing("cube", "red", "glass", "small"), Thing("sphere", "blue", "metal", "small")
    question = trial((cube, "pado"), (ball, "kelo"), query=Thing("cube", "blue", "rubber", "large"))
    may, fits = attribute.solve_open(question)
    assert may == {"pado": {"cube", "red", "glass"}, "kelo": {"sphere", "blue", "metal"}}
    assert fits == (True, True, False)
    unlike = Thing("cylinder", "gray", "rubber", "large")
    assert attribute.solve_open(trial((cube, "pado"), (ball, "kelo"), query=unlike))[1] == (False, False, True)
