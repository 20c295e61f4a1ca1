"""`Explorer` and `TrainPanel` without a browser: what they show is what the learner answers, trial by trial."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, training
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import PROBED, Design
from cogkit.equivalence.views import Explorer, TrainPanel
from cogkit.learning import run

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


def by_hand(trials, sample: str, comparison: str) -> dict[tuple, list[float]]:
    """Return the chances of every trial of a pair, by its five tokens' names, with a plain loop."""
    names, chances = DESIGN.tokens, {}
    for tokens in trials.tokens.tolist():
        trial = [names[token] for token in tokens]
        right = trial[1 + int(trial[4][-1]) - 1]
        if trial[0][0] == sample and right[0] == comparison:
            answers = [*tokens[1:4], 3, 5, 7, 11, 13]
            weights = [(answer * 37 + tokens[0] * 11) % 23 + 1.0 for answer in answers]
            chances[tuple(trial)] = [w / sum(weights) for w in (*weights[:3], sum(weights[3:]))]
    return chances


def test_a_chosen_pair_has_its_own_trials_with_the_learners_chances(explorer, trials):
    sentence = explorer.choose("C", "A")
    frame, expected = explorer.to_frame(), by_hand(trials, "C", "A")
    assert len(frame) == len(expected) == 20
    chances_right = []
    for row in frame.to_dict("records"):
        key = (row["sample"], *(row[f"comparison_{k}"] for k in (1, 2, 3)), row["response"])
        chances = [row["chance_1"], row["chance_2"], row["chance_3"], row["chance_none"]]
        assert chances == pytest.approx(expected[key])
        place = int(row["response"][-1])
        chances_right.append(chances[place - 1])
        assert row["forced choice"] in 1 + np.flatnonzero(np.isclose(chances[:3], max(chances[:3])))
        assert row["argmax"] in (0, row["forced choice"])
    assert chances_right == sorted(chances_right)  # the hardest first
    right = (frame["argmax"] == frame.response.str[-1].astype(int)).mean()
    assert explorer.matrix[2, 0] == pytest.approx(right)
    assert sentence == f"Sample C, comparison A: equivalence, 1 between, {right:.3f} right in 20 trials, random."
    assert explorer.scene["status"] == sentence


def test_pages_show_six_trials_of_the_frame_and_end_where_it_does(explorer):
    explorer.choose("A", "G")
    frame = explorer.to_frame()
    trials = list(explorer.scene["trials"])
    while explorer.page < 3:
        explorer.turn()
        trials += explorer.scene["trials"]
    explorer.turn()
    assert explorer.page == 3 and explorer.scene["status"] == "Sample A, comparison G: trials 19 to 20 of 20."
    assert len(trials) == 20 and explorer.scene["pages"] == 4
    for trial, row in zip(trials, frame.to_dict("records"), strict=True):
        assert trial["sample"] == row["sample"] and trial["options"][trial["right"]][0] == "G"
        assert trial["chances"] == pytest.approx([row[f"chance_{k}"] for k in (1, 2, 3, "none")], abs=6e-4)
        assert [place + 1 for place in trial["given"]] == [row[rule] for rule in explorer.scene["rules"]]
    explorer.turn(-9)
    assert explorer.page == 0 and explorer.scene["trials"] == trials[:6]


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


def test_it_opens_at_the_pair_that_is_worst_and_messages_do_what_methods_do(explorer):
    assert explorer.matrix.ravel()[explorer.pair] == explorer.matrix.min()
    explorer._handle_custom_msg({"pair": 8}, [])
    assert explorer.scene["status"].startswith("Sample B, comparison B: reflexivity, ")
    explorer._handle_custom_msg({"turn": 1}, [])
    assert explorer.page == 1
    explorer._handle_custom_msg({"rule": "expected"}, [])
    assert explorer.rule == "expected" and explorer.pair == 8 and explorer.page == 1


def test_unknown_members_and_pairs_that_were_not_asked_are_refused(trials):
    part = trials[trials.pair != 2 * 7]  # all but C with A
    explorer = Explorer(Told(), part)
    assert explorer.heat["texts"][14] == "" and explorer.heat["bands"][14] == ""
    with pytest.raises(InputError, match="the pair CA, which was not asked"):
        explorer.choose("C", "A")
    with pytest.raises(InputError, match="member"):
        explorer.choose("H", "A")


def test_only_the_chosen_pair_travels_and_little_of_it(trials):
    explorer = Explorer(Told(), trials)
    assert all(trial["sample"][0] == "D" for trial in explorer.choose("D", "E") and explorer.scene["trials"])
    assert len(json.dumps(explorer.scene)) < 2_000 and len(json.dumps(explorer.still)) < 15_000
    assert len(Explorer._esm.encode()) < 15_000 and len(TrainPanel._esm.encode()) < 15_000


@pytest.mark.usefixtures("one_thread")
def test_the_panel_shows_the_view_of_the_run_and_the_curves_of_its_log():
    config = agents.config("gpt", "quick", design=DESIGN, width=16, layers=1, heads=2, iterations=6)
    fit = training.train(config, seed=0, evaluate_every=2)
    panel = TrainPanel(fit, DESIGN, {"associative": 0.889})
    assert panel.scene["texts"] == [""] * 49 and panel.scene["told"].endswith("not taken yet.")
    result = asyncio.run(panel.train())
    shares = result.state.arrays["heat"]
    assert [float(text) for text in panel.scene["texts"]] == pytest.approx(shares.ravel().tolist(), abs=0.0051)
    bands = ["mastery" if s >= 0.9 else "soft mastery" if s >= 0.7 else "random" for s in shares.ravel()]
    assert [b if b != "above random" else "random" for b in panel.scene["bands"]] == bands
    curves = {curve["label"]: curve for curve in panel.scene["curves"]}
    log = result.log.dropna()
    for series in curves["Share right (better ↑)"]["series"]:
        assert [p[1] for p in series["points"]] == pytest.approx(log[series["name"]].tolist(), rel=1e-3)
    assert [line["label"] for line in curves["Share right (better ↑)"]["lines"]] == [
        "chance 0.3333",
        "associative 0.889",
    ]
    numbers = dict(panel.scene["numbers"])
    assert float(numbers["Symmetry"]) == pytest.approx(log["symmetry"].iloc[-1], abs=6e-4)


def test_a_cell_of_the_panel_holds_as_many_trials_as_an_evaluation_asks():
    """An evaluation's shares are whole numbers of trials: 6 of each pair and class."""
    config = agents.config("gpt", "quick", design=DESIGN, width=16, layers=1, heads=2, iterations=1)
    heat = run(training.train(config, seed=0, evaluate_every=1)).state.arrays["heat"]
    counts = heat * PROBED * DESIGN.classes
    np.testing.assert_allclose(counts, counts.round(), atol=1e-9)
    assert (counts.round() % 2 == 1).any()  # so it is no multiple of fewer
