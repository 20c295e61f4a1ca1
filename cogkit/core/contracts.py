"""What every instrument, learner, table and view agrees on. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

KINDS = ("person", "proxy", "model", "floor", "observer")
"""The kinds of learner. A *learner* is whoever or whatever answers the items; all take one path from answer to number.

- *person*: somebody who sat the task, here or for a paper.
- *proxy*: a simple learner that a paper lets stand for people.
- *model*: a mechanism that learns, or has learnt, the task: a network, a language model, a theory of how people learn.
- *floor*: a shortcut. It knows nothing of the abstraction, so what it scores is no evidence of one.
- *observer*: it knows the rules by which the items were made, and makes the most of them: a ceiling.
"""
INPUTS = ("board", "pixels", "learned slots", "true slots", "captions", "symbols", "programs", "columns")
"""What a learner can be shown. The harness hands it nothing else: no answer, no certificate, no concept."""

RESULT_COLUMNS = (
    "cell", "instrument", "profile", "preset", "task", "kind", "who", "inputs", "seed",
    "metric", "value", "low", "high", "interval", "n", "source",
)  # fmt: skip
TRIAL_COLUMNS = (
    "sitting", "order", "at", "who", "kind", "instrument", "task", "item", "response", "correct",
    "score", "rt_s", "seed", "profile", "preset", "source", "extra",
)  # fmt: skip


class InputError(ValueError):
    """Bad input from outside, told in one sentence: what came, what is wanted, how to fix it.

    The command line turns this error, and only this one, into a sentence and exit code 2.

    Parameters
    ----------
    got : str
        What came.
    wanted : str
        What was expected instead.
    fix : str, optional
        How to mend it.

    Examples
    --------
    >>> print(InputError("shape (6, 7)", "a 7×7 board of 0 and 1", "pad it to seven rows"))
    wanted a 7×7 board of 0 and 1, got shape (6, 7): pad it to seven rows
    """

    def __init__(self, got: str, wanted: str, fix: str = "") -> None:
        self.got, self.wanted, self.fix = got, wanted, fix
        super().__init__(f"wanted {wanted}, got {got}" + (f": {fix}" if fix else ""))

    def __reduce__(self):
        return type(self), (self.got, self.wanted, self.fix)  # so that it travels back from a worker whole


class Learner(Protocol):
    """What a learner says of itself. The protocol ``Learner`` of each instrument's ``scoring`` adds one method.

    A learner may leave all three out: then its class gives the name, its kind is ``model``, and it is shown what the
    instrument shows by default. The method gives scores or chances; the harness samples or takes the best.

    Attributes
    ----------
    name : str
        What result rows call it.
    kind : str
        One of `KINDS`.
    inputs : str or tuple of str
        What it is shown, one of `INPUTS`; in tiles the fields of the view.
    abstains : bool, optional
        True of a learner that may leave items unanswered: it gives a row of NaN for each (bongard, mewl, equivalence).
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def inputs(self) -> Any: ...


@dataclass(frozen=True)
class Progress:
    """One report of a running computation; ``view`` is called only by whoever draws it."""

    step: int
    total: int
    metrics: Mapping[str, float]
    view: Callable[[], Any] | None = None


@dataclass(frozen=True)
class Manifest:
    """How an artefact came to be; lies as JSON beside, or inside, everything that is stored.

    ``config`` is as `identity.plain` gives it; ``items`` is the hash of what was asked, as of `identity.items_of`.
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


@dataclass(frozen=True)
class Finding:
    """One fault that ``audit`` found: where, in which field, and what is wrong."""

    path: str
    field: str
    problem: str


@dataclass(frozen=True)
class Page:
    """One page of a study's instructions, as plain values.

    Attributes
    ----------
    name : str
        What its trial row calls it, such as ``tutorial/shape/0``.
    title : str
    text : tuple of str
        Paragraphs.
    task : str
        The task of its trial row; the condition where it is "".
    before : int
        How many items precede the page; 0 puts it before practice.
    examples : tuple
        Items shown with their solution.
    glossary : mapping of str to str
        Terms and what they mean.
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
    """Items to master between the instructions and the study's own items; each takes one answer.

    Attributes
    ----------
    items : callable
        ``items(condition, seed, attempt) -> sequence``, what attempt number 0, 1, … shows.
    needed : int
        How many answers of one attempt must be right.
    tries : int or None
        Attempts after which the sitting ends; None allows any number.
    skip : bool
        Whether a person may leave practice before mastery.
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
    condition : str
    item : Any
        As the study's ``items`` give it.
    name : str
        Condition and number in the set, such as ``copy/abstract/07``.
    position : int
        How many items of this phase (or attempt at practice) precede it.
    of : int
        How many items the phase has.
    attempt : int
        Number of the attempt at practice, from 0.
    given : tuple
        Responses to it so far.
    """

    phase: str
    condition: str
    item: Any = field(compare=False, repr=False)
    name: str
    position: int
    of: int
    attempt: int = 0
    given: tuple = ()


