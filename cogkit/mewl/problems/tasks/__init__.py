"""One module for each task: it makes and solves episodes, and lists shortcuts that need no pictures.

Three tasks are about one attribute each and share the module `attribute`.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

from cogkit.core.presets import choose
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import attribute, bootstrap, composite, number, object, pragmatic, relation

NAMED = ("shape", "color", "material")  # the tasks whose words name values of one attribute
_BY_NAME: dict[str, ModuleType | SimpleNamespace] = {name: attribute.about(name) for name in NAMED} | {
    "object": object, "composite": composite, "relation": relation, "bootstrap": bootstrap, "number": number,
    "pragmatic": pragmatic,
}  # fmt: skip


def module(task: str) -> ModuleType | SimpleNamespace:
    """Return the module of a task.

    Examples
    --------
    >>> module("relation").WORDS
    3
    """
    return _BY_NAME[choose(task, TASKS, "task")]
