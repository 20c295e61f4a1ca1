"""How items are put to a language model: an instrument's module of this extra defines ``INTERVIEW``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cogkit.core.study import Sat


@dataclass(frozen=True)
class Interview:
    """How an instrument asks a language model, for ``cogkit ask`` and every other place that asks one.

    Attributes
    ----------
    tasks : callable
        ``tasks() -> sequence of str``, the tasks that can be asked.
    items : callable
        ``items(task, n, *, profile, seed) -> items`` of a task, made and certified from the seed. They have a length,
        and a slice of them is items too.
    n : int
        How many items of a task are asked if nobody says how many.
    learner : callable
        ``learner(participant, task, *, how, pictures, seed) -> learner``: the `lm.learner.PromptedLearner` that puts
        the items of this task into words, or shows them as pictures.
    judge, result_rows : callable
        Those of the instrument's ``scoring``.
    pictures : callable or None
        ``pictures() -> sequence of str``, the tasks whose items can be shown as pictures; None if there are none.
    sitting : callable or None
        ``sitting(task, *, profile, seed) -> Sat``, the items of a person's sitting with this seed, without its
        attention checks; None if people do not sit a study of this instrument.
    """

    tasks: Callable[[], Sequence[str]]
    items: Callable[..., Any]
    learner: Callable[..., Any]
    judge: Callable[..., Any]
    result_rows: Callable[..., list[dict]]
    pictures: Callable[[], Sequence[str]] | None = None
    sitting: Callable[..., Sat] | None = None
    n: int = 200
