"""Result rows, trial rows and manifests: what every learner, table and view agrees on. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("person", "proxy", "model", "floor", "observer")
"""The kinds of learner. A *learner* answers the items. The same code turns the answers of every learner into numbers.

- *person*: a person who did the task, here or in a published study.
- *proxy*: a simple learner that a paper uses in place of people.
- *model*: a mechanism that learns, or has learnt, the task: a network, a language model, a theory of how people learn.
- *floor*: a shortcut. It knows nothing about the abstraction, so its score is no evidence of abstraction.
- *observer*: it knows the rules that made the items and uses them fully. Its score is a ceiling; where it
  is none, a note says why.
"""
INPUTS = ("board", "pixels", "learned slots", "true slots", "captions", "symbols", "programs", "columns")
"""What a learner can be shown. The harness shows it nothing else: no answer, no certificate, no concept."""
SUPERVISION = (
    "", "answers", "answers and attributes", "answers and pictures", "answers and programs", "attributes", "boards",
    "names and attributes", "rewards",
)  # fmt: skip
"""What a learner was taught from, before it was asked. What an item itself shows, such as its context, is none of it.

========================== ============================================================================================
nothing (empty text)       It was not taught here: a person, a floor, an ideal observer, a model that learns within one
                           item alone, or a pretrained model that was asked as it is.
``answers``                The right answers to training items, and nothing else.
``answers and attributes`` Right answers, and before them the true attributes of the things in each picture, or of
                           the strokes in it.
``answers and pictures``   Right answers, and before them pictures without any labels (self-supervised).
``answers and programs``   Right answers, and before them the programs that draw each picture.
``attributes``             The true attributes of single pictures, things or strokes; there is no item to answer.
``boards``                 Boards of one rule without any labels (self-supervised).
``names and attributes``   The name of the thing in each picture, and a table of what each named thing is like.
``rewards``                A reward for each of its own choices (reinforcement learning).
========================== ============================================================================================
"""
RESULT_COLUMNS = (
    "cell", "instrument", "profile", "preset", "task", "split", "rung", "kind", "who", "inputs", "seed",
    "metric", "value", "low", "high", "interval", "n", "source", "supervision",
)  # fmt: skip
PLACE = ("split", "rung")
"""The two columns that follow from cell and task: what the items are a part of, and what is new in them (`splits`)."""
TRIAL_COLUMNS = (
    "sitting", "order", "at", "who", "kind", "instrument", "task", "item", "response", "correct",
    "score", "rt_s", "seed", "profile", "preset", "source", "extra",
)  # fmt: skip


def result_row(
    who: Mapping[str, str], task: str, metric: str, value: Any, n: int, limits: Iterable[Any] | None = None,
    interval: str = "", source: str = "cogkit",
) -> dict[str, Any]:  # fmt: skip
    """Return a result row: the ``RESULT_COLUMNS`` without those that the runner fills in.

    ``who`` has the columns who, kind, inputs and supervision. ``value`` is None if there is none. ``limits`` are low
    and high of the ``interval``, whose kind is a text such as ``95% Wilson``; None for no interval.
    """
    low, high = (None, None) if limits is None else map(float, limits)
    return {
        **who, "task": task, "metric": metric, "value": None if value is None else float(value), "low": low,
        "high": high, "interval": "" if limits is None else interval, "n": int(n), "source": source,
    }  # fmt: skip


def slug(text: str) -> str:
    """Return a text in small letters, digits and hyphens alone.

    Examples
    --------
    >>> slug("Meta-Baseline-SC (α = 2)")
    'meta-baseline-sc-2'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


@dataclass(frozen=True)
class Progress:
    """One report of a running computation; only code that draws the report calls ``view``."""

    step: int
    total: int
    metrics: Mapping[str, float]
    view: Callable[[], Any] | None = None


@dataclass(frozen=True)
class Manifest:
    """How a stored file was made. It is kept as JSON beside or inside everything that is stored.

    ``config`` is the result of `identity.plain`; ``items`` is the hash of the items, from `identity.items_of`.
    ``seconds`` are the CPU-seconds of the whole run: of its process, all threads, and of its child processes.
    ``device`` is the GPU that the run used, or else the model of the processor; cogkit 0.1 named the architecture.
    """

    cell: str
    config: Mapping[str, Any]
    profile: str
    preset: str
    seed: int
    versions: Mapping[str, str]
    device: str
    seconds: float
    commit: str
    items: str = ""
