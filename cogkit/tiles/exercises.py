"""The exercises of the tile notebooks: how each answer is judged, by playing or counting and never by a stored key."""

from __future__ import annotations

import numpy as np

from cogkit.contracts import Exercise
from cogkit.stats import mean_interval
from cogkit.tiles import people, problems, references, scoring
from cogkit.tiles.boards import SIZE, TILES
from cogkit.tiles.game import RED, View


def _first_click(answer) -> bool | str:
    shown = np.full((1, TILES), -1, np.int8)
    shown[0, 3 * SIZE + 3] = RED
    scores, _ = references.NearestNeighbour().act(View(board=shown), None)
    wanted, given = set(np.flatnonzero(np.isfinite(scores[0])).tolist()), {int(tile) for tile in answer}
    if given == wanted:
        return True
    missing, extra = len(wanted - given), len(given - wanted)
    return f"{missing} tiles are missing and {extra} are too many"


def _your_player(answer) -> bool | str:
    boards = problems.sample("rectangle", 60, seed=20_231)
    items = scoring.Items(boards, problems.draw_starts(boards, seed=20_231), "rectangle/abstract", "exercise")
    player = answer() if isinstance(answer, type) else answer
    answers = scoring.judge(player, items, passes=4, seed=1)
    z = scoring.z_scores(answers, references.heuristic(items)).mean(axis=0)
    low, high = mean_interval(z)
    return True if high < 0 else f"its z on 60 fresh boards is {z.mean():.2f} [{low:.2f}, {high:.2f}], not below 0"


def _corners(answer) -> bool | str:
    support = problems.support("rectangle")
    wanted = sum(int(bits) & 1 for bits in support.bits)
    return True if answer == wanted else f"{answer} is {'too few' if answer < wanted else 'too many'}"


def _true_df(answer) -> bool | str:
    cells = people.cells()
    wanted = int(cells.n.sum()) - len(cells)
    return True if answer == wanted else "rows minus the number of cell means the model estimates is wanted"


def _unpinned(answer) -> bool | str:
    pinned = people.pinned()
    wanted = sorted(set(problems.RULES) - set(pinned.rule))
    given = sorted(str(rule) for rule in answer)
    return True if given == wanted else f"{', '.join(given) or 'nothing'} is not the whole list, or holds a pinned rule"


EXERCISES = {
    "01-first-click": Exercise(
        _first_click, "the eight tiles that touch the open one, corners included: 7·row + column each"
    ),
    "01-corner": Exercise(_corners, "fix one corner at the top left; how many places are left for the opposite one?"),
    "01-your-player": Exercise(_your_player, "prefer covered tiles that continue a line of open red tiles"),
    "04-true-df": Exercise(_true_df, "1,039 rows, and 2 × 2 × 8 cell means"),
    "04-unpinned": Exercise(_unpinned, "look for rules where no agent cell repeats one value"),
}
