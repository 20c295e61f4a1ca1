"""One module for each task: it makes and solves episodes, and lists shortcuts that need no pictures."""

from __future__ import annotations

from types import ModuleType

from cogkit.core.presets import choose
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import bootstrap, color, composite, material, number, object, pragmatic, relation, shape

_MODULES = (shape, color, material, object, composite, relation, bootstrap, number, pragmatic)
_BY_NAME: dict[str, ModuleType] = dict(zip(TASKS, _MODULES, strict=True))
# The tasks whose words name values of one attribute.
NAMED = tuple(name for name, task_module in _BY_NAME.items() if "open" in task_module.SOLVERS)


def module(task: str) -> ModuleType:
    """Return the module of a task.

    Examples
    --------
    >>> module("relation").WORDS
    3
    """
    return _BY_NAME[choose(task, TASKS, "task")]
