"""The card of a made set of episodes: what their certificates say, and what floors and observers choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cogkit.core.errors import some
from cogkit.extras.datasets import cards
from cogkit.extras.datasets.cards import PICTURE, TEXT, WHOLE, Card, Column, Records
from cogkit.extras.datasets.mewl.archives import Archive
from cogkit.extras.datasets.mewl.layout import Address
from cogkit.mewl import scoring
from cogkit.mewl.learners import floors
from cogkit.mewl.problems import GENERATOR
from cogkit.mewl.problems.episodes import CHANCE, OPTIONS, PANELS, TASKS, Episode

PAPER = (
    "Jiang, Xu, Xin, Liang, Peng, Zhang & Zhu (2023). MEWL: Few-shot multimodal word learning with referential "
    "uncertainty. Proceedings of the 40th International Conference on Machine Learning (PMLR 202). "
    "https://arxiv.org/abs/2306.00503"
)
OWN = ("only", "open_hypotheses")  # options that choose among episodes
JUDGED = ("floor", "observer")
MOST = 30  # episodes of a part and task that are judged
EPISODES, PICTURES = "episode-files", "picture-files"
_PATH = {"fileProperty": "fullpath"}


def items_of(config: Mapping[str, Any]) -> str:
    """Return the hash of the episodes of a set with this config; see `cards.hash_of`."""
    return cards.hash_of("mewl", GENERATOR, config, *OWN)


def card(root: Path, config: Mapping[str, Any], options: Mapping[Address, int]) -> Card:
    """Return the card of the set in a folder; ``options`` are the options that can be right in each episode."""
    archive, seed = Archive(root), config["seed"]
    splits = Counter(f"{address.part}/{address.task}" for address in options)
    tasks = [task for task in TASKS if any(address.task == task for address in options)]
    unique = sum(count == 1 for count in options.values())
    rules = {
        "verified": (
            "The exact solver of the task finds one right option in every episode.",
            "Every word of an episode is heard. No word is English, and no two parts share a syllable of their words.",
            "The order of words and options gives no hint.",
        ),
        "as_published": (
            "Episodes follow the published rules, which leave some of them with several right options, or with none.",
        ),
    }[config["profile"]]
    return Card(
        dataset="mewl",
        title="MEWL word learning",
        item=(
            f"An item is an episode: {PANELS} scenes with an utterance of new words, another scene, and {OPTIONS} "
            f"options for its utterance. One is right. The tasks are {some(tasks, 9, last=' and ')}."
        ),
        options=config,
        items=items_of(config),
        splits=splits,
        task="visual-question-answering",
        tags=("abstraction", "word-learning", "referential-uncertainty", "cognitive-science"),
        paper=PAPER,
        guarantees=rules,
        checks=(
            f"The exact solver finds one right option in {unique} of {len(options)} episodes.",
            "Every episode has its certificate in info.json: what each solver finds, and how far each shortcut gets.",
        ),
        floors=[row for split in splits for row in _floors(_first(archive, split), split, config["profile"], seed)],
        measured=(
            f"The first {MOST} episodes of each part and task were judged, or all if there are fewer.",
            f"They were read back from the files. Guessing among {OPTIONS} options gives {CHANCE:.3f}.",
            "The floor called text alone sees no picture. A learner that is no better has learnt no word.",
        ),
        limits=(
            f"Everybody who has cogkit can make these very episodes with seed {seed}. They are no secret test.",
            "Text alone beats guessing in most tasks. Compare a score with the floors above.",
            "The words are invented. The episodes say nothing about a learner's knowledge of any language.",
        ),
        records=_records(config["images"] is not None),
        groups={EPISODES: "*/info.json"} | ({PICTURES: "*.png"} if config["images"] else {}),
    )


def _records(pictures: bool) -> list[Records]:
    columns = {
        "path": Column(TEXT, _PATH),
        "part": Column(TEXT, _PATH, {"regex": "([^/]+)/"}),
        "task": Column(TEXT, _PATH, {"regex": "[^/]+/([^/]+)/"}),
        "number": Column(WHOLE, {"jsonPath": "$.cogkit.number"}),
        "panels": Column(TEXT, {"jsonPath": "$.context_panels"}, {"jsonPath": "$.name"}, repeated=True),
        "options": Column(TEXT, {"jsonPath": "$.question.choices"}, repeated=True),
        "answer": Column(TEXT, {"jsonPath": "$.question.answer"}),
    }
    records = [Records("episodes", columns, EPISODES)]
    if pictures:
        columns = {"path": Column(TEXT, _PATH), "picture": Column(PICTURE, {"fileProperty": "content"})}
        records.append(Records("pictures", columns, PICTURES))
    return records


def _first(archive: Archive, split: str) -> list[Episode]:
    part, task = split.split("/")
    addresses = [address for address in archive.addresses if (address.part, address.task) == (part, task)]
    return [archive.episode(*address) for address in addresses[:MOST]]


def _floors(episodes: Sequence[Episode], split: str, profile: str, seed: int) -> list[dict[str, Any]]:
    """Return the rows of every floor and observer that knows the task of some episodes."""
    rows = []
    for learner in map(floors.reference, floors.REFERENCES):
        if learner.kind in JUDGED and episodes[0].task in learner.tasks:
            answers = scoring.judge(learner, episodes, profile=profile, seed=seed)
            with np.errstate(all="ignore"):  # text alone may settle all of a few episodes: nothing lies above it then
                summary = scoring.result_rows(answers)
            whole = [row for row in summary if row["task"] == answers.task]
            rows += cards.floor_rows(split, whole, [scoring.ACCURACY])
    return rows
