"""A simulated class: students whose way of playing is known, so that what a class report says can be compared with it.

Nobody in it is a person. Its title says so, and `is_simulated` tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

import cogkit
from cogkit.core.errors import InputError
from cogkit.core.seeding import stream
from cogkit.extras.classroom.hand_in import ENDING, About, Attempt, Exercise, HandIn
from cogkit.study.gathering import Rows
from cogkit.study.sitting import Sitting
from cogkit.tiles import scoring
from cogkit.tiles.learners.floors import NearestNeighbour, Random
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.people.study import STUDY
from cogkit.tiles.problems import records
from cogkit.tiles.rules.game import Game

KNOWS, NEAR, LEARNS, RANDOM = "knows the rule", "nearest neighbour", "learns on the way", "at random"
SHARES = {KNOWS: 1 / 3, NEAR: 1 / 3, LEARNS: 4 / 15, RANDOM: 1 / 15}
"""Each sort of student, and its share of a class."""
LAPSE = 0.15
"""Chance that a student who knows the rule clicks as nearest neighbour does."""
QUITS = 0.1
"""Chance that a student leaves the study before its end."""
GOES_ON = {"exercise": 0.4, "notebook": 0.3, "": 0.3}
"""What a student goes on to who gives an exercise up: the next exercise, the next notebook, or nothing more."""
RULES = ("symmetry", "rectangle", "tree", "pyramid", "cross", "zigzag")
"""Rules of the boards that are played: those whose ideal observer is quick."""
EASE = {
    "01-first-click": 1.5, "01-corner": 0.7, "01-your-player": -0.6, "02-triples": 1.0, "02-third-order": -0.3,
    "02-your-judge": -0.8, "04-true-df": 0.3, "04-unpinned": 0.9,
}  # fmt: skip
"""How easy each exercise is, in log odds; those of the first notebook that is listed come first."""
_ABLE = {KNOWS: 1.0, NEAR: 0.0, LEARNS: 0.6, RANDOM: -1.2}
SAID = {
    "01-first-click": (
        "tiles that are missing: 4; tiles that do not belong: 0",
        "tiles that are missing: 6; tiles that do not belong: 6",
    ),
    "01-corner": ("48 is too many", "6 is too few", "49 is too many"),
    "01-your-player": (
        "on 60 new boards its z is -0.04 [-0.17, 0.10], and that is not below 0",
        "on 60 new boards its z is 10.93 [9.58, 12.28], and that is not below 0",
    ),
    "02-triples": ("98 is too many", "35 is too few"),
    "02-third-order": ("50 of 50 random boards have another value than yours", "for 50 boards it returned an array "
                       "of shape (7, 7), and not 50 numbers"),
    "02-your-judge": (
        "for 1,000 boards it returned int64 of shape (1000,), not True or False for each",
        "it judges 0.50 [0.47, 0.53] of 1,000 boards rightly, and counting reds reaches 0.73",
    ),
    "04-true-df": (
        "1038 is not the number that is left after all means of cells are estimated",
        "1039 is not the number that is left after all means of cells are estimated",
    ),
    "04-unpinned": ("your list (nothing) is not complete, or it holds a rule with a pinned cell",
                    "your list (copy, tree) is not complete, or it holds a rule with a pinned cell"),
}  # fmt: skip
"""What the checks say to wrong answers that are often given."""
_BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
_BOARDS = 25


@dataclass(frozen=True)
class _Student:
    """A student: how they play, from which board on they know the rule, how many boards they play, and their pace."""

    name: str
    sort: str
    since: int
    boards: int
    condition: str
    seed: int
    pace: float  # seconds for a click


def about(seed: int = 0, n: int = 30) -> About:
    """Return the class that the simulated students are in; its title says that they are simulated.

    Examples
    --------
    >>> about().title, is_simulated(about())
    ('A simulated class of 30', True)
    """
    notebooks = ("01_play_tiles", "02_task_metamers", "04_people_and_agents")
    title = f"A simulated class of {n}"
    return About(f"simulated-{seed}", title, notebooks, "quick", seed, 90, cogkit.__version__)


def is_simulated(about: About) -> bool:
    """Return whether nobody in a class is a person."""
    return about.id.startswith("simulated-")


def mixture(seed: int = 0, n: int = 30) -> pd.DataFrame:
    """Return who in a simulated class is of which sort: student, sort, since and boards.

    ``since`` is the first board, counted from 0, on which the student knows the rule; missing for those who never do.
    ``boards`` is how many boards they play; 25 are all.

    Examples
    --------
    >>> mixture().sort.value_counts()[list(SHARES)].tolist()
    [10, 10, 8, 2]
    """
    rows = [(one.name, one.sort, one.since, one.boards) for one in _students(seed, n)]
    table = pd.DataFrame(rows, columns=["student", "sort", "since", "boards"])
    return table.assign(since=table.since.astype("Int64").mask(~table.sort.isin([KNOWS, LEARNS])))


def hand_ins(seed: int = 0, n: int = 30) -> list[tuple[str, HandIn]]:
    """Return what a simulated class hands in: for each student the name of a file, and the hand-in.

    Students play the study of tiles, each on 25 boards of one rule. The rules are drawn, as in the study. `mixture`
    says how they play, and `chance` how they do the exercises.

    Examples
    --------
    >>> [(file, one)] = hand_ins(seed=1, n=1)
    >>> file == f"{one.student}.jsonl", one.about.title
    (True, 'A simulated class of 1')
    """
    students = _students(seed, n)
    handed = []
    for one, clicks in zip(students, _clicks(students, seed), strict=True):
        states, attempts = exercises(one.sort, stream(seed, f"class/{one.name}/exercises"))
        rows = _sat(one, clicks, stream(seed, f"class/{one.name}/times"))
        times = {"at": _at(90 * 60), "cogkit": cogkit.__version__}
        handed.append((f"{one.name}{ENDING}", HandIn(about(seed, n), one.name, "", **times, exercises=states,
                                                     attempts=attempts, trials=rows)))  # fmt: skip
    return handed


def chance(sort: str, exercise: str) -> float:
    """Return the chance that a student of a sort solves an exercise, if they come to it.

    Examples
    --------
    >>> chance(KNOWS, "01-first-click") > chance(NEAR, "01-first-click") > 0.8
    True
    """
    return 1 / (1 + math.exp(-_ABLE[sort] - EASE[exercise]))


def exercises(sort: str, rng: np.random.Generator) -> tuple[tuple[Exercise, ...], tuple[Attempt, ...]]:
    """Return how one student does the exercises, with one to six attempts at each that they begin.

    Somebody who gives an exercise up goes on as `GOES_ON` says.

    Examples
    --------
    >>> states, attempts = exercises(KNOWS, stream(0, "doctest"))
    >>> len(states) == len(EASE), {attempt.passed for attempt in attempts} == {True, False}
    (True, True)
    """
    states: list[Exercise] = []
    attempts: list[Attempt] = []
    left, second = "nothing yet", 20 * 60.0  # what begins with ``left`` is not begun
    for name in EASE:
        solves, tries = rng.random() < chance(sort, name), int(rng.integers(1, 7))
        then = str(rng.choice(list(GOES_ON), p=list(GOES_ON.values())))
        if name.startswith(left):
            states.append(Exercise(name, "open"))
            continue
        wrong = tries - 1 if solves else tries
        first = int(rng.integers(len(SAID[name])))
        for k in range(tries):
            second += rng.lognormal(4, 0.5)
            message = f"Not yet: {SAID[name][(first + k) % len(SAID[name])]}." if k < wrong else "Correct."
            attempts.append(Attempt(_at(second), name, k == wrong, message))
        states.append(Exercise(name, "right" if solves else "wrong", "# simulated: there is no code"))
        if not (solves or then == "exercise"):
            left = name.partition("-")[0] if then == "notebook" else ""
    return tuple(states), tuple(attempts)


def _students(seed: int, n: int) -> list[_Student]:
    """Return the students of a class, ordered by pseudonym."""
    if n < 1:
        raise InputError(f"a class of {n}", "at least one student")
    rng = stream(seed, "class/students")
    ends = np.round(np.cumsum(list(SHARES.values())) * n).astype(int)
    sorts = rng.permutation(np.repeat(list(SHARES), np.diff(ends, prepend=0)))
    students: dict[str, _Student] = {}
    while len(students) < n:
        name, sort = rng.bytes(4).hex(), str(sorts[len(students)])
        since = {KNOWS: 0, LEARNS: int(rng.integers(5, 13))}.get(sort, _BOARDS)
        boards = int(rng.integers(3, 21)) if rng.random() < QUITS else _BOARDS
        rule, own = RULES[rng.integers(len(RULES))], int(rng.integers(2**31))
        students[name] = _Student(name, sort, since, boards, f"{rule}/abstract", own, rng.lognormal(0, 0.4))
    return [students[name] for name in sorted(students)]


def _clicks(students: list[_Student], seed: int) -> Iterator[list[list[int]]]:
    """Yield the clicks of each student on each board, in the order in which the boards are shown."""
    played: dict[tuple[str, int], list[int]] = {}
    for condition in dict.fromkeys(one.condition for one in students):
        games = [(one, place) for one in students if one.condition == condition for place in range(one.boards)]
        clicks = _play(games, stream(seed, f"class/{condition}"))
        played |= {(one.name, place): tiles for (one, place), tiles in zip(games, clicks, strict=True)}
    for one in students:
        yield [played[one.name, place] for place in range(one.boards)]


def _play(games: list[tuple[_Student, int]], rng: np.random.Generator) -> list[list[int]]:
    """Return the clicks of games of one condition, all played side by side."""
    condition = games[0][0].condition
    items = records.items(condition)
    assert STUDY.order is not None  # the study of tiles has one
    boards = np.array([STUDY.order(one.seed, len(items))[place] for one, place in games])
    knows = np.array([place >= one.since for one, place in games])
    is_random = np.array([one.sort == RANDOM for one, _ in games])
    ideal, near, chaos = BayesGreedy.of(condition.partition("/")[0]), NearestNeighbour(), Random()
    game, clicks = Game(items.boards[boards], items.starts[boards]), [[] for _ in games]
    while not game.done.all():
        lapses, uniforms = rng.random((2, len(games)))
        going = np.flatnonzero(~game.done)
        view = game.view().rows(going)
        assert view.mask is not None  # the view of a game has one
        scores, how = near.act(view, None)[0], knows & (lapses >= LAPSE)
        scores[is_random[going]] = chaos.act(view, None)[0][is_random[going]]
        if (thinks := how[going]).any():  # equal scores among the best, so that ties are broken at random
            best = scoring.chances(ideal.act(view.rows(thinks), None)[0], view.mask[thinks], "argmax")
            scores[thinks] = np.where(best > 0, 0.0, -np.inf)
        tiles = np.zeros(len(games), np.int64)
        tiles[going] = scoring.choose_tiles(scores, view.mask, "sample", uniforms[going])
        for place in going:
            clicks[place].append(int(tiles[place]))
        game.step(tiles)
    return clicks


def _sat(one: _Student, clicks: list[list[int]], rng: np.random.Generator) -> tuple[dict, ...]:
    """Return the trial rows of a student's sitting."""
    flat = [tile for board in clicks for tile in board]
    times = (one.pace * rng.lognormal(0, 0.5, len(flat))).round(3)
    store = Rows([_at(second) for second in 60 + np.concatenate([[0], np.cumsum(times)])])
    sitting = Sitting(STUDY, store, f"{rng.integers(2**63):016x}", one.name, one.seed, one.condition)
    assert STUDY.order is not None  # the study of tiles has one
    sitting.order = tuple(STUDY.order(one.seed, len(sitting.items)))
    sitting.store_beginning()
    for tile, time in zip(flat, times, strict=True):
        sitting.answer(tile, float(time))
    return tuple(row | {"extra": {k: v for k, v in row["extra"].items() if k != "notebook"}} for row in store.rows)


def _at(second: float) -> str:
    """Return a time of the lesson, so many seconds after it began."""
    return (_BEGAN + timedelta(seconds=float(second))).isoformat(timespec="milliseconds")
