"""The card of a made set of episodes: what their certificates say, and what floors and observers choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.core.errors import some
from cogkit.extras.datasets import cards
from cogkit.extras.datasets.cards import Card
from cogkit.extras.datasets.mewl.archives import episode
from cogkit.extras.datasets.mewl.layout import Address
from cogkit.mewl import scoring
from cogkit.mewl.learners import floors
from cogkit.mewl.problems import GENERATOR
from cogkit.mewl.problems.episodes import CHANCE, OPTIONS, PANELS, TASKS

OWN = ("only", "open_hypotheses")  # options that choose among episodes
JUDGED = ("floor", "observer")
MOST = 30  # episodes of a part and task that are judged
EPISODES, PICTURES = {"episode-files": "*/info.json"}, {"picture-files": "*.png"}  # groups of files


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the episodes of a set with this config; see `cards.hash_of`."""
    return cards.hash_of("mewl", GENERATOR, config, *OWN)


def card(root: Path, config: Mapping[str, Any], options: Mapping[Address, int]) -> Card:
    """Return the card of the set in a folder; ``options`` are the options that can be right in each episode."""
    splits = Counter(f"{address.part}/{address.task}" for address in options)
    tasks = [task for task in TASKS if any(address.task == task for address in options)]
    values = {"panels": PANELS, "choices": OPTIONS, "chance": CHANCE, "judged": MOST, "n": len(options)}
    values |= {"unique": sum(count == 1 for count in options.values()), "tasks": some(tasks, 9, last=" and ")}
    texts, groups = cards.texts("mewl", config, **values), EPISODES | (PICTURES if config["images"] else {})
    texts["records"] = [records for records in texts["records"] if records.source in groups]
    return Card(
        **texts,
        options=config,
        items=items_of(config),
        splits=splits,
        floors=[row for split in splits for row in _floors(root, split, options, config)],
        groups=groups,
    )


def _floors(root: Path, split: str, addresses: Iterable[Address], config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of every floor and observer that knows the task, on the first episodes of a part and task."""
    own = sorted(address for address in addresses if f"{address.part}/{address.task}" == split)
    episodes, rows = [episode(root, address) for address in own[:MOST]], []
    for learner in map(floors.reference, floors.REFERENCES):
        if learner.kind in JUDGED and episodes[0].task in learner.tasks:
            answers = scoring.judge(learner, episodes, profile=config["profile"], seed=config["seed"])
            with np.errstate(all="ignore"):  # text alone may settle all of a few episodes: nothing lies above it then
                summary = scoring.result_rows(answers)
            whole = [row for row in summary if row["task"] == answers.task]
            rows += cards.floor_rows(split, whole, [scoring.ACCURACY])
    return rows
