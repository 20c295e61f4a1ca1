"""The card of a made set of boards: what was checked of them, and how floors and the ideal observer play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cogkit.extras.datasets import cards
from cogkit.extras.datasets.cards import TEXT, WHOLE, Card, Column, Records
from cogkit.tiles import scoring
from cogkit.tiles.learners.observers import PLAYERS, player_has_a_task
from cogkit.tiles.problems import GENERATOR, records, yardstick
from cogkit.tiles.rules.boards import SIZE, Items, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, MOST

PAPER = (
    "Kumar, Dasgupta, Daw, Cohen & Griffiths (2023). Disentangling Abstraction from Statistical Pattern Matching in "
    "Human and Machine Learning. PLoS Computational Biology 19(8), e1011316. "
    "https://doi.org/10.1371/journal.pcbi.1011316"
)
METRICS = ("blue", "z")
_COLUMNS = {"rule": TEXT, "kind": TEXT, "number": WHOLE, "board": TEXT, "start_row": WHOLE, "start_column": WHOLE}


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the boards of a set with this config; see `cards.hash_of`."""
    return cards.hash_of("tiles", GENERATOR, config)


def card(config: Mapping[str, Any], parts: Mapping[tuple[str, str], Items]) -> Card:
    """Return the card of a set; ``parts`` are its boards by rule and kind."""
    seed = config["seed"]
    return Card(
        dataset="tiles",
        title="Boards of the tile game and their task metamers",
        item=(
            f"An item is a {SIZE}×{SIZE} board of red and blue tiles, and the red tile that is open at the beginning. "
            "A player opens all red tiles, and as few blue ones as possible. "
            "Boards of the kind abstract follow a rule. "
            "Metamers share the statistics of these boards and not the rule."
        ),
        options=config,
        items=items_of(config),
        splits={items.task: len(items) for items in parts.values()},
        task="reinforcement-learning",
        tags=("abstraction", "task-metamers", "meta-learning", "cognitive-science"),
        paper=PAPER,
        guarantees=(
            "A board of the kind abstract is drawn from all boards of its rule, with their exact probabilities.",
            "The boards of a file are all different, and no metamer is among the boards of its rule's file.",
            "A conditional network that learnt the statistics of a rule's boards makes its metamers.",
        ),
        checks=_checks(parts),
        floors=[row for items in parts.values() for row in _floors(items, seed)],
        measured=(
            f"Each player played every board once, with seed {seed}.",
            "The metric blue is the number of blue tiles that it opened. "
            "The metric z is that number in standard deviations of the nearest neighbour; lower is better.",
            "The ideal observer needs a rule, so it plays no metamers.",
        ),
        limits=(
            f"Everybody who has cogkit can make these very boards with seed {seed}. They are no secret test.",
            "The rules with few boards have boards in common with every other seed. Look for shared boards before you "
            "call a board new to a learner.",
            "The boards are not those of the paper. Do not compare single boards with its figures.",
        ),
        records=[Records("boards", {name: Column(kind) for name, kind in _COLUMNS.items()}, rows=_rows(parts))],
    )


def _rows(parts: Mapping[tuple[str, str], Items]) -> list[dict[str, Any]]:
    """Return every board as a row: its 49 tiles as text, 1 for red, and its start tile as row and column."""
    return [
        dict(zip(_COLUMNS, (rule, kind, k, "".join(map(str, board.ravel())), *divmod(int(start), SIZE)), strict=True))
        for (rule, kind), items in parts.items()
        for k, (board, start) in enumerate(zip(items.boards, items.starts, strict=True))
    ]


def _checks(parts: Mapping[tuple[str, str], Items]) -> list[str]:
    """Return what was checked of the boards, with the numbers."""
    fits = {part: records.check(part[0], items.boards) for part, items in parts.items()}
    abstract, metamers = (
        np.concatenate([fit for part, fit in fits.items() if part[1] == kind]) for kind in records.KINDS
    )
    reds = np.concatenate([items.boards.sum(axis=(1, 2)) for items in parts.values()])
    words = {part: set(to_bits(items.boards).tolist()) for part, items in parts.items()}
    repeats = sum(len(items) - len(words[part]) for part, items in parts.items())
    shared = sum(len(words[rule, "abstract"] & words[rule, "metamer"]) for rule, kind in parts if kind == "metamer")
    return [
        f"{abstract.sum()} of {len(abstract)} boards of the kind abstract satisfy their rule.",
        f"{metamers.sum()} of {len(metamers)} metamers satisfy the rule by chance.",
        f"{((reds >= FEWEST) & (reds <= MOST)).sum()} of {len(reds)} boards have {FEWEST} to {MOST} red tiles.",
        f"{repeats} boards repeat another one of their file, and {shared} metamers are boards of their rule's file.",
    ]


def _floors(items: Items, seed: int) -> list[dict[str, Any]]:
    """Return the rows of every player that needs no training on the boards of one task."""
    rows, rule = [], items.task.partition("/")[0]
    standard = yardstick.heuristic(items, seed=seed)
    for name, make in PLAYERS.items():
        if player_has_a_task(name, items.task):
            answers = scoring.judge(make(rule), items, seed=seed)
            rows += cards.floor_rows(items.task, scoring.result_rows(answers, yardstick=standard), METRICS)
    return rows
