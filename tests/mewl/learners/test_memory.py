"""The nearest training episode against a loop, and its answers in other words and another order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from cogkit import mewl
from cogkit.mewl.learners.memory import NearestEpisode, canonical
from cogkit.mewl.problems import making, splits
from cogkit.mewl.problems.captions import outline
from cogkit.mewl.problems.episodes import Question
from cogkit.mewl.scoring import judge


def renamed(trial):
    """The same episode with its panels turned round and every word turned round."""

    def other(text):
        return " ".join(word[::-1] for word in text.split())

    panels = tuple(replace(panel, utterance=other(panel.utterance)) for panel in reversed(trial.panels))
    return replace(trial, panels=panels, options=tuple(map(other, trial.options)))


@pytest.mark.parametrize("task", ["shape", "composite", "number", "relation"])
def test_an_episode_in_other_words_is_the_same_episode(task):
    for episode in making.episodes_of(task, n=8):
        other = renamed(episode.trial)
        assert canonical(other) == canonical(episode.trial) and outline(other) == outline(episode.trial)
        first, second, *rest = episode.trial.panels
        changed = replace(episode.trial, panels=(replace(first, scene=second.scene), second, *rest))
        assert outline(changed) != outline(episode.trial)
        assert not {word[::-1] for word in episode.trial.heard} & episode.trial.heard


def nearest_by_loop(training, trial):
    """The share of each option among the right answers of the episodes that agree in most words, in loops."""
    made, alike = canonical(trial), []
    for episode in training:
        other = canonical(episode.trial)
        alike.append((len({*made.features} & {*other.features}), other.options[episode.answer]))
    answers = Counter(answer for n, answer in alike if n == max(alike)[0])
    shares = [answers[option] / max(made.options.count(option), 1) for option in made.options]
    return np.array(shares)


@pytest.mark.parametrize("task", ["color", "object"])
def test_the_nearest_episodes_answer_as_a_loop_finds_them(task):
    training, test = making.episodes_of(task, "train", 60), making.episodes_of(task, n=25)
    floor, right = NearestEpisode(training), []
    for episode in test:
        trial = episode.trial
        (scores,) = floor.score(Question((task,), (trial.scenes,), (trial.utterances,), (trial.options,)))
        assert scores == pytest.approx(nearest_by_loop(training, trial))
        right.append(scores.argmax() == episode.answer)
    assert judge(floor, training).score.mean() == 1 > np.mean(right)


def test_rows_have_the_rung_of_their_task():
    rows = mewl.results(profile="verified")
    assert rows[rows.task == "number"].split.eq(splits.names()[7]).all()
    assert rows[rows.task == "composite/unseen pair"].rung.eq("composition").all()
