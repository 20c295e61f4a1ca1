"""A sitting: drawn from its seed, stored as it goes, and the same after a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cogkit.core.contracts import InputError, Study
from cogkit.core.identity import item_set
from cogkit.study.sitting import Sitting, included
from cogkit.study.trials import BEGIN, Trials, pseudonym

CONDITIONS = ("odd", "even", "prime")
ITEMS = {"odd": [1, 3, 5, 7, 9], "even": [2, 4, 6, 8, 10], "prime": [2, 3, 5, 7, 11]}


def study(**changes) -> Study:
    fields = {
        "prompt": "Which number comes next?",
        "assign": lambda rng: CONDITIONS[rng.integers(3)],
        "items": ITEMS.__getitem__,
        "order": lambda rng, n: rng.permutation(n),
    }
    return Study(**fields | changes)


@pytest.fixture
def trials(tmp_path):
    return Trials(tmp_path / "trials.sqlite")


def begin(trials, seed=0, **changes) -> Sitting:
    return Sitting.begin(study(**changes), "numbers", seed, trials, who="p-1")


def test_the_seed_draws_condition_and_order(trials):
    one, again, other = begin(trials), begin(trials), begin(trials, seed=1)
    assert (one.condition, one.order) == (again.condition, again.order) != (other.condition, other.order)
    assert one.id != again.id and sorted(one.order) == [0, 1, 2, 3, 4]


def test_assignment_and_order_are_uniform(trials):
    n = 450
    drawn = [begin(trials, seed) for seed in range(n)]
    conditions = Counter(sitting.condition for sitting in drawn)
    firsts = Counter((sitting.condition, sitting.order[0]) for sitting in drawn)
    for counts, p in ((conditions, 1 / 3), (firsts, 1 / 15)):
        assert len(counts) == round(1 / p)
        assert all(abs(count - n * p) < 4 * np.sqrt(n * p * (1 - p)) for count in counts.values())


def test_a_sitting_from_beginning_to_end(trials):
    sitting = begin(trials, attention=(2,))
    shown = []
    for position in range(5):
        assert not sitting.finished and sitting.position == position
        shown.append(sitting.current)
        assert sitting.name == f"{sitting.condition}/{sitting.order[position]:02d}"
        sitting.record(response=4, correct=0, score=-1, rt_s=0.5, done=False)
        sitting.record(response=5, correct=1, score=2, rt_s=0.25, extra={"step": 2}, done=True)
        assert list(sitting.answers()["response"]) == [4, 5]
        sitting.advance()
    assert sitting.finished and shown == [ITEMS[sitting.condition][k] for k in sitting.order]
    frame = trials.frame(sitting=sitting.id)
    assert list(frame["order"]) == list(range(11))
    assert frame.loc[0, ["item", "response", "task"]].tolist() == [
        BEGIN,
        sitting.condition,
        sitting.condition,
    ]
    assert frame.loc[0, "extra"] == {"order": list(sitting.order)}
    assert set(frame["who"]) == {"p-1"} and set(frame["kind"]) == {"person"}
    assert set(frame["instrument"]) == {"numbers"} and set(frame["seed"]) == {0}
    assert frame.loc[6, "extra"] == {"step": 2, "position": 2, "done": True, "attention": True}
    assert frame.loc[4, "extra"] == {"step": 2, "position": 1, "done": True}
    assert frame.loc[10, ["response", "correct", "score", "rt_s"]].tolist() == [5, 1, 2, 0.25]
    assert trials.sittings().loc[0, ["condition", "answers", "score"]].tolist() == [
        sitting.condition,
        10,
        5.0,
    ]
    for refused in (sitting.advance, lambda: sitting.current, lambda: sitting.record(done=True)):
        with pytest.raises(InputError, match="finished"):
            refused()


def test_a_sitting_knows_its_items_and_goes_on_with_no_others(trials, monkeypatch):
    problems = ModuleType("cogkit.numbers.problems")
    problems.GENERATOR = 1
    monkeypatch.setitem(sys.modules, problems.__name__, problems)
    sitting = begin(trials)
    (extra,) = trials.frame(sitting=sitting.id)["extra"]
    assert extra["items"] == item_set("numbers", 1, sitting.profile, sitting.seed, len(sitting.items))
    assert Sitting.resume(sitting.study, sitting.id, trials).position == 0
    problems.GENERATOR = 2
    with pytest.raises(InputError, match="wanted results on the same items, got items 1-.* and 2-.*: begin a new"):
        Sitting.resume(sitting.study, sitting.id, trials)


def test_items_are_taken_one_after_the_other(trials):
    sitting = begin(trials)
    with pytest.raises(InputError, match="without its last answer"):
        sitting.advance()
    sitting.record(response=1, done=True)
    with pytest.raises(InputError, match="after its last"):
        sitting.record(response=1, done=True)
    with pytest.raises(InputError, match="wanted a finite number"):
        begin(trials).record(response=1, score="high", done=True)
    assert len(trials.frame()) == 3


def test_task_and_item_may_be_named(trials):
    sitting = begin(trials)
    sitting.record(response=1, done=True, task="numbers", item="seven")
    assert trials.frame().loc[1, ["task", "item"]].tolist() == ["numbers", "seven"]
    with pytest.raises(InputError, match="unknown colour"):
        begin(trials).record(response=1, done=True, colour="red")


def test_a_sitting_in_two_windows_loses_nothing(trials):
    one = begin(trials)
    two = Sitting.resume(study(), one.id, trials)
    one.record(response=1, done=True)
    with pytest.raises(InputError, match="another window"):
        two.record(response=2, done=True)
    assert list(trials.frame()["response"]) == [one.condition, 1]


def test_the_reader_is_the_person_and_the_home_the_place(home):
    sitting = Sitting.begin(study(), "numbers", 3, profile="as_published", preset="quick", source="own")
    row = Trials(home / "trials.sqlite").frame().loc[0]
    assert row["who"] == pseudonym() == sitting.who
    assert row[["profile", "preset", "source"]].tolist() == ["as_published", "quick", "own"]
    assert Sitting.resume(study(), sitting.id) == sitting


@pytest.mark.parametrize("answers", range(11))
def test_resumed_after_any_answer_it_stands_where_it_stood(trials, answers):
    sitting = begin(trials, seed=answers)
    for k in range(answers):
        if sitting.done:
            sitting.advance()
        sitting.record(response=k, done=k % 2 == 1)
    if sitting.done:
        sitting.advance()
    assert Sitting.resume(sitting.study, sitting.id, trials) == sitting


def test_what_cannot_be_resumed_is_one_sentence(trials):
    sitting = begin(trials)
    with pytest.raises(InputError, match="wanted a sitting that began in .*trials.sqlite, got 'nobody'"):
        Sitting.resume(study(), "nobody", trials)
    with pytest.raises(InputError, match=f"got 3 items of {sitting.condition}: the study has changed"):
        Sitting.resume(study(items=lambda condition: ITEMS[condition][:3]), sitting.id, trials)
    with pytest.raises(InputError, match="preset"):
        Sitting.begin(study(), "numbers", 0, trials, who="p", preset="papre")
    assert len(trials.frame()) == 1


PROGRAM = """
import sys
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from test_studies import study
big = study(items=lambda condition: list(range(10**5)))
sitting = Sitting.begin(big, "numbers", 5, Trials(sys.argv[1]), who="p-1")
print(sitting.id, sitting.condition, flush=True)
while True:
    sitting.record(response=sitting.current, done=False)
    print(sitting.position, 0, flush=True)
    sitting.record(response=sitting.current, done=True)
    print(sitting.position, 1, flush=True)
    sitting.advance()
