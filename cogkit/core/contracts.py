"""What every instrument, learner, table and view agrees on. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from unicodedata import category

MOST = 300
"""Characters of a message."""
KINDS = ("person", "proxy", "model", "floor", "observer")
"""The kinds of learner. A *learner* answers the items. The same code turns the answers of every learner into numbers.

- *person*: a person who did the task, here or in a published study.
- *proxy*: a simple learner that a paper uses in place of people.
- *model*: a mechanism that learns, or has learnt, the task: a network, a language model, a theory of how people learn.
- *floor*: a shortcut. It knows nothing about the abstraction, so its score is no evidence of abstraction.
- *observer*: it knows the rules that made the items and uses them fully. Its score is a ceiling.
"""
INPUTS = ("board", "pixels", "learned slots", "true slots", "captions", "symbols", "programs", "columns")
"""What a learner can be shown. The harness shows it nothing else: no answer, no certificate, no concept."""
SUPERVISION = (
    "", "answers", "answers and attributes", "answers and pictures", "answers and programs", "attributes", "boards",
    "names and attributes", "rewards", "not stated",
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
``not stated``             A stored result of a model or a proxy from before version 1.0.
========================== ============================================================================================
"""

RESULT_COLUMNS = (
    "cell", "instrument", "profile", "preset", "task", "kind", "who", "inputs", "seed",
    "metric", "value", "low", "high", "interval", "n", "source", "supervision",
)  # fmt: skip
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


def one_line(text: object, most: int = MOST) -> str:
    """Return a text in one line of at most so many characters: what does not print is escaped, the middle left out.

    Examples
    --------
    >>> one_line("two\\nlines"), one_line("/a/very/long/way/to/a.json", 16)
    ('two\\\\nlines', '/a/very/lo….json')
    """
    text = str(text)
    if text.isprintable() and len(text) <= most:
        return text
    if len(text) > 8 * most:  # escaping only makes it longer
        text = text[: 4 * most] + text[-4 * most :]
    text = "".join(sign if sign.isprintable() or category(sign) == "Zs" else ascii(sign)[1:-1] for sign in text)
    behind = (most - 1) // 3
    return text if len(text) <= most else f"{text[: most - 1 - behind]}…{text[len(text) - behind :]}"


def some(things: Iterable, most: int = 8, last: str = ", ") -> str:
    """Return the first of several things and the number of the others; ``last`` stands before the last of a few.

    Examples
    --------
    >>> some(["quick", "lab", "paper"], last=" or "), some(range(20), 3)
    ('quick, lab or paper', '0, 1, 2, … and 17 more')
    """
    names = [one_line(thing, 60) for thing in things]
    if len(names) > most:
        return f"{', '.join(names[:most])}, … and {len(names) - most} more"
    return last.join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


