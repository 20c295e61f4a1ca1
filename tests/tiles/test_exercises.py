"""Each exercise takes the right answer, and tells every wrong one what is the matter; nothing makes a check raise."""

from __future__ import annotations

import itertools
import math

import numpy as np
from oracles import scores_of_orders
from safetensors.numpy import load_file

from cogkit.app.exercises import check, unanswered
from cogkit.tiles.exercises import EXERCISES
from cogkit.tiles.learners import floors, observers
from cogkit.tiles.metamers.sampling import SHIPPED
from cogkit.tiles.rules.game import RED

EIGHT = [r * 7 + c for r in (2, 3, 4) for c in (2, 3, 4) if (r, c) != (3, 3)]
CORNERS = {
    frozenset((r, c) for r in (r1, r2) for c in (c1, c2))
    for (r1, c1), (r2, c2) in itertools.product(itertools.product(range(7), range(7)), repeat=2)
    if r1 != r2 and c1 != c2
}


class Follower:
    """Continues lines: twice the weight where the tile beyond a red neighbour is red too."""

    def act(self, view, state):
        red = np.pad((view.board == RED).reshape(-1, 7, 7), ((0, 0), (2, 2), (2, 2)))
        scores = np.zeros((len(view.board), 7, 7))
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = red[:, 2 + down : 9 + down, 2 + right : 9 + right]
            beyond = red[:, 2 + 2 * down : 9 + 2 * down, 2 + 2 * right : 9 + 2 * right]
            scores += 3 * near + 5 * (near & beyond)
        return scores.reshape(-1, 49), None


class Away(Follower):
    def act(self, view, state):
        return -super().act(view, state)[0], None


class Nans:
    def act(self, view, state):
        return np.full((len(view.board), 49), np.nan), None


def first_passed() -> int:
    """The first step of the shipped log at which its agent passed the heuristic, row by row."""
    arrays = load_file(SHIPPED / "lstm-rectangle-abstract-verified-s0.safetensors")
    rows = zip(arrays["log/step"].tolist(), arrays["log/validation"].tolist(), strict=True)
    return next(int(step) for step, blue in rows if blue < 11.85)


# The advantages by hand, from the last: 0.5; 0.1 + 0.9 · 0.5 - 0.2 + 0.54 · 0.5; -0.1 + 0.9 · 0.2 + 0.54 · 0.62.
def third_order(boards):
    """Straight triples of one colour minus the others, by a plain loop."""
    return np.array([scores_of_orders(board)[2] for board in boards.tolist()])


def outlines(boards):
    """Whether each board is the outline of two corners, from the list of all of them."""
    frames = set()
    for corners in CORNERS:
        (top, left), (bottom, right) = min(corners), max(corners)
        box = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
        frames.add(frozenset(t for t in box if t[0] in (top, bottom) or t[1] in (left, right)))
    return [frozenset(map(tuple, np.argwhere(board).tolist())) in frames for board in boards]


def stopped(table):
    """Go through the rows: a later exercise of a student that was begun takes the place of the one before."""
    last = {row.student: row for row in table.itertuples() if row.state != "open"}
    names = [row.exercise for row in last.values() if row.state == "wrong"]
    return max(names, key=names.count)


def described(table):
    mean = sum(table.value) / len(table)
    ahead = sum(high < 0 for high in table.high) / len(table)
    return ahead, sum(row.low <= mean <= row.high for row in table.itertuples()) / len(table)


def right_answers() -> dict[str, list]:
    """From the facts, §§ 7 (1,039 rows; true df 1,007) and 0.3 (the four unpinned rules); the corner by brute force."""
    return {
        "01-first-click": [EIGHT, set(EIGHT), np.array(EIGHT)],
        "01-corner": [sum(frozenset({(0, 0)}) <= corners for corners in CORNERS), 36.0],
        "01-your-player": [Follower, Follower(), observers.BayesGreedy.of("rectangle")],
        "03-first-entropy": [3.8712, math.log(48), np.float32(3.871)],
        "03-passed": [first_passed()],
        "03-advantages": [[0.4148, 0.62, 0.5], np.array([0.4148, 0.62, 0.5])],
        "02-triples": [2 * 7 * 5],
        "02-third-order": [third_order, lambda b: list(third_order(b))],
        "02-your-judge": [outlines, lambda boards: np.array(outlines(boards))],
        "04-true-df": [1007, np.int64(1007)],
        "04-unpinned": [["rectangle", "symmetry", "tree", "zigzag"], {"rectangle", "symmetry", "tree", "zigzag"}],
        "13-stuck": [stopped],
        "13-two-groups": [described, lambda table: np.array(described(table))],
        "13-how-many": [
            lambda _, last: sum(z < -1 for z in last),
            lambda _, last: float(sum(z < -1.5 for z in last)),
        ],
    }


