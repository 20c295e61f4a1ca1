"""The simulated class: its students play as they are said to, judged by the code that judges people."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from cogkit import tiles
from cogkit.app import notebooks
from cogkit.app.classroom import figures, gathered, hand_in, simulated
from cogkit.app.exercises import check
from cogkit.app.studies.collected import PEOPLE
from cogkit.core.contracts import InputError
from cogkit.core.seeding import stream
from cogkit.tiles import scoring
from cogkit.tiles.learners.standards import standards
from cogkit.tiles.problems import records

N = 30
SORTS = tuple(simulated.SHARES)
ANSWERS = {  # wrong answers, in the order of what is said to them
    "01-first-click": [[17, 23, 25, 31], [8, 9, 10, 15, 17, 22, 23, 24]],
    "01-corner": [48, 6, 49],
    "01-your-player": [tiles.learner("nearest-neighbour"), tiles.learner("random")],
    "02-triples": [98, 35],
    "02-third-order": [lambda boards: boards.sum(axis=(1, 2)), lambda boards: boards.sum(axis=0)],
    "02-your-judge": [lambda boards: np.ones(len(boards), int), lambda boards: np.ones(len(boards), bool)],
    "04-true-df": [1038, 1039],
    "04-unpinned": [[], ["copy", "tree"]],
}


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


def test_a_mixture_has_its_shares_up_to_one_student():
    for n in (1, 2, 7, 30, 60):
        table = simulated.mixture(seed=4, n=n)
        assert len(table) == n == table.student.nunique()
        for sort, share in simulated.SHARES.items():
            assert abs((table.sort == sort).sum() - share * n) < 1
    with pytest.raises(InputError, match="at least one student"):
        simulated.mixture(n=0)


def test_sittings_count_if_they_are_finished(class_of, who):
    reasons = class_of.sittings.set_index("who").reason
    for student, row in who.iterrows():
        assert reasons[student] == ("" if row.boards == 25 else "not finished")
    assert set(class_of.sittings.condition) <= {f"{rule}/abstract" for rule in simulated.RULES}
    assert set(class_of.rows.who) - {PEOPLE} == set(who.index[who.boards == 25])


def z_of(class_of) -> dict[str, np.ndarray]:
    """Return the z of every board of every student, in the order of playing, unfinished sittings too."""
    found = {}
    for answers in scoring.from_trials(class_of.trials):
        found[answers.who] = scoring.z_scores(answers, standards(answers.items, 1)[0])[0]
    return found


def lapsing(condition: str) -> tuple[float, float]:
    """Return mean and sd of z of a student who knows the rule, over boards and games: played by another path."""
    items = records.items(condition)
    near, ideal = tiles.learner("nearest-neighbour"), tiles.learner("bayes-greedy", condition)

    class Careless:
        name, kind, inputs = "careless", "observer", ("board", "mask")

        def act(self, view, state):
            best = scoring.chances(ideal.act(view, None)[0], view.mask, "argmax")
            other = scoring.chances(near.act(view, None)[0], view.mask)
            mixed = (1 - simulated.LAPSE) * best + simulated.LAPSE * other
            with np.errstate(divide="ignore"):
                return np.log(mixed), None

    answers = scoring.judge(Careless(), items, passes=40)
    z = scoring.z_scores(answers, standards(items, 1)[0])
    return float(z.mean()), float(z.std())


def test_students_play_as_their_sort_says(class_of, who):
    conditions = class_of.sittings.set_index("who").condition
    played, expected = z_of(class_of), {one: lapsing(one) for one in set(conditions)}
    off, variance = {"knows": 0.0, "near": 0.0}, {"knows": 0.0, "near": 0.0}
    for student, row in who.iterrows():
        z, (mean, sd) = played[student], expected[conditions[student]]
        assert len(z) == row.boards
        if row.sort == simulated.RANDOM:
            assert z.mean() > 3
            continue
        since = len(z) if pd.isna(row.since) else min(int(row.since), len(z))
        off["near"] += z[:since].sum()  # the yardstick of z: mean 0 and sd 1 on every board
        variance["near"] += since
        off["knows"] += (z[since:] - mean).sum()
        variance["knows"] += (len(z) - since) * sd**2
    for sort in off:
        assert variance[sort] > 200 and abs(off[sort]) < 4 * math.sqrt(variance[sort]), sort


def test_halves_are_the_first_and_the_last_boards_and_show_who_learns(class_of):
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
    assert names == list(simulated.EASE) == list(simulated.SAID)


def test_checks_say_to_wrong_answers_what_simulated_students_are_told():
    for name, answers in ANSWERS.items():
        said = [check(name, answer).said for answer in answers]
        assert said == [f"Not yet: {text}." for text in simulated.SAID[name]], name


def test_each_exercise_that_is_begun_is_solved_with_its_chance():
    for sort in SORTS:
        rng = stream(3, f"test/{sort}")
        begun, right = dict.fromkeys(simulated.EASE, 0), dict.fromkeys(simulated.EASE, 0)
        for _ in range(500):
            for one in simulated.exercises(sort, rng)[0]:
                begun[one.exercise] += one.state != "open"
                right[one.exercise] += one.state == "right"
        for name, n in begun.items():
            p = simulated.chance(sort, name)
            assert n and abs(right[name] / n - p) < 4 * math.sqrt(p * (1 - p) / n), (sort, name, n)


def test_attempts_fit_the_states(handed):
    for _, one in handed:
        for exercise in one.exercises:
            passed = [each.passed for each in one.attempts if each.exercise == exercise.exercise]
            assert len(passed) <= 6 and (exercise.state == "open") == (not passed)
            assert passed == [False] * (len(passed) - 1) + [exercise.state == "right"] or not passed
