"""`Explorer` and `TrainPanel` without a browser: what they show is what the learner answers, trial by trial."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, training
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import PROBED, Design
from cogkit.equivalence.views import Explorer, TrainPanel

DESIGN = Design()


class Told:
    """A learner whose chances follow from the tokens by a formula, five answers being no option."""

    name, kind, inputs = "told", "model", "symbols"

    def choose(self, question):
        tokens = np.column_stack([question.comparisons, np.tile([3, 5, 7, 11, 13], (len(question), 1))])
        weight = (tokens * 37 + np.asarray(question.sample)[:, None] * 11) % 23 + 1.0
        return weight / weight.sum(axis=1, keepdims=True)

    def as_published(self, seed):
        return self


@pytest.fixture(scope="module")
def trials():
    return records.probe(DESIGN, 5, seeding.stream(0, "look"))


@pytest.fixture
def explorer(trials):
    return Explorer(Told(), trials)


def test_a_chosen_pair_has_its_own_trials_with_the_learners_chances(explorer, trials):
    sentence = explorer.choose("C", "A")
    frame, part = explorer.to_frame(), trials[trials.pair == 2 * 7]
    columns = ["sample", "comparison_1", "comparison_2", "comparison_3", "response"]
    expected = dict(zip(map(tuple, part.frame()[columns].to_numpy()), Told().choose(part.question()), strict=True))
    assert len(frame) == len(expected) == 20
    chances_right = []
    for row in frame.to_dict("records"):
        chances = [row["chance_1"], row["chance_2"], row["chance_3"], row["chance_none"]]
        reference = expected[tuple(row[column] for column in columns)]
        assert chances == pytest.approx([*reference[:3], reference[3:].sum()])
        chances_right.append(chances[int(row["response"][-1]) - 1])
        assert row["forced choice"] in 1 + np.flatnonzero(np.isclose(chances[:3], max(chances[:3])))
        assert row["argmax"] in (0, row["forced choice"])
    assert chances_right == sorted(chances_right)  # the hardest first
    right = (frame["argmax"] == frame.response.str[-1].astype(int)).mean()
    assert explorer.matrix[2, 0] == pytest.approx(right)
    assert sentence == f"Sample C, comparison A: equivalence, 1 between, {right:.3f} right in 20 trials, random."
    assert explorer.scene["status"] == sentence


def test_pages_show_six_trials_of_the_frame_and_end_where_it_does(explorer):
    explorer.choose("A", "G")
    trials = list(explorer.scene["trials"])
    for _ in range(3):
        explorer.turn()
        trials += explorer.scene["trials"]
    explorer.turn()
    assert explorer.page == 3 and explorer.scene["status"] == "Sample A, comparison G: trials 19 to 20 of 20."
    for trial, row in zip(trials, explorer.to_frame().to_dict("records"), strict=True):
        assert trial["sample"] == row["sample"] and trial["options"][trial["right"]][0] == "G"
        assert trial["chances"] == pytest.approx([row[f"chance_{k}"] for k in (1, 2, 3, "none")], abs=6e-4)
        assert [place + 1 for place in trial["given"]] == [row[rule] for rule in explorer.scene["rules"]]


def test_each_rule_has_its_own_heatmap(explorer, trials):
    assert explorer.still["rules"] == ["argmax", "forced choice", "expected", "as published"]
    for rule in explorer.still["rules"]:
        profile = "as_published" if rule == "as published" else "verified"
        expected = scoring.judge(Told(), trials, profile=profile).matrix(rule)
        explorer.use(rule)
        np.testing.assert_allclose(explorer.matrix, expected)
        assert explorer.heat["texts"] == [f"{share:.3f}" for share in expected.ravel()]
    with pytest.raises(InputError, match="answer rule"):
        explorer.use("guessing")


def test_it_opens_at_the_pair_that_is_worst_and_messages_do_what_methods_do(explorer, page):
    assert explorer.matrix.ravel()[explorer.pair] == explorer.matrix.min()
    page(explorer, {"look_at": 8})
    assert explorer.scene["status"].startswith("Sample B, comparison B: reflexivity, ")
    page(explorer, {"turn": 1})
    page(explorer, {"use": "expected"})
    assert explorer.rule == "expected" and explorer.pair == 8 and explorer.page == 1


def test_unknown_members_and_pairs_that_were_not_asked_are_refused(trials):
    explorer = Explorer(Told(), trials[trials.pair != 2 * 7])  # all but C with A
    assert explorer.heat["texts"][14] == "" and explorer.heat["bands"][14] == ""
    for pair in ("CA", "HA"):
        with pytest.raises(InputError, match=f"wanted a pair among the trials .*got '{pair}'"):
            explorer.choose(*pair)


@pytest.mark.usefixtures("one_thread")
def test_the_panel_shows_the_view_of_the_run_and_the_curves_of_its_log():
    config = agents.config("gpt", "quick", design=DESIGN, width=16, layers=1, heads=2, steps=6)
    fit = training.train(config, seed=0, evaluate_every=2)
    panel = TrainPanel(fit, DESIGN, {"associative": 0.889})
    assert panel.scene["texts"] == [""] * 49 and panel.scene["told"].endswith("not taken yet.")
    result = asyncio.run(panel.train())
    shares = result.state.arrays["heat"]
    assert [float(text) for text in panel.scene["texts"]] == pytest.approx(shares.ravel().tolist(), abs=0.0051)
    curves = {curve["label"]: curve for curve in panel.scene["curves"]}
    log = result.log.dropna()
    for series in curves["Share right (better ↑)"]["series"]:
        assert [p[1] for p in series["points"]] == pytest.approx(log[series["name"]].tolist(), rel=1e-3)
    lines = [line["label"] for line in curves["Share right (better ↑)"]["lines"]]
    assert lines == ["chance 0.3333", "associative 0.889"]
    counts = shares * PROBED * DESIGN.classes  # whole numbers of trials, 6 of each pair and class
    np.testing.assert_allclose(counts, counts.round(), atol=1e-9)
