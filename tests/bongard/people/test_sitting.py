"""A person's sitting on Bongard-LOGO: what is asked and stored, what is never told too early, what a kill leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import case

from cogkit.bongard.people import instructions, published, study
from cogkit.bongard.people.sitting import DONE, FEEDBACK, INSTRUCTIONS, LEVELS, Sitting, pictures_of
from cogkit.bongard.people.study import ANSWER, study_of
from cogkit.bongard.problems.records import Items
from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.study.trials import BEGIN, Trials, pseudonym

pytestmark = pytest.mark.usefixtures("use_mirror")
OTHER = {"positive": "negative", "negative": "positive"}


def begin(trials: Trials, each: int = 2, seed: int = 5, **options) -> Sitting:
    return Sitting.begin(study_of(each, **options), seed, trials, "3fa9c2d1")


def truth(sitting: Sitting) -> str:
    """The side of the picture asked about, by looking it up among the pictures of the problem."""
    picture = pictures_of(sitting.item)[2][sitting.query]
    return "positive" if any(picture is positive for positive in sitting.item.problem.positives) else "negative"


def act(sitting: Sitting, k: int = 0) -> None:
    """Do what can be done; every third answer is wrong."""
    if sitting.phase == INSTRUCTIONS:
        sitting.next(rt_s=30.0)
    elif sitting.phase == FEEDBACK:
        sitting.next()
    else:
        side = truth(sitting)
        assert sitting.correct == side
        sitting.answer(side if k % 3 else OTHER[side], confidence=[*LEVELS][k % 4], rt_s=1.25)


def through(sitting: Sitting):
    """Yield the phase at every step, and then act, to the end."""
    k = 0
    while sitting.phase != DONE:
        yield sitting.phase
        act(sitting, k)
        k += 1


# What is asked, in which order


# What is stored


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_rows_are_those_of_the_study(trials, profile):
    sitting = begin(trials, each=1, seed=8, profile=profile)
    assert {item.problem.profile for item in sitting.items} == {profile}
    assert len([*through(sitting)]) == 3 + 6 + 3 and sitting.scene()["head"] == ["All done", "3 problems"]
    rows = trials.frame()
    assert tuple(rows.columns) == TRIAL_COLUMNS and rows.order.tolist() == list(range(1 + 3 + 6))
    assert rows["item"].iloc[0] == BEGIN and rows.response.iloc[0].startswith(f"{profile}/")
    constant = {"who": "3fa9c2d1", "kind": "person", "instrument": "bongard", "seed": 8, "profile": profile}
    assert {name: set(rows[name]) for name in constant} == {name: {value} for name, value in constant.items()}
    pages = rows[[extra.get("phase") == INSTRUCTIONS for extra in rows.extra]]
    assert pages["item"].tolist() == ["instructions/FF", "instructions/BA", "instructions/abstract"]
    assert pages.rt_s.tolist() == [30.0] * 3 and pages.correct.isna().all() and pages.order.tolist() == [1, 4, 7]
    answers = rows[[extra.get("phase") == ANSWER for extra in rows.extra]]
    problems = [sitting.items[k].problem for k in sitting.order]
    names = [Items((problem,), "bongard", "FF").name(0) for problem in problems]  # as in a model's answers
    assert answers["item"].tolist() == [f"{name}/{query}" for name in names for query in (1, 2)]
    assert [extra["done"] for extra in answers.extra] == [False, True] * 3
    for row in answers.itertuples():
        assert row.correct == row.score == float(row.response == row.extra["side"]) and row.rt_s == 1.25
        assert row.extra["confidence"] in LEVELS
    right = published.scores(rows).set_index("task").right.to_dict()
    assert right == answers.correct.groupby(answers.task).mean().to_dict() and len(right) == 3


def test_every_sitting_on_this_computer_is_collected_and_the_readers_own_is_called_you(trials):
    for who in ("3fa9c2d1", pseudonym()):
        assert [*through(Sitting.begin(study_of(1), 8, trials, who))]
    rows = published.collected()
    assert rows.who.unique().tolist() == ["3fa9c2d1", "you"]
    values = [rows[(rows.who == who) & (rows.metric == "accuracy")].value.tolist() for who in rows.who.unique()]
    assert values[0] == values[1] and len(values[0]) == len(study.TYPES)


# What is told, and when


def test_nothing_tells_before_both_answers_are_stored(trials):
    sitting = begin(trials, each=3)
    for phase in through(sitting):
        if phase != ANSWER:
            continue
        scene, item = sitting.scene(), sitting.item
        assert scene["told"] is scene["page"] is None
        first = len(sitting.right) - sitting.query
        right = [marked != (n >= first) for n, marked in enumerate(sitting.right)]
        twin, other = replace(sitting, right=right), replace(item, first=1 - item.first)
        twin.items = [other if entry is item else entry for entry in sitting.items]
        assert twin.scene() == scene  # neither whether the first answer was right can be seen, nor which side is asked


def test_feedback_tells_both_sides_and_the_concept(trials):
    sitting = begin(trials)
    for phase in through(sitting):
        if phase != FEEDBACK:
            continue
        feedback, item = sitting.scene()["told"], sitting.feedback.item
        negatives = item.problem.negatives
        sides = [int(any(one is picture for one in negatives)) for picture in pictures_of(item)[2]]
        assert feedback["sides"] == sides
        assert feedback["given"] == [["positive", "negative"].index(side) for side in sitting.feedback.responses]
        first, second = feedback["words"]
        assert first.startswith("First group: ") and second.startswith("First picture of the")
        words = {"BA": lambda name: name.replace("_", " "), "abstract": instructions.GLOSSARY.get}.get(item.task)
        assert words is None or all(words(name) in first for name in item.problem.concept)


# Kills and coming back


def told_by(sitting: Sitting) -> str:
    """All that a sitting says of itself, and its stored rows but for time and name; of answers, NaN is like none."""
    rows = sitting.trials.frame(sitting=sitting.id).drop(columns=["sitting", "at"])
    names = ("phase", "step", "pages", "responses", "right", "feedback", "chosen")
    return repr(([getattr(sitting, name) for name in names], sitting.scene(), rows.to_dict("records")))


def test_it_goes_on_from_its_rows_alone_at_every_point(trials):
    sitting, k = begin(trials, seed=11), 0
    while not sitting.finished:
        again = Sitting.resume(sitting.study, sitting.id, Trials())
        assert told_by(again) == told_by(sitting)
        sitting = again
        if sitting.phase == FEEDBACK:  # going on from it leaves no row: it is shown again after a kill
            sitting.next()
        act(sitting, k)
        k += 1
    assert k == 3 + 12


def test_open_goes_on_with_the_same_kind_of_sitting_and_no_other(trials):
    first = Sitting.open(study_of(2), trials, 3, "p-1")
    first.next(1.0)
    assert Sitting.open(study_of(2), trials, None, "p-1") == first
    for options, who in (((1,), "p-1"), ((2,), "p-2"), ((2, "as_published"), "p-1")):
        assert Sitting.open(study_of(*options), trials, 3, who).id != first.id
    assert [*through(first)]
    new = Sitting.open(study_of(2), trials, None, "p-1")
    assert new.id != first.id and new.rows == 1 and new.seed != 3


# Bad input


def test_what_is_not_in_view_cannot_be_done(trials):
    sitting = begin(trials)
    with pytest.raises(InputError, match="its phase instructions"):
        sitting.choose("positive")
    sitting.next()
    for method, argument, words in (("rate", 0.9, "a side that is chosen first"), ("choose", "left", "a side")):
        with case(words), pytest.raises(InputError, match=words):
            getattr(sitting, method)(argument)
    assert len(sitting.answers()) == 1 and sitting.query == 0
