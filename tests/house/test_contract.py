"""One contract in all five instruments: judge, answers, summarise; the same names in the same order, the same rows."""

from __future__ import annotations

import dataclasses
import importlib
import inspect

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.core.records import KINDS, RESULT_COLUMNS, SUPERVISION, TRIAL_COLUMNS
from cogkit.study.answers import NO_ANSWER, Answers

OWN = {  # what only one instrument needs: keywords of judge, of summarise, of assess
    "tiles": (["passes", "choose"], ["yardstick", "ideal"], ["passes", "standards"]),
    "bongard": (["evaluation", "images", "shapes"], ["concepts", "shapes"], ["shapes", "look"]),
    "mewl": (["draw"], [], ["n", "part", "draw"]),
    "equivalence": ([], ["trained"], []),
    "generalization": (["name", "kind"], ["resamples"], ["name", "kind"]),
}
METHODS = {"tiles": "act", "bongard": "predict", "mewl": "score", "equivalence": "choose", "generalization": "predict"}
ABSTAINING = ("bongard", "mewl", "equivalence")
ITEM_FIELDS = {"correct", "answer", "certificate", "concept", "y_test", "truth", "given", "positives"}


def scoring(instrument: str):
    return importlib.import_module(f"cogkit.{instrument}.scoring")


def items(instrument: str):
    """Return a few items of an instrument."""
    if instrument == "tiles":
        from cogkit.tiles.rules.boards import Items

        return Items(np.stack([np.eye(7), np.eye(7)[::-1]]), [24, 24], "diagonal/abstract", "test")
    if instrument == "bongard":
        from cogkit.bongard.problems import sets

        return sets.problems("FF", 8)
    if instrument == "mewl":
        from cogkit.mewl.problems import making

        return making.episodes_of("shape", n=8)
    records = importlib.import_module(f"cogkit.{instrument}.problems.records")
    if instrument == "equivalence":
        return records.tests(records.Design(members=3, classes=3))[:40]
    return records.problem("Moons 0", 0)


