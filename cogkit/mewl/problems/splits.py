"""Splits of MEWL: test episodes are drawn as those in training are, and one kind of name is new."""

from __future__ import annotations

from cogkit.core import presets
from cogkit.core.splits import Split
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS

_NEW = "new episodes"
_NOTE = "Things, values and relations recur in every part, as published; words mean something else in each episode."


def names() -> tuple[str, ...]:
    """Return the names of all splits, one a task.

    Examples
    --------
    >>> names()[0]
    'shape, new episodes'
    """
    return tuple(f"{task}, {_NEW}" for task in TASKS)


def split(name: str, profile: str = "verified") -> Split:
    """Return a split of the episodes of a task, all 4,200 of them, which takes some seconds to make."""
    task = presets.choose(name, names(), "split").partition(",")[0]
    train, val, test = (
        making.Items(making.episodes_of(task, part, None, profile), "mewl", task, part, profile, split=name, rung="iid")
        for part in ("train", "val", "test")
    )
    return Split(name, task, "iid", train, val, test, 0.6, _NOTE)


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task; episodes of training and validation have none.

    Test episodes are drawn as those in training are. Only one row of *composite* is of names whose two parts never
    stood together in training.

    Examples
    --------
    >>> place("shape"), place("composite/unseen pair"), place("train/shape")
    (('shape, new episodes', 'iid'), ('composite, unseen pair', 'composition'), ('', ''))
    """
    name, _, part = task.partition("/")
    if name not in TASKS:
        return "", ""
    return (f"{name}, {part}", "composition") if part else (f"{name}, {_NEW}", "iid")
