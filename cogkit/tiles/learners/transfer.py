"""How trained agents transfer: from one task to another, and between the two evaluation profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cogkit.core.records import result_row
from cogkit.stats import mean_interval
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, memory
from cogkit.tiles.learners.agents import ALL_RULES, MIXTURE
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.symmetries import SYMMETRIES

MEMORY = "memory"
_TRAINED_ON = "z, trained on "  # begins the metric of a stored matrix
_PROFILES = ("as_published", "verified")
_PAIR = ["trained", "tested"]


def matrix(agent: str, passes: int, seed: int = 0, tasks: Sequence[str] = records.CONDITIONS) -> pd.DataFrame:
    """Return how the shipped agent of each task does on the held-out boards of every task (Fig. S8).

    ``agent`` is a name in `agents.KINDS`. With ``memory`` three floors play in its place, which hold the training
    boards of the LSTM of each task. Each board is played ``passes`` times.

    One row per pair of tasks: who, trained, tested (tasks such as ``copy/abstract``), and z as value, low, high, n, the
    interval over boards. The pool of an agent holds no test board of its own rule or of its metamers. It may hold a
    few of another rule, since a small cross is a board of several rules: they are left out, and n says how many boards
    are not.

    Raises
    ------
    InputError
        An agent is not shipped.

    Examples
    --------
    >>> matrix("lstm", 1, tasks=["tree/abstract", "pyramid/abstract"])[["trained", "tested", "n"]].values.tolist()[1]
    ['tree/abstract', 'pyramid/abstract', 25]
    """
    tests = [records.items(task) for task in tasks]
    yardsticks = [heuristic(items, seed=seed) for items in tests]
    every = Items(  # with a few passes, one game of all boards is several times as fast as one for each task
        np.concatenate([items.boards for items in tests]), np.concatenate([items.starts for items in tests]),
        "every/task", tests[0].source,
    )  # fmt: skip
    ends, rows = np.cumsum([len(items) for items in tests])[:-1], []
    for trained in tasks:
        config = agents.config("lstm" if agent == MEMORY else agent, "lab", task=trained)
        new = ~agents.overlap(config, 0, every.boards)
        part = Items(every.boards[new], every.starts[new], every.task, every.source)
        for player in _players(agent, config):
            charged = np.full(len(every), np.nan)
            charged[new] = scoring.judge(player, part, passes=passes, seed=seed).charged.mean(axis=0)
            for tested, blue, yardstick in zip(tasks, np.split(charged, ends), yardsticks, strict=True):
                z = yardstick.z(blue)[~np.isnan(blue)]
                rows.append((player.name, trained, tested, z.mean(), *mean_interval(z), len(z)))
    return pd.DataFrame(rows, columns=["who", "trained", "tested", "value", "low", "high", "n"])


def _players(agent: str, config: agents.AgentConfig) -> list:
    if agent == MEMORY:
        pool = agents.pools(config, 0).train
        return [memory.Memory(pool, "soft", SYMMETRIES), memory.Fragments(pool, 3), memory.Fragments(pool, 5)]
    from cogkit.tiles.learners import training  # brings torch, which reading a stored matrix does not need

    return [training.load(agent, task=config.task)]


@dataclass(frozen=True)
class TransferConfig:
    """A `matrix` to store: of which kind of agents or of memory, and how many games on each board."""

    agent: str
    games: int


def transferred(config: TransferConfig, profile: str, seed: int) -> list[dict]:
    """Return a `matrix` as result rows, the same under every profile; `stored` reads them."""
    table = matrix(config.agent, config.games, seed)
    who = {"kind": "model", "inputs": "board", "supervision": "rewards"}
    if config.agent == MEMORY:
        who |= {"kind": "floor", "supervision": ""}
    return [
        result_row(
            who | {"who": row.who}, row.tested, f"{_TRAINED_ON}{row.trained}", row.value, row.n, (row.low, row.high),
            "95% t, boards", records.items(row.tested).source,
        )
        for row in table.itertuples()
    ]  # fmt: skip


def stored(rows: pd.DataFrame, who: str = "LSTM") -> pd.DataFrame:
    """Return the `matrix` of a kind of agents, or of a floor of memory, from result rows of the instrument.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> len(stored(shipped("tiles")))
    256
    """
    part = rows[rows.metric.str.startswith(_TRAINED_ON) & (rows.who == who)]
    table = part.assign(trained=part.metric.str.removeprefix(_TRAINED_ON), tested=part.task)
    return table[["who", *_PAIR, "value", "low", "high", "n"]].reset_index(drop=True)


def both_kinds(table: pd.DataFrame) -> pd.DataFrame:
    """Return of a `matrix` how the agents of each rule, and of its metamers, do on both kinds of its boards (Fig. S5).

    One row per agent and kind of boards: who, rule, trained, tested (abstract or metamer), value, low, high, n.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> both_kinds(stored(shipped("tiles")))[["rule", "trained", "tested"]].values.tolist()[0]
    ['copy', 'abstract', 'abstract']
    """
    (rule, learnt), (other, tested) = (table[name].str.partition("/")[[0, 2]].T.values for name in _PAIR)
    table = table.assign(rule=rule, trained=learnt, tested=tested)[rule == other]
    return table[["who", "rule", *_PAIR, "value", "low", "high", "n"]].reset_index(drop=True)


def of_all_rules(rows: pd.DataFrame) -> pd.DataFrame:
    """Return how agents that learnt the boards of all rules do on both kinds of boards of each rule (Fig. S6).

    ``rows`` are result rows of the instrument. Columns are those of `both_kinds`, and ``trained`` is *all rules*.

    Examples
    --------
    >>> row = {"cell": "tiles/lstm/mixture/abstract", "who": "LSTM, all rules", "kind": "model", "metric": "z", "n": 25}
    >>> row |= {"task": "tree/metamer", "value": -1.5, "low": -2.0, "high": -1.0}
    >>> of_all_rules(pd.DataFrame([row]))[["who", "rule", "trained", "tested"]].values.tolist()
    [['LSTM', 'tree', 'all rules', 'metamer']]
    """
    table = rows[(rows.kind == "model") & (rows.metric == "z") & rows.cell.str.endswith(f"/{MIXTURE}")]
    rule, tested = table.task.str.partition("/")[[0, 2]].T.values
    who = table.who.str.removesuffix(ALL_RULES)
    table = table.assign(who=who, rule=rule, trained=ALL_RULES.removeprefix(", "), tested=tested)
    return table[["who", "rule", *_PAIR, "value", "low", "high", "n"]].reset_index(drop=True)


def blocking(agent, items: Items, passes: int = 15, seed: int = 0) -> pd.DataFrame:
    """Return the scores of one agent under each profile: the published evaluation and the corrected one.

    The paper goes through the boards 15 times.

    One row per profile: ``boards reached``, how many boards were ever played; ``finished``, the share of games with all
    reds open; ``blue``, as charged; ``z``; ``pinned passes``, those that scored as if no board had been finished; and
    ``pinned z``, that score.

    Examples
    --------
    >>> from cogkit.tiles.learners import floors
    >>> boards = records.items("tree/abstract", "generated")
    >>> blocking(floors.NeverFinishes(), boards, passes=3)["pinned passes"].tolist()
    [3, 0]
    """
    yardstick, rows = heuristic(items, seed=seed), []
    every = (1 - items.boards).sum(axis=(1, 2), dtype=float)
    pinned = yardstick.z(every).mean()
    for profile in _PROFILES:
        answers = scoring.judge(agent, items, profile=profile, passes=passes, seed=seed)
        z = scoring.z_scores(answers, yardstick)
        rows.append({
            "profile": profile, "boards reached": len(set(answers.played.ravel().tolist())),
            "finished": answers.finished.mean(), "blue": answers.charged.mean(), "z": z.mean(),
            "pinned passes": int((~answers.finished).all(axis=1).sum()), "pinned z": pinned,
        })  # fmt: skip
    return pd.DataFrame(rows)