@dataclass(frozen=True)
class Study:
    """A person's sitting as data: any front end (a widget, a web page) presents it, and `study.sitting` runs it.

    The phases are ``instructions``, ``practice``, ``items`` (with ``feedback``) and ``done``. Callables are pure: the
    same arguments give the same values, so a sitting can be rebuilt from its rows.

    Attributes
    ----------
    instrument : str
        Whose study it is, as in the trial rows.
    assign : callable
        ``assign(seed) -> str``, the condition of a new person.
    items : callable
        ``items(condition, seed) -> sequence`` of what is shown, in the set's own order.
    row : callable
        ``row(presentation, response) -> dict``: what is stored of an answer. Fields of a trial row (response, correct,
        score, extra; task and item where they are not the condition and ``presentation.name``), and ``done``, whether
        it is the last answer to the item (True by default). `InputError` for a response that is none.
    order : callable or None
        ``order(seed, n) -> sequence of int``, the order of presentation; None keeps the set's own.
    prompt : str
        One paragraph that stands above the items.
    instructions : callable or None
        ``instructions(condition) -> sequence of Page``, in order.
    practice : Practice or None
    checks : sequence of int
        Indices of the items that are attention checks.
    feedback : sequence of str
        Phases, ``practice`` or ``items``, in which feedback follows an item.
    confidence : tuple of float or None
        Least and greatest confidence that may be stored with an answer.
    phases : mapping of str to str
        The study's own names of phases, as trial rows have them; the names above by default.
    profile, source : str
        As in the trial rows.
    plan, extra : mapping
        What ``extra`` of the beginning's row has as ``plan``, and what ``extra`` of every row has besides.
    of : callable or None
        ``of(row) -> Study or None``: the study of a stored beginning if it is one of this kind, which `open` may go on
        with; None takes every beginning of this instrument and source.
    exclude : callable or None
        ``exclude(trials) -> boolean Series``, True for the trial rows to leave out; None keeps everybody.
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
    exclude: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Cell:
    """One experiment: an id, what it runs, and its size under each preset.

    Attributes
    ----------
    id : str
        ``instrument/learner/task…``, such as ``tiles/nearest-neighbour/copy/abstract``.
    run : callable
        Module-level ``run(config, profile, seed) -> list of result rows`` (it travels to worker processes).
        A row is a dict of the ``RESULT_COLUMNS`` that the runner does not know itself.
    configs : mapping
        Preset name to the frozen config of that size.
    keep : callable or None
        Of a cell with weights: ``keep(id, config, profile, preset, seed, folder)`` runs it and writes the weights into
        a folder. It returns their file, the manifest and the result rows.
    """

    id: str
    run: Callable[[Any, str, int], list[dict]]
    configs: Mapping[str, Any]
    keep: Callable[..., tuple[Any, Manifest, list[dict]]] | None = None


@dataclass(frozen=True)
class Instrument:
    """What one instrument folder offers the house: found by ``experiments.instruments()``, never registered.

    Attributes
    ----------
    name : str
        Its folder's name.
    cells : callable
        ``cells() -> sequence of Cell``.
    make : mapping
        Name of a dataset (as in ``cogkit make NAME``) to ``make(out, *, n, seed) -> list of paths written``; both have
        defaults, of which that of n is the set's own. Where its signature has ``profile``, ``only``, ``size``,
        ``images`` or ``jobs``, the command line hands them on too.
    audit : mapping
        Name of a dataset to ``(looks_like(dir) -> bool, audit(dir) -> list of Finding)``.
    learner : Mapping
        Name of a learner that needs no training to ``build(task, seed) -> learner``.
    chance : float, callable or None
        Accuracy that needs no grasp of a task: one number, or ``chance(task) -> float``. None where no number holds for
        a whole task; ``components`` then says for each value what its chance level is.
    components : callable or None
        ``components(rows, trials, **own) -> iterable of dict``: what result rows are on the common scale, each made by
        `stats.scale.component`. None for accuracy, A_c and P of the rows with the metric ``accuracy``, against
        ``chance``.
    absent : mapping
        Name of what the instrument cannot give, such as ``GR*``, to the reason.
    warm : callable or None
        ``warm()`` compiles every loop of the instrument and keeps it on the disk; None where it has no such loops.
    """

    name: str
    cells: Callable[[], Sequence[Cell]]
    make: Mapping[str, Callable[..., list]] = field(default_factory=dict)
    audit: Mapping[str, tuple[Callable[[Any], bool], Callable[[Any], list[Finding]]]] = field(default_factory=dict)
    learner: Mapping[str, Callable[[str, int], Any]] = field(default_factory=dict)
    chance: float | Callable[[str], float] | None = None
    components: Callable[..., Iterable[dict]] | None = None
    absent: Mapping[str, str] = field(default_factory=dict)
    warm: Callable[[], None] | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise of a notebook: how an answer is judged, and what to say to a reader who is not there yet.

    Attributes
    ----------
    check : callable
        ``check(answer) -> True``, or ``False``, or a sentence that says what is wrong with the answer.
    hint : str
        Shown until the answer passes.
    """

    check: Callable[[Any], bool | str]
    hint: str
