"""The simulated class: its students play as they are said to, judged by the code that judges people."""

from __future__ import annotations

import json

import pytest

from cogkit.app import notebooks
from cogkit.extras.classroom import figures, gathered, hand_in, simulated

N = 30


@pytest.fixture(scope="module")
def handed():
    return simulated.hand_ins(n=N)


@pytest.fixture(scope="module")
def class_of(handed):
    return gathered.merge(handed)


@pytest.fixture(scope="module")
def who():
    return simulated.mixture(n=N).set_index("student")


def test_a_class_is_the_same_from_the_same_seed_and_another_from_another(handed):
    assert simulated.hand_ins(n=3) == simulated.hand_ins(n=3)
    assert {one.student for _, one in handed}.isdisjoint(one.student for _, one in simulated.hand_ins(seed=1, n=3))


def test_a_class_says_that_it_is_simulated_and_nobody_has_a_name(handed, tmp_path):
    for file, one in handed:
        assert simulated.is_simulated(one.about) and "simulated" in one.about.title
        assert one.name == "" and file == f"{one.student}.jsonl" and len(bytes.fromhex(one.student)) == 4
    assert not simulated.is_simulated(hand_in.About("f00d", "Monday", ("01_play_tiles",)))
    back = hand_in.read(hand_in.write(one, tmp_path / file))
    assert back.exercises == one.exercises and back.attempts == one.attempts and len(back.trials) == len(one.trials)


def test_students_play_as_their_sort_says(class_of):
    table = figures.halves(class_of).merge(simulated.mixture(), on="student")
    assert len(table) == (simulated.mixture().boards == 25).sum()
    means = table.groupby("sort")[["first", "last"]].mean()
    errors = table.groupby("sort")[["first", "last"]].sem()
    for sort, half in ((simulated.KNOWS, "first"), (simulated.KNOWS, "last"), (simulated.LEARNS, "last")):
        assert means.at[sort, half] + 4 * errors.at[sort, half] < 0
    for half in ("first", "last"):
        assert abs(means.at[simulated.NEAR, half]) < 4 * errors.at[simulated.NEAR, half]
    learns = table[table.sort == simulated.LEARNS]
    gain = learns["last"] - learns["first"]
    assert gain.mean() + 4 * gain.sem() < 0


def test_exercises_are_those_of_the_notebooks_in_their_order():
    names = []
    for path in (path for path in notebooks.find() if path.stem in simulated.about().notebooks):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        names += [cell["metadata"]["exercise"] for cell in cells if "exercise" in cell["metadata"]]
    assert names == list(simulated.EXERCISES)