class Trivial:
    """Gives every answer the same score, in each instrument's shape; keeps what it was shown."""

    name, kind = "trivial", "floor"

    def __init__(self, instrument: str, **attributes):
        self.instrument, self.seen = instrument, []
        if instrument in ("bongard", "mewl", "equivalence"):
            self.inputs = "symbols"
        setattr(self, METHODS[instrument], self.give)
        for name, value in attributes.items():
            setattr(self, name, value)

    def give(self, question, *state):
        self.seen.append(question)
        if self.instrument == "tiles":
            return np.zeros(question.mask.shape), None
        n = len(question)
        answers = {
            "bongard": np.full(n, 0.5), "mewl": np.zeros((n, 5)), "equivalence": np.full((n, 3), 1 / 3),
            "generalization": np.zeros(n, int),
        }[self.instrument]  # fmt: skip
        if getattr(self, "abstains", False):
            answers[: n // 2] = np.nan
        return answers


def shape(function) -> tuple[list[str], dict[str, object]]:
    """Return the names of positional parameters, and the defaults of those by keyword alone, in order."""
    parameters = inspect.signature(function).parameters.values()
    positional = [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
    keywords = {
        parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert len(positional) + len(keywords) == len(parameters)
    return positional, keywords


@pytest.mark.parametrize("instrument", OWN)
def test_the_same_names_in_the_same_order(instrument):
    module, extras = scoring(instrument), OWN[instrument]
    positional, keywords = shape(module.judge)
    assert positional == ["learner", "items"] and list(keywords) == ["profile", "seed", *extras[0]]
    assert (keywords["profile"], keywords["seed"]) == (None, None)  # those of the items
    positional, keywords = shape(module.summarise)
    assert positional == ["answers"] and list(keywords) == extras[1]
    positional, keywords = shape(module.assess)
    assert positional == ["learner", "items"] and list(keywords) == ["profile", "seed", "source", *extras[2]]
    assert (keywords["profile"], keywords["seed"], keywords["source"]) == ("verified", 0, "")
    for function in (module.judge, module.summarise, module.assess):
        assert inspect.Parameter.empty not in shape(function)[1].values()


@pytest.mark.parametrize("instrument", OWN)
def test_learners_are_described_alike(instrument):
    protocol = scoring(instrument).Learner
    assert BaseLearner in protocol.__mro__ and set(vars(protocol)) & set(METHODS.values()) == {METHODS[instrument]}
    assert inspect.signature(scoring(instrument).judge).parameters["learner"].annotation == "Learner"


@pytest.mark.parametrize("instrument", OWN)
@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_learner_goes_the_whole_way(instrument, profile):
    module = scoring(instrument)
    answers = module.judge(Trivial(instrument), items(instrument), profile=profile, seed=3)
    assert isinstance(answers, module.Answers) and issubclass(module.Answers, Answers)
    assert (answers.who, answers.kind, answers.profile, answers.seed) == ("trivial", "floor", profile, 3)
    rows = module.summarise(answers)
    assert tuple(rows.columns) == RESULT_COLUMNS and len(rows) and set(rows.kind) <= {*KINDS} and (rows.n > 0).all()
    run = {"who": "trivial", "instrument": instrument, "profile": profile, "seed": 3, "cell": "", "preset": ""}
    assert {name: set(rows[name]) for name in run} == {name: {value} for name, value in run.items()}
    assert NO_ANSWER not in set(rows.metric)
    trials = answers.to_trials(limit=7)
    assert list(trials) == list(TRIAL_COLUMNS) and len(trials) == 7 and trials.order.tolist() == list(range(7))
    assert set(trials.instrument) == {instrument} and set(trials.profile) == {profile}
    assert set(answers.to_trials(10**6).correct) <= {0, 1}


@pytest.mark.parametrize("instrument", OWN)
def test_rows_say_what_a_learner_was_taught_from(instrument):
    module = scoring(instrument)

    def supervisions(**attributes) -> set[str]:
        answers = module.judge(Trivial(instrument, **attributes), items(instrument))
        return set(module.summarise(answers).supervision)

    assert supervisions() == {""}
    for word in SUPERVISION:
        assert supervisions(kind="model", supervision=word) == {word}
    with pytest.raises(InputError, match="kind of supervision .* did you mean 'answers'"):
        supervisions(supervision="answrs")


@pytest.mark.parametrize("instrument", ["tiles", "bongard", "mewl", "equivalence"])
def test_a_question_names_no_answer(instrument):
    learner = Trivial(instrument)
    scoring(instrument).judge(learner, items(instrument))
    assert learner.seen
    for question in learner.seen:
        assert not {field.name for field in dataclasses.fields(question)} & ITEM_FIELDS


def test_a_player_of_tiles_sees_the_fields_that_it_asked_for_alone():
    learner = Trivial("tiles", inputs=("mask",))
    scoring("tiles").judge(learner, items("tiles"))
    assert all(view.board is view.last_action is view.last_reward is None for view in learner.seen)


@pytest.mark.parametrize("instrument", ABSTAINING)
@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_an_answer_that_did_not_come_is_never_right_and_its_share_is_told(instrument, profile):
    module, questions = scoring(instrument), items(instrument)
    whole = module.judge(Trivial(instrument), questions, profile=profile)
    answers = module.judge(Trivial(instrument, abstains=True), questions, profile=profile)
    assert answers.missing.mean() == 0.5 and not whole.missing.any()
    rows = module.summarise(answers)
    (share,) = rows[(rows.task == answers.task) & rows.metric.str.startswith(NO_ANSWER)].value
    assert share == 0.5
    trials = answers.to_trials(10**6)
    silent = trials.response.isna().to_numpy()
    assert silent.mean() == 0.5 and (trials.correct[silent] == 0).all() and (trials.score[silent] == 0).all()


@pytest.mark.parametrize(("instrument", "share"), [("bongard", 0.25), ("mewl", 0.1)])
def test_half_the_answers_give_half_the_share(instrument, share):
    module = scoring(instrument)
    answers = module.judge(Trivial(instrument, abstains=True), items(instrument))
    assert module.summarise(answers).value[0] == pytest.approx(share)


def test_trials_that_were_not_answered_are_neither_right_nor_hallucinations():
    module = scoring("equivalence")
    answers = module.judge(Trivial("equivalence", abstains=True), items("equivalence"))
    for rule in answers.rules:
        table = answers.cells(rule)
        assert table.n.sum() == 40 and table.other.sum() == 0 and table.right.sum() <= 20
    assert answers.cells("expected").right.sum() == pytest.approx(20 / 3)


@pytest.mark.parametrize("instrument", ABSTAINING)
def test_a_learner_that_does_not_abstain_may_give_no_nan(instrument):
    class Silent(Trivial):
        def give(self, question, *state):
            return np.full_like(super().give(question), np.nan)

    with pytest.raises(InputError, match="not finite"):
        scoring(instrument).judge(Silent(instrument), items(instrument))


def test_rows_of_several_items_have_one_source():
    from sklearn.naive_bayes import GaussianNB

    problem = items("generalization")
    rows = scoring("generalization").assess(GaussianNB(), [problem, problem], source="here")
    assert {row["source"] for row in rows} == {"here"} and {row["who"] for row in rows} == {"GaussianNB"}
    boards = items("tiles")
    for source, expected in (("", "test"), ("here", "here")):
        rows = scoring("tiles").assess(Trivial("tiles"), [boards], source=source)
        assert {row["source"] for row in rows} == {expected}
        assert [row["metric"] for row in rows] == ["blue", "z", "finished"]
