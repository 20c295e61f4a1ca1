"""A simulated class: students whose way of playing is known, so that what a class report says can be compared with it.

Nobody in it is a person. Its title says so, and `is_simulated` tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pandas as pd

import cogkit
from cogkit.core.seeding import stream
from cogkit.data.facts import facts
from cogkit.extras.classroom.hand_in import ENDING, About, Attempt, Exercise, HandIn
from cogkit.study.rescoring import Rows
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
ABLE = {KNOWS: 1.0, NEAR: 0.0, LEARNS: 0.6, RANDOM: -1.2}
"""How able each sort of student is, in log odds."""
EXERCISES = {
    name: (own.ease.iloc[0], own.message.tolist())
    for name, own in facts(__file__, "simulated").groupby("exercise", sort=False)
}
"""How easy each exercise is, in log odds, and what its check says to wrong answers that are often given."""
_BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
_BOARDS = 25


class _Student(NamedTuple):
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
    says how they play.

    Examples
    --------
    >>> [(file, one)] = hand_ins(seed=1, n=1)
    >>> file == f"{one.student}.jsonl", one.about.title
    (True, 'A simulated class of 1')
    """
    students = _students(seed, n)
    handed = []
    for one, clicks in zip(students, _clicks(students, seed), strict=True):
        states, attempts = _exercises(one.sort, stream(seed, f"class/{one.name}/exercises"))
        rows = _sat(one, clicks, stream(seed, f"class/{one.name}/times"))
        whole = HandIn(about(seed, n), one.name, "", _at(90 * 60), cogkit.__version__, states, attempts, rows)
        handed.append((f"{one.name}{ENDING}", whole))
    return handed


def _exercises(sort: str, rng: np.random.Generator) -> tuple[tuple[Exercise, ...], tuple[Attempt, ...]]:
    """Return how one student does the exercises, with one to six attempts at each that they begin.

    Somebody who gives an exercise up goes on as `GOES_ON` says.
    """
    states: list[Exercise] = []
    attempts: list[Attempt] = []
    left, second = "nothing yet", 20 * 60.0  # what begins with ``left`` is not begun
    for name, (ease, messages) in EXERCISES.items():
        solves, tries = rng.random() < 1 / (1 + math.exp(-ABLE[sort] - ease)), int(rng.integers(1, 7))
        then = str(rng.choice(list(GOES_ON), p=list(GOES_ON.values())))
        if name.startswith(left):
            states.append(Exercise(name, "open"))
            continue
        first = int(rng.integers(len(messages)))
        for k in range(tries):
            second += rng.lognormal(4, 0.5)
            passed = solves and k == tries - 1
            message = "Correct." if passed else f"Not yet: {messages[(first + k) % len(messages)]}."
            attempts.append(Attempt(_at(second), name, passed, message))
        states.append(Exercise(name, "right" if solves else "wrong", "# simulated: there is no code"))
        if not (solves or then == "exercise"):
            left = name.partition("-")[0] if then == "notebook" else ""
    return tuple(states), tuple(attempts)


def _students(seed: int, n: int) -> list[_Student]:
    """Return the students of a class, ordered by pseudonym."""
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
    clicks: dict[tuple[str, int], list[int]] = {}
    for condition in dict.fromkeys(one.condition for one in students):
        games = [(one, place) for one in students if one.condition == condition for place in range(one.boards)]
        played = _play(condition, games, stream(seed, f"class/{condition}"))
        clicks |= {(one.name, place): tiles for (one, place), tiles in zip(games, played, strict=True)}
    for one in students:
        yield [clicks[one.name, place] for place in range(one.boards)]


def _play(condition: str, games: list[tuple[_Student, int]], rng: np.random.Generator) -> list[list[int]]:
    """Return the clicks of games of one condition, all played side by side."""
    items = records.items(condition)
    boards = [_order(one.seed, len(items))[place] for one, place in games]
    knows = np.array([place >= one.since for one, place in games])
    is_random = np.array([one.sort == RANDOM for one, _ in games])
    ideal, near, chaos = BayesGreedy.of(condition.partition("/")[0]), NearestNeighbour(), Random()
    game, clicks = Game(items.boards[boards], items.starts[boards]), [[] for _ in games]
    while not game.done.all():
        lapses, uniforms = rng.random((2, len(games)))
        going = np.flatnonzero(~game.done)
        view = game.view().rows(going)
        assert view.mask is not None  # the view of a game has one
        scores = near.act(view, None)[0]
        scores[is_random[going]] = chaos.act(view, None)[0][is_random[going]]
        if (thinks := (knows & (lapses >= LAPSE))[going]).any():  # equal among the best: ties are broken at random
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
    sitting.order = tuple(_order(one.seed, len(sitting.items)))
    sitting.store_beginning()
    for tile, time in zip(flat, times, strict=True):
        sitting.answer(tile, float(time))
    for row in store.rows:
        row["extra"].pop("notebook", None)
    return tuple(store.rows)


def _order(seed: int, n: int) -> Sequence[int]:
    assert STUDY.order is not None  # the study of tiles has one
    return STUDY.order(seed, n)


def _at(second: float) -> str:
    """Return a time of the lesson, so many seconds after it began."""
    return (_BEGAN + timedelta(seconds=float(second))).isoformat(timespec="milliseconds")
