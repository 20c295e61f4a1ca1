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

METRICS = ("blue", "z")
_COLUMNS = {"rule": TEXT, "kind": TEXT, "number": WHOLE, "board": TEXT, "start_row": WHOLE, "start_column": WHOLE}


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the boards of a set with this config; see `cards.hash_of`."""
    return cards.hash_of("tiles", GENERATOR, config)


def card(config: Mapping[str, Any], parts: Mapping[tuple[str, str], Items]) -> Card:
    """Return the card of a set; ``parts`` are its boards by rule and kind."""
    return Card(
        **cards.texts("tiles", config, size=SIZE, fewest=FEWEST, most=MOST, **_counts(parts)),
        options=config,
        items=items_of(config),
        splits={items.task: len(items) for items in parts.values()},
        floors=[row for items in parts.values() for row in _floors(items, config["seed"])],
        records=[Records("boards", {name: Column(kind) for name, kind in _COLUMNS.items()}, rows=_rows(parts))],
    )


def _rows(parts: Mapping[tuple[str, str], Items]) -> list[dict[str, Any]]:
    """Return every board as a row: its 49 tiles as text, 1 for red, and its start tile as row and column."""
    return [
        dict(zip(_COLUMNS, (rule, kind, k, "".join(map(str, board.ravel())), *divmod(int(start), SIZE)), strict=True))
        for (rule, kind), items in parts.items()
        for k, (board, start) in enumerate(zip(items.boards, items.starts, strict=True))
    ]


def _counts(parts: Mapping[tuple[str, str], Items]) -> dict[str, Any]:
    """Return the numbers of what was checked of the boards."""
    fits = {part: records.check(part[0], items.boards) for part, items in parts.items()}
    abstract, metamers = (
        np.concatenate([fit for part, fit in fits.items() if part[1] == kind]) for kind in records.KINDS
    )
    reds = np.concatenate([items.boards.sum(axis=(1, 2)) for items in parts.values()])
    words = {part: set(to_bits(items.boards).tolist()) for part, items in parts.items()}
    return {
        "abstract": f"{abstract.sum()} of {len(abstract)}",
        "metamers": f"{metamers.sum()} of {len(metamers)}",
        "within": f"{((reds >= FEWEST) & (reds <= MOST)).sum()} of {len(reds)}",
        "repeats": sum(len(items) - len(words[part]) for part, items in parts.items()),
        "shared": sum(len(words[rule, "abstract"] & words[rule, kind]) for rule, kind in parts if kind == "metamer"),
    }


def _floors(items: Items, seed: int) -> list[dict[str, Any]]:
    """Return the rows of every player that needs no training on the boards of one task."""
    rows, rule = [], items.task.partition("/")[0]
    standard = yardstick.heuristic(items, seed=seed)
    for name, make in PLAYERS.items():
        if player_has_a_task(name, items.task):
            answers = scoring.judge(make(rule), items, seed=seed)
            rows += cards.floor_rows(items.task, scoring.result_rows(answers, yardstick=standard), METRICS)
    return rows
