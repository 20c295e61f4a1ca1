"""Splits of MEWL: new episodes of the same kind, and families of episodes that training never holds."""

from __future__ import annotations

from cogkit.core import presets
from cogkit.core.splits import Split
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.families import FAMILIES

_NEW = "new episodes"
_NOTE = "Things, values and relations recur in every part, as published; words mean something else in each episode."
_PLACES = {task: (f"{task}, {_NEW}", "iid") for task in TASKS}
_PLACES |= {task: (f"{family.task}, {family.name}", family.rung) for task, family in FAMILIES.items()}
_TASKS = {name: task for task, (name, _) in _PLACES.items()}


def names() -> tuple[str, ...]:
    """Return the names of all splits: one a task, and the families.

    Examples
    --------
    >>> names()[0], names()[9]
    ('shape, new episodes', 'color, two unseen')
    """
    return tuple(_TASKS)


def split(name: str, profile: str = "verified") -> Split:
    """Return a split of 3,000, 600 and 600 episodes, which takes some seconds to make, and of some families a minute.

    Examples
    --------
    >>> parts = split("number, 5-6")
    >>> parts.task, parts.rung, len(parts.train), len(parts.test)
    ('number/5-6', 'extrapolation', 3000, 600)
    """
    task = task_of(name)
    train, val, test = (items(task, part, profile=profile) for part in ("train", "val", "test"))
    bound, note = (FAMILIES[task].bound, FAMILIES[task].note) if task in FAMILIES else (0.6, _NOTE)
    return Split(name, task, test.rung, train, val, test, bound, note)


def items(
    task: str, part: str = "test", n: int | None = None, profile: str = "verified", seed: int = 0
) -> making.Items:
    """Return the first episodes of a task, which may be that of a family, as items; see `making.episodes_of`.

    Examples
    --------
    >>> items("material/red-never-metal", n=2)[1].trial.query.things[0].material
    'metal'
    """
    episodes = making.episodes_of(task, part, n, profile, seed)
    name, rung = place(task)
    return making.Items(episodes, "mewl", task, part, presets.profile(profile), seed, split=name, rung=rung)


def task_of(name: str) -> str:
    """Return the task of a split's result rows.

    Examples
    --------
    >>> task_of("shape, new episodes"), task_of("color, two unseen")
    ('shape', 'color/two-unseen')
    """
    return _TASKS[presets.choose(name, _TASKS, "split")]


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task; episodes of training and validation have none.

    One row of *composite* is of names whose two words stand together under no panel.

    Examples
    --------
    >>> place("color/two-unseen"), place("train/color/two-unseen")
    (('color, two unseen', 'interpolation'), ('', ''))
    """
    name, _, part = task.partition("/")
    if part and task not in _PLACES and name in TASKS:
        return f"{name}, {part}", "composition"
    return _PLACES.get(task, ("", ""))
