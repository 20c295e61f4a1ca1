"""Board by board: which boards a player wins, whether two players lose the same ones, and what a rule adds.

A player wins a board if it opens fewer blue tiles than the nearest neighbour does on average. The published scores hold
one mean a person, so no person but the reader can be judged this way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cogkit import stats
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, training
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules import PAPER_RULES

PLAYERS = {
    "network of the rule": lambda rule: training.load("lstm", task=f"{rule}/abstract"),
    "network of metamers": lambda rule: training.load("lstm", task=f"{rule}/metamer"),
    "nearest neighbour": lambda rule: floors.NearestNeighbour(),
    "majority": floors.Majority,
}
_AGAIN = ", again"
TWICE, TWO = "one player, two games", "two players"
UNITS = {"rules": ["rule"], "rules and agents": ["rule", "agent"]}  # columns with random effects
_TRAINED_ON = {"network of the rule": "abstract", "network of metamers": "metamer"}


def wins(passes: int, seed: int = 0, rules: Sequence[str] = PAPER_RULES) -> pd.DataFrame:
    """Return which boards each of `PLAYERS` won, on the held-out boards of each rule and of its metamers.

    As `scoring.wins`.

    Examples
    --------
    >>> wins(1, rules=["tree"]).groupby("kind").size().tolist()
    [100, 100]
    """
    tables = []
    for rule in rules:
        tests = [records.items(f"{rule}/{kind}") for kind in records.KINDS]
        yardsticks = [heuristic(items, seed=seed) for items in tests]
        for who, player in PLAYERS.items():
            for items, yardstick in zip(tests, yardsticks, strict=True):
                answers = scoring.judge(player(rule), items, passes=passes, seed=seed)
                tables.append(scoring.wins(answers, yardstick, who))
    return pd.concat(tables, ignore_index=True)


def consistency(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return whether players lose the same boards of the rules, one row per pair.

    The table is as `scoring.wins`, of several players; ``rng`` is for a bootstrap that resamples whole rules.

    As `stats.error_consistency_table`, and ``group``: first each player in its first game beside itself in its second,
    which is as alike as errors can be for all its luck; then the players in their first games.
    """
    boards = table[(table.kind == "abstract") & (table.game < 2)]
    player = boards.who.where(boards.game == 0, boards.who + _AGAIN)
    wide = boards.assign(player=player).pivot(index=["rule", "board"], columns="player", values="win")
    wide = wide[list(dict.fromkeys(player))]  # pandas sorts them by name
    pairs = stats.error_consistency_table(wide, rng, clusters=wide.index.get_level_values("rule"))
    one_player, other_player = pairs["first"], pairs["second"]
    within = pairs[other_player == one_player + _AGAIN].assign(second="again", group=TWICE)
    between = pairs[~(one_player + other_player).str.contains(_AGAIN)].assign(group=TWO)
    return pd.concat([within, between], ignore_index=True)


def gains(table: pd.DataFrame) -> pd.DataFrame:
    """Return how much more often each player wins boards of a rule than of its metamers, in log odds.

    Only first games count, so that each player meets a board once, and a network only the kind of boards that it was
    trained on: one network a rule, another for its metamers. The table is as `wins`.

    Columns analysis (the player), estimate, low, high, n (games), note: each player under each of `UNITS`. An agent is
    one player on one rule or on its metamers.

    Notes
    -----
    ``win ~ player + player:abstract``, with a random intercept for each level of the units; see
    `stats.mixed_logistic`.
    """
    trained_on = table.who.map(_TRAINED_ON).fillna(table.kind)
    frame = table[(trained_on == table.kind) & (table.game == 0)].assign(abstract=lambda f: (f.kind == "abstract") * 1)
    frame["who"] = frame.who.replace(dict.fromkeys(_TRAINED_ON, "network"))
    frame["agent"] = frame.who + " " + frame.rule + " " + frame.kind
    fits = {
        units: stats.mixed_logistic(frame, "win ~ 0 + who + who:abstract", columns).set_index("term")
        for units, columns in UNITS.items()
    }
    rows = []
    for who in dict.fromkeys(frame.who):
        for units, model in fits.items():
            effect = model.loc[f"who[{who}]:abstract", ["estimate", "low", "high", "n", "groups"]]
            note = f"what varies: {units} (n = {effect.pop('groups')})"
            rows.append({"analysis": who, **effect, "note": note})
    return pd.DataFrame(rows)