def wrong_answers() -> dict[str, list]:
    return {
        "01-first-click": [[], [24], EIGHT[:-1], [*EIGHT, 24], [t + 1 for t in EIGHT], [17, 23, 25, 31]],
        "01-corner": [0, 35, 37, 441, 49, -36],
        "01-your-player": [floors.Random, floors.NearestNeighbour, Away, floors.Majority("pyramid")],
        "03-first-entropy": [0, 3.8918, 5.585, 48, -3.87, math.log(49)],
        "03-passed": [0, first_passed() - 100, first_passed() + 100, -1, 10**6],
        "03-advantages": [[], [0.5, 0.62, 0.4148], [0.08, 0.35, 0.5], [0.4148, 0.62, 0.6], [0.4148, 0.62, 0.5, 0]],
        "02-triples": [84, 214, 35, 49, 147, 0, -70],
        "02-third-order": [lambda b: 2 * third_order(b), lambda b: -third_order(b), lambda b: b.sum(axis=(1, 2))],
        "02-your-judge": [
            lambda boards: boards.sum(axis=(1, 2)) % 2 == 0,  # rectangles have an even number of reds
            lambda boards: ~np.array(outlines(boards)),
            lambda boards: np.ones(len(boards), bool),
            lambda boards: outlines(boards)[:9],
        ],
        "04-true-df": [1036, 1008, 1039, 1040, 0, -1007],
        "04-unpinned": [[], ["rectangle"], ["rectangle", "symmetry", "tree", "zigzag", "copy"], "tree"],
        "13-stuck": [
            lambda table: table.exercise[table.state == "wrong"].mode()[0],
            lambda table: table.groupby("exercise").attempts.mean().idxmax(),
            lambda table: 3,
        ],
        "13-two-groups": [
            *(lambda t, name=name: ((t[name] < 0).mean(), described(t)[1]) for name in ("value", "low")),
            lambda table: described(table)[::-1],
            lambda table: described(table)[:1],
        ],
        "13-how-many": [
            lambda first, last: sum(z < 0 for z in last),
            lambda first, last: sum(z < -1 for z in first),
            lambda first, last: len(last),
            lambda first, last: float("nan"),
        ],
    }


JUNK = [
    None, ..., [...], True, float("nan"), float("inf"), "", "abc", b"abc", [], {}, {1: 2}, [[]], [None], object(), int,
    print, 1j, 10**5000, np.zeros((0, 3)), np.array(None), np.array([...]), Exception("what"), iter(()), lambda: 1 / 0,
    Nans, [1, "a"], range(3),
]  # fmt: skip


def test_every_exercise_takes_right_answers(use_mirror):
    answers = right_answers()
    assert set(EXERCISES) == set(answers) and len(CORNERS) == 441  # facts § 1.3
    for name, answer in ((name, answer) for name, some in answers.items() for answer in some):
        verdict = check(name, answer)
        assert verdict.passed and verdict.text == f"Correct. {EXERCISES[name].why}", (name, answer, verdict.text)


def test_every_exercise_tells_wrong_answers_what_is_the_matter(use_mirror):
    answers = wrong_answers()
    assert set(EXERCISES) == set(answers)
    for name, answer in ((name, answer) for name, some in answers.items() for answer in some):
        message = EXERCISES[name].check(answer)
        assert isinstance(message, str) and message and "\n" not in message and len(message) < 160, (name, answer)
        verdict = check(name, answer)
        assert not verdict.passed and message in verdict.text and EXERCISES[name].hint in verdict.text, (name, answer)
    for name, near in (("01-corner", 36.9), ("01-corner", "36"), ("04-true-df", 1007.5)):  # no whole numbers
        assert not check(name, near).passed


def test_nothing_makes_a_check_raise_and_no_junk_passes(use_mirror):
    for name, exercise in EXERCISES.items():
        for answer in JUNK:
            verdict = check(name, answer)
            assert not verdict.passed and (unanswered(answer) or exercise.hint in verdict.text), (name, answer)


def test_the_numbers_are_the_same_without_the_published_file(offline):
    assert check("04-true-df", 1007).passed and check("04-unpinned", right_answers()["04-unpinned"][0]).passed
