"""A person's sitting on MEWL: what is asked and stored, what is never told too early, what a kill leaves."""

from __future__ import annotations

import pytest

from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.mewl.people import instructions, published
from cogkit.mewl.people.sitting import CHECK, DONE, FEEDBACK, TUTORIAL, Sitting
from cogkit.mewl.people.study import ANSWER, item, study_of
from cogkit.mewl.problems.tasks import module
from cogkit.study.trials import BEGIN, Trials

WHO = "3fa9c2d1"


def begin(
    trials: Trials, task: str = "number", seed: int = 5, tests: int = 3, attention: int = 1, **options
) -> Sitting:
    return Sitting.begin(study_of(task, tests=tests, attention=attention, **options), seed, trials, WHO)


def truth(sitting: Sitting) -> int:
    """The right option, by the task's solver."""
    fits = module(sitting.plan.task).solve(sitting.item.trial)[1]
    assert sum(fits) == 1
    return fits.index(True)


def act(sitting: Sitting, k: int = 0) -> None:
    """Do what can be done; every third test item is answered wrong."""
    if sitting.phase in (TUTORIAL, FEEDBACK):
        sitting.next(rt_s=10.0)
    else:
        wrong = sitting.phase == ANSWER and not sitting.item.attention and k % 3 == 0
        sitting.choose((truth(sitting) + wrong) % 5, rt_s=1.25)


def play(sitting: Sitting, acts: int = 100) -> int:
    for k in range(acts):
        if sitting.phase == DONE:
            return k
        act(sitting, k)
    return acts


def told_by(sitting: Sitting) -> str:
    rows = sitting.trials.frame(sitting=sitting.id).drop(columns=["sitting", "at"])
    names = ("plan", "phase", "step", "pages", "attempts", "right", "feedback", "failed", "scenes")
    return repr([getattr(sitting, name) for name in names] + [sitting.scene(), rows.to_dict("records")])


# What is asked, in which order, and that a kill loses nothing


@pytest.mark.parametrize("feedback", [False, True])
def test_a_tutorial_a_check_then_the_items_and_it_goes_on_from_its_rows_alone_at_every_point(feedback, trials):
    sitting, phases = begin(trials, "shape", seed=11, feedback=feedback), []
    while sitting.phase != DONE:
        again = Sitting.resume(sitting.study, sitting.id, Trials())
        assert told_by(again) == told_by(sitting)
        sitting = again
        if sitting.phase == FEEDBACK:  # going on from it leaves no row: it is shown again after a kill
            sitting.next()
        if sitting.phase != DONE:
            phases.append(sitting.phase)
            act(sitting, len(phases))
    assert phases == [TUTORIAL] * 3 + [CHECK] + [ANSWER] * 4
    assert len(Sitting.begin(study_of(), 1, trials, WHO).order) == 12  # by default
    assert sitting.scene()["head"][1] == "All done" and sitting.item is None and sitting.scenes == ()


def test_seven_pictures_six_names_five_options(trials, task):
    sitting = begin(trials, task, tests=1, attention=1)
    assert sitting.scenes == () and sitting.scene()["names"] == []
    sitting.next()
    page = sitting.scene()
    assert len(sitting.scenes) == 7 and len(page["names"]) == 6 and page["right"] == truth(sitting)
    assert play(sitting) == 5 and sitting.phase == DONE


def test_a_wrong_check_is_tried_again_and_two_end_the_sitting(trials):
    sitting = begin(trials)
    while sitting.phase == TUTORIAL:
        sitting.next()
    wrong = (truth(sitting) + 1) % 5
    assert sitting.choose(wrong) is False and sitting.phase == CHECK
    assert sitting.scene()["chosen"] == wrong and sitting.scene()["prompt"] == instructions.AGAIN
    twin = Sitting.resume(sitting.study, sitting.id, trials)
    assert told_by(twin) == told_by(sitting)
    assert sitting.choose(truth(sitting)) and sitting.phase == ANSWER
    other = begin(trials, seed=6)
    play(other, 3)
    for _ in range(2):
        other.choose((truth(other) + 2) % 5)
    assert other.phase == DONE and other.failed and other.position == 0
    table = published.log(trials.frame()).set_index("sitting")
    assert table.reason[other.id] == "tutorial failed" and table.reason[sitting.id] == "not finished"


# What is stored, and told


def test_rows_are_those_of_the_study_and_land_in_its_log(trials):
    sitting = begin(trials, "color", seed=8)
    play(sitting)
    rows = trials.frame()
    assert tuple(rows.columns) == TRIAL_COLUMNS and rows.order.tolist() == list(range(1 + 3 + 1 + 4))
    assert rows["item"].iloc[0] == BEGIN and rows.response.iloc[0] == "verified/color/8/3+1"
    assert set(rows.who) == {WHO} and set(rows.instrument) == {"mewl"} and set(rows.seed) == {8}
    assert [extra.get("phase") for extra in rows.extra[1:]] == [TUTORIAL] * 3 + [CHECK] + [ANSWER] * 4
    assert rows.rt_s.iloc[1:].tolist() == [10.0] * 3 + [1.25] * 5
    names = [sitting.items[k].name for k in sitting.order]
    assert rows["item"].tolist()[5:] == names and sum(name.endswith("/same") for name in names) == 1
    for row in rows[5:].itertuples():
        right = module(row.task).solve(item(row.item).trial)[1].index(True)
        assert row.correct == float(row.response == row.extra["options"][right])
    (line,) = published.log(rows).itertuples()
    tests = [right for right, k in zip(sitting.right, sitting.order, strict=True) if k < 3]
    assert (line.answers, line.right, line.attention, line.kept) == (3, sum(tests) / 3, 1.0, True)
    assert line.seconds == 3 * 10.0 + 5 * 1.25


def test_open_goes_on_with_the_same_kind_of_sitting_and_no_other(trials):
    options = {"tests": 2, "attention": 1}
    first = Sitting.open(study_of("shape", **options), trials, 3, WHO)
    first.next(1.0)
    assert Sitting.open(study_of("shape", **options), trials, None, WHO) == first
    assert Sitting.open(study_of(None, **options), trials, None, WHO) == first
    for other in (study_of("color", **options), study_of("shape", **options, feedback=True), study_of("shape")):
        assert Sitting.open(other, trials, 3, WHO).id != first.id


def test_only_one_of_five_options_can_be_chosen(trials):
    sitting = begin(trials)
    play(sitting, 3)
    for option in (5, -1, True, "1"):
        with pytest.raises(InputError):
            sitting.choose(option)
    with pytest.raises(InputError, match="one of"):
        sitting.answer("no such name")
    assert len(sitting.answers()) == 3
