"""A person's sitting as data, which a widget, a web page and a transcript present alike. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Page:
    """One page of a study's instructions, as plain values.

    Attributes
    ----------
    name : str
        Its name in the trial row, such as ``tutorial/shape/0``.
    task : str
        The task in its trial row; "" stands for the condition.
    before : int
        How many items come before the page; 0 puts it before practice.
    """

    name: str
    title: str
    text: tuple[str, ...]
    task: str = ""
    before: int = 0
    examples: tuple = ()
    glossary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Practice:
    """Practice items between the instructions and the study's own items; each takes one answer.

    Attributes
    ----------
    items : callable
        ``items(condition, seed, attempt) -> sequence``, the items of attempt number 0, 1, …
    tries : int or None
        How many attempts are allowed before the sitting ends; None sets no limit.
    skip : bool
        Whether a person may leave practice before passing it.
    """

    items: Callable[[str, int, int], Sequence[Any]]
    needed: int
    tries: int | None = None
    skip: bool = False


@dataclass(frozen=True)
class Presentation:
    """An item as it is presented to a person.

    Attributes
    ----------
    phase : str
        ``practice`` or ``items``.
    item : Any
        An element of the study's ``items``.
    name : str
        Condition, and hash of what the item holds, such as ``copy/abstract/1f3a9c2b``.
    position : int
        How many items of this phase (or practice attempt) come before it.
    of : int
        How many items the phase has.
    attempt : int
        Number of the practice attempt, from 0.
    responses : tuple
        Responses to the item so far.
    """

    phase: str
    condition: str
    item: Any = field(compare=False, repr=False)
    name: str
    position: int
    of: int
    attempt: int = 0
    responses: tuple = ()


@dataclass(frozen=True)
class Wording:
    """An answer in words: what the person saw, what could be answered, and what was answered.

    Attributes
    ----------
    text : str
        What stands before the answer, up to the words that lead to it, such as ``… You choose``.
    options : tuple of str
        Every answer that the person could give, in the order shown.
    choice : int
        Which option was answered.
    feedback : str
        What the person was told afterwards; empty for nothing.
    """

    text: str
    options: tuple[str, ...]
    choice: int
    feedback: str = ""


@dataclass(frozen=True)
class Study:
    """A person's sitting as data: any front end (a widget, a web page) presents it, and `study.sitting` runs it.

    The phases are ``instructions``, ``practice``, ``items`` (with ``feedback``) and ``done``. All callables are pure:
    the same arguments always give the same values. A sitting can therefore be rebuilt from its rows.

    Attributes
    ----------
    assign : callable
        ``assign(seed) -> str``, the condition of a new person.
    items : callable
        ``items(condition, seed) -> sequence`` of items to show, in the order of the set.
    row : callable
        ``row(presentation, response) -> dict``: what is stored for an answer. It holds fields of a trial row (response,
        correct, score, extra; task and item if they differ from the condition and ``presentation.name``), and ``done``,
        whether this is the last answer to the item (True by default). An invalid response raises `InputError`.
    order : callable or None
        ``order(seed, n) -> sequence of int``, the order of presentation; None keeps the order of the set.
    prompt : str
        One paragraph shown above the items.
    instructions : callable or None
        ``instructions(condition) -> sequence of Page``, in order.
    checks : sequence of int
        Indices of the items that are attention checks. Whoever gets one wrong does not count, see `study.rescoring`.
    feedback : sequence of str
        Phases, ``practice`` or ``items``, in which feedback follows an item.
    confidence : tuple of float or None
        Lowest and highest confidence that may be stored with an answer.
    phases : mapping of str to str
        The study's own names of phases, as trial rows have them; the names above by default.
    profile, source : str
        As in the trial rows.
    plan, extra : mapping
        The value of ``plan`` in ``extra`` of the first row, and entries added to ``extra`` of every row.
    of : callable or None
        ``of(row) -> Study or None``: the study that a stored first row belongs to, if it is of this kind. `open` may
        then continue that sitting. None accepts every first row of this instrument and source.
    wording : callable or None
        ``wording(presentation) -> Wording``, the last response of a presentation in words; None if the study has none.
    """

    instrument: str
    assign: Callable[[int], str]
    items: Callable[[str, int], Sequence[Any]]
    row: Callable[[Presentation, Any], dict]
    order: Callable[[int, int], Sequence[int]] | None = None
    prompt: str = ""
    instructions: Callable[[str], Sequence[Page]] | None = None
    practice: Practice | None = None
    checks: Sequence[int] = ()
    feedback: Sequence[str] = ()
    confidence: tuple[float, float] | None = None
    phases: Mapping[str, str] = field(default_factory=dict)
    profile: str = "verified"
    source: str = "sitting"
    plan: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    of: Callable[[Mapping[str, Any]], Study | None] | None = None
    wording: Callable[[Presentation], Wording] | None = None


class Sat(NamedTuple):
    """What a person's sitting has of one task, for a learner that answers the same items.

    ``task`` is the task as the learner takes it. ``every`` are the items of the whole sitting as the study has them,
    also those that are not among ``items``.
    """

    task: Any
    items: Any
    every: Any
