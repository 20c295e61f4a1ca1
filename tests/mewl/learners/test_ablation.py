"""What an answer rests on: episodes cut short leave nothing of the panels taken away, and text alone is taken off."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.app.experiments import compare
from cogkit.core.errors import InputError
from cogkit.data import results
from cogkit.mewl import scoring
from cogkit.mewl.learners import ablation
from cogkit.mewl.learners.floors import reference
from cogkit.mewl.paper import reported
from cogkit.mewl.problems import hypotheses, making, observations
from cogkit.mewl.problems.episodes import TASKS
from cogkit.stats import wilson

pytestmark = pytest.mark.usefixtures("one_thread")


def test_the_ideal_learner_cut_short_is_the_version_space_after_as_many_panels(task):
    episodes = making.episodes_of(task, n=8)
    left = np.array([hypotheses.space(episode.trial).options for episode in episodes])
    for panels in (0, 2, 5, 6):
        answers = scoring.judge(ablation.Fewer(reference("ideal-learner"), panels), episodes)
        assert (answers.scores.astype(bool) == left[:, panels]).all(), (task, panels)


class Listening:
    """Gives back what it is shown."""

    kind, name = "model", "listening"

    def __init__(self, inputs: str) -> None:
        self.inputs = inputs

    def score(self, question):
        self.trial = question
        return np.zeros((len(question), 5))


@pytest.mark.parametrize("inputs", ["true slots", "captions", "symbols"])
def test_nothing_of_a_panel_taken_away_is_shown_or_said(inputs):
    episodes, learner = making.episodes_of("object", n=3), Listening(inputs)
    scoring.judge(ablation.Fewer(learner, 2), episodes)
    original, cut = observations.question(episodes, inputs), learner.trial
    assert [names[:2] for names in cut.utterances] == [names[:2] for names in original.utterances]
    assert all(not word for names in cut.utterances for word in names[2:])
    assert cut.options == original.options
    if inputs == "symbols":  # then panels end with what is said
        assert [len(question.panels) for question in cut.trials()] == [2, 2, 2]
        return
    for first, second in zip(cut.observations, original.observations, strict=True):
        assert np.array_equal(first[:2], second[:2]) and np.array_equal(first[6], second[6])
        assert not np.any(first[2:6]) if inputs == "true slots" else first[2:6] == ("",) * 4


def test_who_is_told_the_attribute_needs_a_word_once():
    episodes = making.episodes_of("color", n=60)
    table = ablation.growth([ablation.oracle("color"), reference("ideal-learner")], episodes)
    for panels in range(7):
        by_hand = []
        for episode in episodes:
            names = {panel.scene.things[0].color: panel.utterance for panel in episode.trial.panels[:panels]}
            options, value = episode.trial.options, episode.trial.query.things[0].color
            unheard = [word for word in options if word not in names.values()]
            by_hand.append(1.0 if value in names else 1 / len(unheard))
        informed, uninformed = table[table.panels == panels].value
        assert informed == pytest.approx(np.mean(by_hand)) and informed >= uninformed - 1e-9
    last = table[(table.panels == 6) & (table.who == "ideal learner")].iloc[0]
    assert (last.value, last.n) == (1.0, 60) and last.low == pytest.approx(float(wilson(60, 60)[0]))


def test_chances_are_shared_among_what_is_kept():
    episodes = making.episodes_of("shape", n=4)
    chances = ablation.chances(scoring.judge(reference("elimination"), episodes))
    assert np.allclose(np.sort(chances), [0, 0, 1 / 3, 1 / 3, 1 / 3])
    learner, shares = Listening("captions"), [0.5, 0.2, 0.1, 0.1, 0.1]
    learner.score = lambda question: np.log(np.tile(shares, (len(question), 1)))
    assert np.allclose(ablation.chances(scoring.judge(learner, episodes)), shares)


def test_above_text_alone_is_by_profile_and_keeps_what_is_there():
    rows = compare("mewl/text-alone", "mewl/associative-learner", episodes=20)
    floors = rows[rows.who == "text alone"].assign(profile="as_published", value=0.36)
    table = ablation.above(pd.concat([rows, floors[floors.metric == "accuracy"], reported.result_rows()]))
    assert set(table.metric) == {"accuracy above text alone"}
    people = table[(table.kind == "person") & (table.task == "shape")]
    assert people.value.tolist() == [pytest.approx((0.924 - 0.36) / 0.64)]
    exact = rows[rows.metric == "accuracy above text alone"].set_index(["who", "task"]).value
    again = table[table.profile == "verified"].set_index(["who", "task"]).value
    assert again.sort_index().equals(exact.sort_index())


def test_who_looks_and_tasks_of_several_attributes_are_refused():
    with pytest.raises(InputError, match="input that can be left out"):
        ablation.Fewer(Listening("pixels"), 3)
    with pytest.raises(InputError, match="task with one attribute"):
        ablation.oracle("composite")


def test_parts_are_mean_shares_of_the_runs_in_which_one_thing_is_changed():
    def rows(cell, profile, seed, share):
        common = {"cell": f"mewl/{cell}", "profile": profile, "seed": seed, "metric": "accuracy"}
        return [common | {"task": task, "value": share + k / 100} for k, task in enumerate(TASKS)]

    assert {f"mewl/{cell}" for cell, _ in ablation.PARTS.values()} <= set(
        results.shipped("mewl", preset="lab").cell
    ) | {"mewl/slot-word-learner/together"}
    whole = "slot-word-learner/together"
    table = ablation.parts(pd.DataFrame([
        *rows(whole, "verified", 0, 0.8), *rows(whole, "verified", 1, 0.9), *rows(whole, "as_published", 0, 0.5),
        *rows("parts/data", "verified", 0, 0.3), *rows("slot-word-learner/shape", "verified", 0, 0.1),
        {"cell": f"mewl/{whole}", "profile": "verified", "seed": 0, "metric": "skill", "task": "shape", "value": 0.0},
    ]))  # fmt: skip
    changed = ["none", "few episodes", "published episodes"]
    assert table.changed.tolist() == changed and table.seeds.tolist() == [2, 1, 1]
    assert np.allclose(table[list(TASKS)], np.array([[0.85], [0.3], [0.5]]) + np.arange(9) / 100)
    assert np.allclose(table["mean"], [0.89, 0.34, 0.54])
