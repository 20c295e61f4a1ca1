"""Every sitting goes on from the rows that version 0.1 stored, and is stored as before."""

from __future__ import annotations

import pytest
from before import STUDIES, WHO, rows_before, stored_before

from cogkit.bongard.people.sitting import Sitting as Problems
from cogkit.core.identity import unhashed
from cogkit.equivalence.people.study import CHOICES, from_trials
from cogkit.mewl.people import published as names_people
from cogkit.mewl.people.sitting import Sitting as Names
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN, Trials
from cogkit.tiles.people import blind


@pytest.fixture
def store(tmp_path, mirror, monkeypatch) -> Trials:
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))  # the problems of Bongard-LOGO were made with it
    return stored_before(tmp_path / "trials.sqlite")


def test_the_blind_trial(store):
    sitting = blind.sit("tree", 3, 2, store, WHO)
    assert (sitting.id, sitting.position, sitting.rows, sitting.right) == ("tiles-0", 2, 3, [True, True])
    sitting.answer("abstract")
    assert sitting.finished


def test_problems(store):
    sitting = Problems.open(STUDIES["bongard"](), store, who=WHO)
    assert (sitting.id, sitting.phase, sitting.query, sitting.right) == ("bongard-1", "answer", 1, [True, True, False])
    assert sitting.scene()["head"] == ["Free-form shapes", "Problem 2 of 2", "Picture 2 of 2", "2 of 2 right so far"]


def test_names(store):
    sitting = Names.open(STUDIES["mewl"](), store, who=WHO)
    assert (sitting.id, sitting.phase) == ("mewl-2", "feedback")
    assert (sitting.tries, sitting.right) == ([False, True], [True, False])
    assert names_people.log(store.frame()).reason.tolist() == ["not finished"]


def test_matching(store):
    sitting = Sitting.open(STUDIES["equivalence"](), store, who=WHO)
    assert (sitting.id, sitting.phase, sitting.skipped, sitting.position) == ("equivalence-3", "test", True, 3)
    assert [len(attempt) for attempt in sitting.attempts] == [6, 2]
    while not sitting.finished:
        sitting.answer(CHOICES[0])
    (answers,) = from_trials(store.frame())
    assert answers.who == WHO and len(answers.items) == 27


@pytest.mark.parametrize("instrument", STUDIES)
def test_the_same_answers_leave_the_same_rows(instrument, store, tmp_path):
    before, again = rows_before(instrument), Trials(tmp_path / "again.sqlite")
    sitting = Sitting.begin(STUDIES[instrument](), before[0]["seed"], again, WHO)
    for row in before[1:]:
        if sitting.pending:
            sitting.next()
        if row["response"] == "read":
            sitting.next(row["rt_s"])
        elif row["item"] == "skip":
            sitting.skip()
        else:
            sitting.answer(row["response"], row["rt_s"], row["extra"].get("confidence"))
    after = again.frame().astype(object)
    after = after.where(after.notna(), None).to_dict("records")
    for old, new in zip(before, after, strict=True):  # a beginning has its order and items now, a skip its place
        assert old["extra"].items() <= new["extra"].items()
        assert new["extra"].keys() - old["extra"].keys() <= {"order", "items", "position", "done", "schema"}
        assert all(old[name] == new[name] for name in old if name not in ("sitting", "at", "extra", "score", "item"))
        # then a name was a number in the set; now it has a hash of the content, alone or after a name
        assert unhashed(new["item"]) in (old["item"], old["item"].rpartition("/")[0])
        # 0.1 stored 0 as the score of every blind answer; now it is what the answer was worth
        assert new["score"] == (new["correct"] if instrument == "tiles" else old["score"])
    assert [row["item"] for row in after].count(BEGIN) == 1
