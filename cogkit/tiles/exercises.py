"""The exercises of the tile notebooks: the check of each answer computes the solution by playing or counting."""

from __future__ import annotations

import math

import numpy as np

from cogkit.core import seeding
from cogkit.stats import mean_interval, wilson
from cogkit.study.exercises import Exercises, misfit, number
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors
from cogkit.tiles.paper import published
from cogkit.tiles.people import blind
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.game import RED, View
from cogkit.tiles.rules.orders import STRAIGHT, orders

EXERCISES = Exercises(__file__)

_MANY = ("few", "many")
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
    solution = sorted(set(records.RULES) - set(pinned.rule))
    rules = sorted(str(rule) for rule in answer)
    told = ", ".join(rules) or "nothing"
    return rules == solution or f"your list ({told}) is not complete, or it holds a rule with a pinned cell"
