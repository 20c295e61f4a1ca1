"""Boards won, whether they are the same ones, and what a rule adds: against loops, the library, and known chances."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.tiles import scoring
from cogkit.tiles.learners import board_errors, floors
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import figures
from cogkit.ui.alt import describe


def test_a_board_is_won_under_the_heuristics_mean_and_twins_stay_apart():
    boards = np.zeros((3, 7, 7), int)
    boards[0, 0, :3] = boards[1, 6, 2:5] = boards[2, 0, :3] = 1
    items = Items(boards, [0, 44, 0], "mine/abstract", "test")
    answers = scoring.judge(floors.Random(), items, passes=2, seed=3)
    yardstick = heuristic(items, seed=3)
    table = scoring.wins(answers, yardstick, "me")
    assert list(table) == list(scoring.WIN_COLUMNS) and set(table.who) == {"me"} and set(table.rule) == {"mine"}
    assert table.board.nunique() == 3 and table.board[0].split("#")[0] == table.board[2].split("#")[0]
    for row, (game, board) in zip(table.itertuples(), np.ndindex(2, 3), strict=True):
        assert row.game == game and row.win == (answers.blue[game, board] < yardstick.mean[board])


def test_every_network_and_floor_plays_both_kinds_of_boards(use_mirror):
    table = board_errors.wins(2, seed=1, rules=["tree"])
    assert table.groupby(["who", "kind", "game"]).size().eq(25).all() and table.who.nunique() == 4
    items = records.items("tree/metamer")
    blue = scoring.judge(floors.NearestNeighbour(), items, passes=2, seed=1).blue
    won = table[(table.who == "nearest neighbour") & (table.kind == "metamer")].win
    assert won.tolist() == (blue < heuristic(items, seed=1).mean).astype(int).ravel().tolist()


def simulated(players: dict[str, tuple[float, float]], rules: int = 8, boards: int = 50) -> pd.DataFrame:
    """Each player's chance on metamers and on the rule's boards; two games, the second a copy of the first."""
    rng, rows = np.random.default_rng(0), []
    for who, chances in players.items():
        for rule in range(rules):
            for kind, chance in zip(records.KINDS[::-1], chances, strict=True):
                won = rng.random(boards) < chance
                rows += [(who, f"r{rule}", kind, f"{kind} {b}", g, int(won[b])) for g in (0, 1) for b in range(boards)]
    return pd.DataFrame(rows, columns=list(scoring.WIN_COLUMNS))


def test_pairs_are_those_of_the_library_and_a_copy_is_at_its_ceiling():
    assert records.KINDS == ("abstract", "metamer")
    table = simulated({"a": (0.5, 0.6), "b": (0.5, 0.7)})
    pairs = board_errors.consistency(table, np.random.default_rng(1)).set_index(["first", "second"])
    assert list(pairs.index) == [("a", "again"), ("b", "again"), ("a", "b")]
    assert pairs.kappa.iloc[:2].tolist() == [1, 1] and set(pairs.group.iloc[:2]) == {board_errors.TWICE}
    first = table[(table.kind == "abstract") & (table.game == 0)]
    a, b = (first[first.who == who].win.to_numpy() for who in "ab")
    clusters = first[first.who == "a"].rule
    table = pd.DataFrame({"a": a, "b": b})
    alone = stats.error_consistency_table(table, np.random.default_rng(0), clusters=clusters).iloc[0]
    assert pairs.loc[("a", "b"), ["kappa", "kappa_max", "n"]].tolist() == [alone.kappa, alone.kappa_max, 400]
    figure = figures.same_losses(pairs.reset_index())
    assert figure.data[1].x.tolist() == pairs.kappa.tolist() and figure.data[0].x.tolist() == pairs.kappa_max.tolist()
    assert f"a · b: {alone.kappa:.2f}" in describe(figure)


def test_the_gain_is_the_log_odds_of_the_simulation_and_agents_cost_certainty():
    chances = {"network of the rule": (0.5, 0.5), "network of metamers": (0.5, 0.5), "majority": (0.3, 0.7)}
    table = board_errors.gains(simulated(chances)).set_index(["analysis", "note"])
    assert table.index.get_level_values(0).tolist() == ["network"] * 2 + ["majority"] * 2
    wide = table.high - table.low
    for who, gain in (("network", 0.0), ("majority", 2 * np.log(0.7 / 0.3))):
        both = table.loc[who]
        assert ((both.low < gain) & (gain < both.high)).all() and wide[who].iloc[1] > wide[who].iloc[0]
    assert (table.n == 2 * 8 * 50 * 2).all()  # a network only on the boards of its own kind
    figure = figures.gains(table.reset_index())
    assert figure.data[0].x.tolist() == table.estimate.tolist() and "n = 1,600" in figure.layout.title.text
