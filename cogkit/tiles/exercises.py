"""The exercises of the tile notebooks: the check of each answer computes the solution by playing or counting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.stats import mean_interval, wilson
from cogkit.study.exercises import Exercises, misfit, number
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, observers
from cogkit.tiles.paper import published
from cogkit.tiles.people import blind
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.game import RED, View
from cogkit.tiles.rules.orders import STRAIGHT, orders

EXERCISES = Exercises(__file__)

_MANY = ("few", "many")
_LESSON = ("01-first-click", "01-corner", "01-your-player", "02-triples", "02-third-order", "02-your-judge")
_CLASSES = 12  # that each answer about a class is tried on
_STUDENTS = 30
_OFF = 2  # by how many students an estimate may be off
_HEURISTIC = 11.85  # blue tiles of nearest neighbour on the 25 published rectangles


@EXERCISES("01-first-click")
def _first_click(answer) -> bool | str:
    board = np.full((1, TILES), -1, np.int8)
    board[0, 3 * SIZE + 3] = RED
    scores, _ = floors.NearestNeighbour().act(View(board=board), None)
    solution, tiles = set(np.flatnonzero(np.isfinite(scores[0])).tolist()), {int(tile) for tile in answer}
    if tiles == solution:
        return True
    return f"tiles that are missing: {len(solution - tiles)}; tiles that do not belong: {len(tiles - solution)}"


@EXERCISES("01-your-player")
def _your_player(answer) -> bool | str:
    boards = records.sample("rectangle", 60, seed=20_231)
    items = scoring.Items(boards, records.draw_starts(boards, seed=20_231), "rectangle/abstract", "exercise")
    player = answer() if isinstance(answer, type) else answer
    if fault := misfit(getattr(player, "act", player), "act(view, state)"):
        return fault
    answers = scoring.judge(player, items, passes=4, seed=1)
    z = scoring.z_scores(answers, heuristic(items)).mean(axis=0)
    low, high = mean_interval(z)
    return high < 0 or f"on 60 new boards its z is {z.mean():.2f} [{low:.2f}, {high:.2f}], and that is not below 0"


@EXERCISES("01-corner")
def _corners(answer) -> bool | str:
    support = records.support("rectangle")
    count = sum(int(bits) & 1 for bits in support.bits)
    return number(answer, count, words=_MANY)


@EXERCISES("02-triples")
def _triples(answer) -> bool | str:
    return number(answer, STRAIGHT, words=_MANY)


@EXERCISES("02-third-order", "third_order(boards)")
def _third_order(answer) -> bool | str:
    boards = seeding.stream(20_232, "exercise").integers(0, 2, (50, SIZE, SIZE), np.uint8)
    solution, values = orders(boards)["third straight"].to_numpy(), np.asarray(answer(boards.copy()), dtype=float)
    if values.shape != solution.shape:
        return f"for 50 boards it returned an array of shape {values.shape}, and not 50 numbers"
    wrong = np.flatnonzero(values != solution)
    return f"{len(wrong)} of 50 random boards have another value than yours" if len(wrong) else True


@EXERCISES("02-your-judge", "my_judge(boards)")
def _your_judge(answer) -> bool | str:
    abstract, metamers = blind.draw("rectangle", 500, 20_232, "exercise")
    verdicts = np.asarray(answer(np.concatenate([abstract, metamers])))
    if verdicts.shape != (1000,) or verdicts.dtype != bool:
        return f"for 1,000 boards it returned {verdicts.dtype} of shape {verdicts.shape}, not True or False for each"
    n_right = int(verdicts[:500].sum() + (~verdicts[500:]).sum())
    low, high = wilson(n_right, 1000)
    floor = blind.floors(["rectangle"], seed=20_232).iloc[0]
    share = f"it judges {n_right / 1000:.2f} [{low:.2f}, {high:.2f}] of 1,000 boards rightly"
    return bool(low > floor.value) or f"{share}, and counting reds reaches {floor.value:.2f}"


@EXERCISES("03-first-entropy")
def _first_entropy(answer) -> bool | str:
    entropy = math.log(TILES - 1)  # one tile is open already
    verdict = number(answer, entropy, 0.005)
    return f"{verdict}; mind the unit" if isinstance(verdict, str) else verdict


@EXERCISES("03-passed")
def _passed(answer) -> bool | str:
    from cogkit.tiles.learners import training  # brings torch, which no other exercise needs

    log = training.load("lstm", task="rectangle/abstract").log
    step = int(log.step[log.validation < _HEURISTIC].iloc[0])
    return number(answer, step, words=("early", "late"))


@EXERCISES("03-advantages")
def _advantages(answer) -> bool | str:
    import torch  # heavy, as in `_passed`

    from cogkit.tiles.learners.training import generalised_advantages

    rewards, values = torch.tensor([[-0.1], [0.1], [1.0]]), torch.tensor([[0.0], [0.2], [0.5]])
    running = torch.tensor([[True], [True], [False]])
    solution = generalised_advantages(rewards, values, torch.zeros(1), running, gamma=0.9, lam=0.6)[:, 0].tolist()
    numbers = [float(value) for value in answer]
    if len(numbers) != len(solution):
        return f"the list has {len(numbers)} numbers, and there are three clicks"
    wrong = [place for place, (a, b) in enumerate(zip(numbers, solution, strict=True), 1) if not abs(a - b) < 0.005]
    return f"click {wrong[-1]} is not right; begin with the last click" if wrong else True


@EXERCISES("04-true-df")
def _true_df(answer) -> bool | str:
    cells = published.cells()
    df = int(cells.n.sum()) - len(cells)
    return answer == df or f"{answer} is not the number that is left after all means of cells are estimated"


@EXERCISES("04-unpinned")
def _unpinned(answer) -> bool | str:
    pinned = published.pinned()
    solution = sorted(set(PAPER_RULES) - set(pinned.rule))
    rules = sorted(str(rule) for rule in answer)
    listing = ", ".join(rules) or "nothing"
    return rules == solution or f"your list ({listing}) is not complete, or it holds a rule with a pinned cell"


@EXERCISES("13-stuck", "stopped(table)")
def _stopped(answer) -> bool | str:
    for table, solution in _lessons(seeding.stream(20_213, "exercise")):
        got = answer(table.copy())
        if got != solution:
            some = table[table.exercise == got] if got in _LESSON else table[:0]
            wrong = f", which {(some.state == 'wrong').sum()} have wrong and {(some.state == 'right').sum()} right"
            return (
                f"in a class of ours it names {str(got)[:20]!r}{wrong if len(some) else ''}; more are stuck elsewhere"
            )
    return True


def _lessons(rng: np.random.Generator) -> Iterator[tuple[pd.DataFrame, str]]:
    """Yield tables of a class, each with the exercise where most of its students are stuck."""
    made = 0
    while made < _CLASSES:
        rows, stuck = [], {str(name): 0 for name in _LESSON}
        easy = rng.uniform(0.2, 0.95, len(_LESSON))
        for k in range(_STUDENTS):
            states: list[str] = []
            going = True
            for chance in easy:
                states.append(("right" if rng.random() < chance else "wrong") if going else "open")
                going = states[-1] == "right" or (going and rng.random() < 0.7)
            touched = [name for name, state in zip(_LESSON, states, strict=True) if state != "open"]
            if states[len(touched) - 1] == "wrong":
                stuck[touched[-1]] += 1
            attempts = rng.integers(1, 7, len(_LESSON)) * [state != "open" for state in states]
            rows += zip([f"s-{k:02d}"] * len(_LESSON), _LESSON, states, attempts.tolist(), strict=True)
        first, second = sorted(stuck.values(), reverse=True)[:2]
        if first > second:
            made += 1
            columns = ["student", "exercise", "state", "attempts"]
            yield pd.DataFrame(rows, columns=columns), max(stuck, key=lambda name: stuck[name])


@EXERCISES("13-two-groups", "described(table)")
def _described(answer) -> bool | str:
    rng = seeding.stream(20_213, "groups")
    for _ in range(_CLASSES):
        n, k = int(rng.integers(8, 40)), int(rng.integers(2, 6))
        z = np.concatenate([rng.normal(0, 0.3, n - k), rng.normal(-3, 0.6, k)])
        half = rng.uniform(0.2, 0.8, n)
        names = [f"s-{i:02d}" for i in range(n)]
        table = pd.DataFrame({"student": names, "value": z, "low": z - half, "high": z + half})
        mean = z.mean()
        shares = (table.high < 0).mean(), ((table.low <= mean) & (mean <= table.high)).mean()
        numbers = [float(value) for value in answer(table.copy())]
        if len(numbers) != len(shares):
            return f"two numbers are asked for, and it returns {len(numbers)}"
        for got, share, what in zip(numbers, shares, ("lie below 0", "hold the mean"), strict=True):
            if not abs(got - share) < 1e-6:
                return f"in a class of {n} it says {got:.3f}, and that is not the share of intervals that {what}"
    return True


@EXERCISES("13-how-many", "how_many(first, last)")
def _how_many(answer) -> bool | str:
    rng = seeding.stream(20_213, "mixtures")
    for _ in range(_CLASSES):
        always, never, later = (int(rng.integers(4, 10)) for _ in range(3))
        counts = [always, never, later, _STUDENTS - always - never - later]
        sorts = np.repeat(["ideal", "near", "later", "random"], counts)
        firsts, lasts = zip(*(_halves(sort, rng) for sort in rng.permutation(sorts)), strict=True)
        got = float(answer(list(firsts), list(lasts)))
        if not abs(got - always - later) <= _OFF:
            return f"in a class of {_STUDENTS} it says {got:.4g}, and {always + later} know the rule at the end"
    return True


def _halves(sort: str, rng: np.random.Generator) -> tuple[float, float]:
    """Return the mean z of a student on ten boards, and on ten more at the end."""
    begin = "near" if sort == "later" else sort
    end = "ideal" if sort == "later" else sort
    rule = ("tree", "symmetry")[rng.integers(2)]
    first, last = (rng.choice(_games(rule)[player], 10).mean() for player in (begin, end))
    return float(first), float(last)


@cache
def _games(rule: str) -> dict[str, np.ndarray]:
    """Return the z of single games: of the ideal observer, of nearest neighbour, and of a player at random."""
    boards = records.sample(rule, 60, seed=20_213)
    items = scoring.Items(boards, records.draw_starts(boards, seed=20_213), f"{rule}/abstract", "exercise")
    players = {"ideal": observers.BayesGreedy.of(rule), "near": floors.NearestNeighbour(), "random": floors.Random()}
    yardstick = heuristic(items)
    return {
        name: scoring.z_scores(scoring.judge(player, items, passes=4, seed=1), yardstick).ravel()
        for name, player in players.items()
    }
