"""What is new in the test episodes of MEWL."""

from __future__ import annotations

from cogkit.mewl.problems.episodes import TASKS


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
    return (f"{name}, {part}", "composition") if part else (f"{name}, new episodes", "iid")
