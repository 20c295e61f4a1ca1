"""The simulated class: its students play as they are said to, judged by the code that judges people."""

from __future__ import annotations

import json

import pytest

from cogkit.app import notebooks
from cogkit.extras.classroom import figures, gathered, simulated

N = 30


@pytest.fixture(scope="module")
def handed():
    return simulated.hand_ins(n=N)


@pytest.fixture(scope="module")
def class_of(handed):
    return gathered.merge(handed)


def test_a_class_is_the_same_from_the_same_seed_and_another_from_another(handed):
    assert simulated.hand_ins(n=3) == simulated.hand_ins(n=3)
    assert {one.student for _, one in handed}.isdisjoint(one.student for _, one in simulated.hand_ins(seed=1, n=3))


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