class InputError(ValueError):
    """Bad input from outside. One sentence says what came, what is wanted and how to fix it.

    The command line turns this error, and only this one, into a sentence and exit code 2. It has one line of at most
    300 characters: what came and what is wanted lose their middle before the fix does.

    Examples
    --------
    >>> print(InputError("shape (6, 7)", "a 7×7 board of 0 and 1", "pad it to seven rows"))
    wanted a 7×7 board of 0 and 1, got shape (6, 7): pad it to seven rows
    >>> len(str(InputError("a" * 10**6, "b" * 10**6, "c" * 10**6)))
    300
    """

    def __init__(self, got: str, wanted: str, fix: str = "") -> None:
        self.fix = one_line(fix, MOST // 2)
        room = MOST - len("wanted , got ") - len(self.fix and f": {self.fix}")
        self.got = one_line(got, room - min(len(one_line(wanted)), room // 2))
        self.wanted = one_line(wanted, room - len(self.got))
        super().__init__(f"wanted {self.wanted}, got {self.got}" + (f": {self.fix}" if self.fix else ""))

    def __reduce__(self):
        return type(self), (self.got, self.wanted, self.fix)  # so that a worker process can send it back complete


class Learner(Protocol):
    """What a learner says about itself. The protocol ``Learner`` in each instrument's ``scoring`` adds one method.

    A learner may leave out all of its attributes. Then its class gives the name, its kind is ``model``, it sees what
    the instrument shows by default, and nothing has taught it. The method gives scores or chances; the harness samples
    or takes the best.

    ``name`` is what result rows call it, ``kind`` one of `KINDS`, ``inputs`` one of `INPUTS` (in tiles the fields of
    the view). It may have ``supervision``, one of `SUPERVISION`, and ``abstains``: True if it may leave items
    unanswered, with a row of NaN for each (all but generalization, where a class of -1 stands for no answer).
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def inputs(self) -> Any: ...


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


@dataclass(frozen=True)
class Finding:
    """One fault that ``audit`` found: where, in which field, and what is wrong; as text in one line, as `InputError`.

    Examples
    --------
    >>> print(Finding("a.json", "size", "is\\nnone"))
    a.json: size: is\\nnone
    """

    path: str
    field: str
    problem: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", one_line(self.field, MOST // 4))
        object.__setattr__(self, "problem", one_line(self.problem))

    def __str__(self) -> str:
        rest = one_line(f"{self.field}: {self.problem}", MOST * 2 // 3)
        return f"{one_line(self.path, MOST - 2 - len(rest))}: {rest}"


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
        Condition and number in the set, such as ``copy/abstract/07``.
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
        Indices of the items that are attention checks.
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
    exclude : callable or None
        ``exclude(trials) -> boolean Series``, True for trial rows to leave out; None keeps all rows.
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
    exclude: Callable[[Any], Any] | None = None
    wording: Callable[[Presentation], Wording] | None = None


@dataclass(frozen=True)
class Cell:
    """One experiment: an id, what it runs, and its size under each preset.

    Attributes
    ----------
    id : str
        ``instrument/learner/task…``, such as ``tiles/nearest-neighbour/copy/abstract``.
    run : callable
        Module-level ``run(config, profile, seed) -> list of result rows`` (worker processes must be able to import it).
        A row is a dict of those ``RESULT_COLUMNS`` that the runner cannot fill in itself.
    keep : callable or None
        Only for a cell with weights: ``keep(id, config, profile, preset, seed, folder)`` runs the cell and writes the
        weights into a folder. It returns the file, the manifest and the result rows.
    """

    id: str
    run: Callable[[Any, str, int], list[dict]]
    configs: Mapping[str, Any]
    keep: Callable[..., tuple[Any, Manifest, list[dict]]] | None = None


class Sat(NamedTuple):
    """What a person's sitting has of one task, for a learner that answers the same items.

    ``task`` is the task as the learner takes it. ``of`` is the number of items in the whole sitting, also those
    that are not among ``items``.
    """

    task: Any
    items: Any
    of: int


@dataclass(frozen=True)
class Instrument:
    """What one instrument offers, beside what is in its modules; `registry` finds it.

    Attributes
    ----------
    cells : callable
        ``cells() -> sequence of Cell``.
    learner : Mapping
        Name of a learner that needs no training to ``build(task, seed) -> learner``.
    chance : float, callable or None
        Accuracy of guessing: one number, or ``chance(task) -> float``. None if no single number holds for a whole task;
        ``components`` then gives the chance level of each value.
    components : callable or None
        ``components(rows, trials, **own) -> iterable of dict``: result rows on the common scale, each made by
        `stats.scale.component`. None means accuracy, A_c and P from rows with the metric ``accuracy`` and ``chance``.
    absent : mapping
        Names of values that the instrument cannot give, such as ``GR*``, and the reasons.
    all_rows : callable or None
        ``all_rows(profile) -> DataFrame``, the result rows of all players on the tasks that stand on the common scale:
        our runs, floors, observers, published people, and sittings on this computer. None means all shipped rows.
    study : callable or None
        ``study(row) -> Study or None``, the study that a stored first row of a person's sitting belongs to, if its rows
        suffice to tell. None for an instrument without people.
    people : callable or None
        ``people(trials) -> DataFrame``, the result rows of each person who sat the study, from trial rows; None for an
        instrument without people.
    warm : callable or None
        ``warm()`` compiles every loop of the instrument and keeps it on the disk; None if it has no compiled loops.
    """

    name: str
    cells: Callable[[], Sequence[Cell]]
    learner: Mapping[str, Callable[[str, int], Any]] = field(default_factory=dict)
    chance: float | Callable[[str], float] | None = None
    components: Callable[..., Iterable[dict]] | None = None
    absent: Mapping[str, str] = field(default_factory=dict)
    all_rows: Callable[[str], Any] | None = None
    study: Callable[[Mapping[str, Any]], Study | None] | None = None
    people: Callable[[Any], Any] | None = None
    warm: Callable[[], None] | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise in a notebook: the check of an answer, a hint, and why the right answer is right.

    Attributes
    ----------
    check : callable
        ``check(answer) -> True``, or ``False``, or a sentence that says what is wrong with the answer.
    hint : str
        Offered after a wrong answer; it is never the answer itself.
    why : str
        Shown with a right answer.
    """

    check: Callable[[Any], bool | str]
    hint: str
    why: str = ""


@dataclass(frozen=True)
class Command:
    """A command of ``cogkit``.

    Attributes
    ----------
    name, text : str
        What it is called, and what it does in one line.
    run : callable
        ``run(options) -> exit code``, from what was parsed.
    arguments : callable
        ``arguments(parser)`` adds what can be given to an `app.arguments.Parser`.
    """

    name: str
    text: str
    run: Callable[[Any], int]
    arguments: Callable[[Any], None] = lambda parser: None


@dataclass(frozen=True)
class Extra:
    """What one extra adds to the bench, which knows nothing of it; `registry` finds it.

    What it needs of an instrument is a module: ``cogkit.extras.<extra>.<instrument>``, see `registry.part`.

    Attributes
    ----------
    commands : sequence of Command
    cells : mapping of str to callable
        ``cells() -> sequence of Cell``, further experiments by the instrument that they are about.
    exercises : callable
        ``exercises() -> mapping of str to Exercise``, those of notebooks that use the extra.
    warm : callable or None
        As `Instrument.warm`.
    """

    name: str
    commands: Sequence[Command] = ()
    cells: Mapping[str, Callable[[], Sequence[Cell]]] = field(default_factory=dict)
    exercises: Callable[[], Mapping[str, Exercise]] = dict
    warm: Callable[[], None] | None = None