"""


@pytest.mark.parametrize("attempt", range(3))
def test_killed_at_a_random_moment_it_goes_on_from_the_database_alone(trials, attempt):
    acknowledged = int(np.random.default_rng().integers(1, 80))
    command = [sys.executable, "-c", PROGRAM, str(trials.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent) as process:
        name, condition = process.stdout.readline().split()
        said = [process.stdout.readline().split() for _ in range(acknowledged)]
        process.kill()
        said += [line.split() for line in process.stdout.read().splitlines()]
    assert process.returncode == -signal.SIGKILL
    big = study(items=lambda condition: list(range(10**5)))
    sitting = Sitting.resume(big, name, trials)
    answers = included(trials.frame(sitting=name), big)
    assert len(said) <= len(answers) <= len(said) + 1
    assert list(answers["response"]) == [sitting.order[k // 2] for k in range(len(answers))]
    assert (sitting.position, sitting.condition) == (len(answers) // 2, condition)
    whole = Sitting.begin(big, "numbers", 5, trials, who="p-1")
    assert sitting.order == whole.order and sitting.condition == whole.condition
    sitting.record(response=sitting.current, done=True)
    assert len(sitting.answers()) == 1 + len(answers) % 2


def test_included_leaves_out_beginnings_and_what_the_study_excludes(trials):
    for seed in range(3):
        sitting = begin(trials, seed)
        for _ in range(2):
            sitting.record(response=1, rt_s=10.0 if seed == 1 else 0.5, done=False)
    frame = trials.frame()
    assert len(included(frame, study())) == 6
    kept = included(frame, study(exclude=lambda rows: rows.groupby("sitting")["rt_s"].transform("mean") > 5))
    assert len(kept) == 4 and set(kept["seed"]) == {0, 2}
    assert included(frame.iloc[:0], study(exclude=lambda rows: rows["rt_s"] > 5)).empty
