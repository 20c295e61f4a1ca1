"""Naming pictures beside learners: nothing is told before the answer, and a round counts in no result of people."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cogkit.mewl.learners.floors import reference
from cogkit.mewl.people import published as people
from cogkit.mewl.people import study
from cogkit.mewl.views.beside import Beside
from cogkit.mewl.views.learn import Learn
from cogkit.study.trials import Trials


class Third:
    """A network that gives the third name 0.6 of the chance, and the others 0.1 each."""

    name, kind, inputs = "third name", "model", "captions"

    def score(self, question):
        return np.log([[0.1, 0.1, 0.6, 0.1, 0.1]] * len(question))


def beside(trials) -> Beside:
    return Beside("shape", [Third(), reference("ideal-learner"), reference("text-alone")], trials, 4, tests=3)


def test_learners_are_shown_after_each_answer_and_never_before(trials):
    widget = beside(trials)
    for k in range(3):
        scene, episode = widget.scene, widget.sitting.item.episode
        assert scene["phase"] == "answer" and scene["others"] is None and scene["right"] == -1
        assert "third name" not in json.dumps(scene)
        widget.choose((widget.correct + (k == 1)) % 5)
        scene = widget.scene
        others = scene["others"]
        assert [head[2] for head in others["heads"]] == ["third name", "ideal observer", "text alone"]
        assert [name for name, _ in others["rows"]] == list(episode.trial.options)
        heard = [option in episode.trial.heard for option in episode.trial.options]
        for place, (_, cells) in enumerate(others["rows"]):
            third, ideal, text = (share for _, share in cells)
            assert third == pytest.approx(0.6 if place == 2 else 0.1)
            assert ideal == (place == episode.answer) and text == pytest.approx(heard[place] / sum(heard))
            assert cells[0][0] == ("0.60" if place == 2 else "0.10")
        assert scene["right"] == episode.answer and scene["chosen"] == (episode.answer + (k == 1)) % 5
        widget.next()


def test_rounds_are_kept_and_add_up_but_are_no_sitting_of_the_study(trials):
    first = beside(trials)
    assert first.scores().empty
    first.answer(first.correct)
    again = beside(Trials())  # Run All: the round goes on
    assert again.sitting.id == first.sitting.id and again.scene["phase"] == "feedback"
    for right in (False, True):
        again.next()
        again.choose((again.correct + (not right)) % 5)
    again.next()
    fresh = beside(Trials())
    assert fresh.sitting.id != first.sitting.id and fresh.scene["phase"] == "answer"
    (row,) = fresh.scores().to_dict("records")
    assert (row["who"], row["kind"], row["panels"], row["n"]) == ("you", "you", 6, 3)
    assert row["value"] == pytest.approx(2 / 3) and row["low"] < 2 / 3 < row["high"]
    rows = trials.frame()
    assert set(rows["source"]) == {study.BESIDE}
    assert people.log(rows).empty and people.rows(rows).empty and people.errors(rows).empty
    assert study.failures(rows) == {}
    assert Learn("shape", 4, trials, tests=3, attention=0, feedback=True).scene["phase"] == "tutorial"  # its own
