"""A person's sitting: one run of a `Study`. Every answer is stored at once, and a killed sitting can resume.

A sitting goes through phases: pages of instructions, practice until it is passed, items (including attention checks),
and feedback after an item if the study asks for it. Only the database stores it. The first row, the beginning, holds
the random draws: item ``begin``, response the condition, ``extra["order"]`` the items in order of presentation. Each
later row is a page that was read or an answer. A resumed sitting repeats the same moves, row by row.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError, one_line
from cogkit.core.identity import content_hash, hashed, items_of, same_items, unhashed
from cogkit.core.seeding import stream
from cogkit.core.study import Page, Presentation, Study
from cogkit.data.readers import faults
from cogkit.study.trials import BEGIN, READ, SKIP, Trials, now, pseudonym

INSTRUCTIONS, PRACTICE, ITEMS, FEEDBACK, DONE = "instructions", "practice", "items", "feedback", "done"
AFTER_PRACTICE = "after_practice"
SHORT, SHORTENED = 5, "short"  # items of each part in a sitting that is shortened, and what its rows call that number
SCHEMA = 2  # of the rows of a sitting; in the first, of version 1.0, items are numbered and have no hash of content
_CHANGED = "the study has changed, or another version stored it: begin a new sitting"


@dataclass
class Sitting:
    """One person's run through a study; `begin`, `resume` and `open` make one.

    `next` leaves a page of instructions or feedback, `answer` answers an item, `skip` leaves practice.

    Attributes
    ----------
    id, who, seed, condition
        Names of the sitting and of the person (a pseudonym), the seed of all draws, and the condition drawn.
    order : tuple of int
        Indices into the condition's items, in order of presentation.
    pages : int
        How many pages of instructions have been read.
    attempts : list of list of bool
        Which practice answers were right, by attempt; the last attempt may be unfinished.
    passed, failed, skipped : bool
        Whether practice was passed; whether all tries were used, which ends the sitting; whether practice was left.
    right : list of bool
        Which answers to items were right, oldest first.
    last : Presentation or None
        The item answered last, with its responses.
    pending : bool
        Whether feedback about that item is in view.
    met : list of Presentation
        What was answered, oldest first: one for each answer, which is the last of its responses.
    items, block : sequence
        The items of the condition, and those of the current practice attempt.

    Examples
    --------
    >>> import tempfile
    >>> study = Study("sums", lambda seed: "even", lambda condition, seed: [2, 3],
    ...               lambda shown, response: {"response": response, "correct": int(response == (shown.item % 2 == 0))})
    >>> sitting = Sitting.begin(study, 0, Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> sitting.answer(1), sitting.presentation.name, sitting.presentation.item
    (True, 'even/a416ea84', 3)
    """

    study: Study = field(compare=False, repr=False)
    trials: Trials = field(compare=False, repr=False)
    id: str
    who: str
    seed: int
    condition: str
    order: tuple[int, ...] = ()
    pages: int = 0
    attempts: list[list[bool]] = field(default_factory=lambda: [[]])
    passed: bool = False
    failed: bool = False
    skipped: bool = False
    position: int = 0
    responses: tuple = ()
    right: list[bool] = field(default_factory=list)
    last: Presentation | None = None
    pending: bool = False
    met: list[Presentation] = field(default_factory=list)
    rows: int = 0
    schema: int = SCHEMA
    instructions: tuple[Page, ...] = field(init=False, compare=False, repr=False)
    items: Any = field(init=False, compare=False, repr=False)
    block: Any = field(init=False, compare=False, repr=False, default=())

    def __post_init__(self) -> None:
        study = self.study
        self.instructions = tuple(study.instructions(self.condition)) if study.instructions else ()
        self.items = study.items(self.condition, self.seed)
        self._draw_block()

    @classmethod
    def begin(cls, study: Study, seed: int | None = None, trials: Trials | None = None, who: str | None = None) -> Self:
        """Begin a sitting, store its first row, and return it.

        Parameters
        ----------
        study : Study
        seed : int, optional
            Determines condition, items and order; random by default, so that people are assigned at random.
        trials : Trials, optional
            The database for the rows; the reader's own by default.
        who : str, optional
            The reader's own `pseudonym` by default.
        """
        seed = secrets.randbelow(2**31) if seed is None else int(seed)
        condition = study.assign(seed)
        sitting = cls(study, trials or Trials(), secrets.token_hex(8), who or pseudonym(), seed, condition)
        n = len(sitting.items)
        sitting.order = tuple(int(index) for index in (study.order(seed, n) if study.order else range(n)))
        sitting.store_beginning()
        return sitting

    @classmethod
    def resume(cls, study: Study, sitting: str, trials: Trials | None = None) -> Self:
        """Return a sitting in its state after the last stored row, rebuilt from the database alone.

        Raises
        ------
        InputError
            No sitting with this id has begun, its rows cannot be read, or its answers do not match what the study
            shows now.
        """
        trials = trials or Trials()
        rows = trials.begun(sitting, instrument=study.instrument)
        wanted = "rows of this study as this version stores them"
        with faults(f"sitting {sitting}", wanted, _CHANGED, AttributeError):  # a plan may hold anything
            return cls._repeated(study, trials, rows)

    @classmethod
    def _repeated(cls, study: Study, trials: Trials, rows: pd.DataFrame) -> Self:
        """Return a sitting of which every stored row is repeated."""
        beginning, sitting = rows.iloc[0], rows["sitting"].iloc[0]
        schema = beginning["extra"].get("schema", 1)  # the first beginnings have none
        if schema not in range(1, SCHEMA + 1) or rows["order"].tolist() != list(range(len(rows))):
            raise ValueError(f"of schema {schema!r}, or with gaps")
        who, seed, condition = beginning["who"], int(beginning["seed"]), beginning["response"]
        session = cls(study, trials, sitting, who, seed, condition, rows=1, schema=schema)
        n = len(session.items)
        session.order = tuple(beginning["extra"].get("order", range(n)))  # older beginnings of equivalence have none
        if not all(type(index) is int and 0 <= index < n for index in session.order):
            raise ValueError(f"{n} items of {session.condition}, and the order {list(session.order)}")
        same_items(beginning["extra"].get("items", ""), session.item_set, fix="begin a new sitting")
        for row in rows.iloc[1:].itertuples(index=False):
            session._repeat(row)
        return session

    @classmethod
    def open(cls, study: Study, trials: Trials | None = None, seed: int | None = None, who: str | None = None) -> Self:
        """Return a person's last sitting of a study if it is unfinished, else a new one. Notebook cells use this.

        A sitting that cannot be resumed, such as one of a study that has changed, is kept, and a line says so. A new
        one after a sitting that ended in practice has `AFTER_PRACTICE` in the ``extra`` of its first row.

        Parameters
        ----------
        study, trials, who
            As for `begin`.
        seed : int, optional
            Seed of a new sitting; if the person has used it before, the next free one.
        """
        trials, who = trials or Trials(), who or pseudonym()
        filters = {"instrument": study.instrument, "source": study.source, "kind": "person"}
        mine = []
        for row in trials.frame(who=who, item=BEGIN, **filters).to_dict("records"):
            with suppress(Exception):  # the plan of another version, or hand: not a sitting of this study
                if begun_study := study.of(row) if study.of else study:
                    mine.append((row, begun_study))
        if mine:
            row, begun_study = mine[-1]
            try:
                sitting = cls.resume(begun_study, row["sitting"], trials)
                if not sitting.finished:
                    return sitting
                if sitting.failed:
                    study = replace(study, extra={**study.extra, AFTER_PRACTICE: True})
            except InputError as error:
                message = f"Your sitting of {row['at'][:10]} is kept, but it cannot go on."
                print(one_line(f"{message} A new one begins. {error}"))
        seeds = {row["seed"] for row, _ in mine}
        fresh = None if seed is None else next(number for number in itertools.count(seed) if number not in seeds)
        return cls.begin(study, fresh, trials, who)

    def store_beginning(self) -> None:
        """Store the first row, which holds the random draws of the sitting; `begin` calls this."""
        study = self.study
        extra: dict[str, Any] = {"schema": self.schema, "order": list(self.order), **study.extra}
        extra |= {"plan": dict(study.plan)} if study.plan else {}
        extra |= {"items": self.item_set} if self.item_set else {}
        # Jupyter tells each kernel which notebook it is for: so every notebook can say what was done in it.
        extra |= {"notebook": Path(name).stem} if (name := os.environ.get("JPY_SESSION_NAME")) else {}
        self._add(item=BEGIN, task=self.condition, response=self.condition, extra=extra)

    @property
    def stage(self) -> str:
        """What comes next apart from feedback: ``instructions``, ``practice``, ``items`` or ``done``."""
        if self.failed or self.position == len(self.order):
            return DONE
        is_due = self.pages < len(self.instructions) and self.instructions[self.pages].before <= self.position
        if is_due and not self.responses:
            return INSTRUCTIONS
        return PRACTICE if self.study.practice and not (self.passed or self.skipped) else ITEMS

    @property
    def phase(self) -> str:
        """The phase in view, under the study's own name: `stage`, or ``feedback``."""
        return FEEDBACK if self.pending else self._named(self.stage)

    @cached_property
    def _names(self) -> list[str]:
        return item_names(self.condition, self.items, self.schema)

    @cached_property
    def item_set(self) -> str:
        """The hash of the items: of what they hold, or in the first schema of how they were made."""
        if self.schema == 1:
            return items_of(self.study.instrument, self.study.profile, self.seed, len(self.items))
        return content_hash(list(self.items))

    @property
    def finished(self) -> bool:
        """Whether nothing is left to answer."""
        return self.stage == DONE

    @property
    def feedback(self) -> Presentation | None:
        """The item that the feedback in view is about, if there is feedback."""
        return self.last if self.pending else None

    @property
    def page(self) -> Page | None:
        """The next page of instructions, if a page comes next."""
        return self.instructions[self.pages] if self.stage == INSTRUCTIONS else None

    @property
    def presentation(self) -> Presentation:
        """The item to answer next, after a page or feedback in view; `InputError` once finished."""
        if self.finished:
            raise InputError(f"sitting {self.id}, finished", "a sitting with items left", "begin a new one")
        if self.study.practice and not (self.passed or self.skipped):
            attempt, place = len(self.attempts) - 1, len(self.attempts[-1])
            item, name = self.block[place], self._block_names[place]
            return Presentation(PRACTICE, self.condition, item, name, place, len(self.block), attempt)
        index, place = self.order[self.position], self.position
        item, name = self.items[index], self._names[index]
        return Presentation(ITEMS, self.condition, item, name, place, len(self.order), responses=self.responses)

    @property
    def item(self) -> Any:
        """The item in view, or the next one; `InputError` once all are done."""
        return (self.feedback or self.presentation).item

    @property
    def step(self) -> str:
        """A name for what is in view; it changes whenever the view changes."""
        return f"{self.rows}/{self.phase}"

    def next(self, rt_s: float | None = None) -> None:
        """Go on from a page of instructions, which stores a row, or from feedback, which stores none.

        Parameters
        ----------
        rt_s : float, optional
            Seconds on the page.
        """
        if self.pending:
            self.pending = False
            return
        self._wants(INSTRUCTIONS)
        self._take(self._fields(READ), rt_s)

    def answer(self, response, rt_s: float | None = None, confidence: float | None = None, **extra) -> bool:
        """Store an answer, go on to what follows it, and return whether it is right.

        Parameters
        ----------
        response
            A response that the study's ``row`` accepts.
        rt_s : float, optional
            Response time in seconds.
        confidence : float, optional
            The person's own chance of being right, if the study asks for it.
        **extra
            More for the row's ``extra``.

        Raises
        ------
        InputError
            The response or confidence is invalid, nothing can be answered now, or the answer could not be stored; the
            item then still waits for an answer.
        """
        self._wants(PRACTICE, ITEMS)
        if self.study.confidence:
            least, most = self.study.confidence
            if confidence is not None and not least <= confidence <= most:
                raise InputError(f"a confidence of {confidence!r}", f"{least:g} (a guess) to {most:g} (certain)")
            extra["confidence"] = confidence
        fields = self._fields(response)
        self._take(fields, rt_s, **extra)
        return bool(fields["correct"])

    def skip(self) -> None:
        """Leave practice before passing it, at the person's explicit request; a row stores this."""
        practice = self.study.practice
        if self.stage != PRACTICE or practice is None or not practice.skip:
            raise InputError(f"a sitting in its phase {self.phase}", "practice that may be left", "nothing to skip")
        self._take(self._fields(SKIP))

    def answers(self) -> pd.DataFrame:
        """Return the trial rows after the beginning, oldest first: pages read and answers."""
        rows = self.trials.frame(sitting=self.id)
        return rows[~rows["item"].isin([BEGIN, SKIP])].reset_index(drop=True)

    def _named(self, phase: str) -> str:
        return self.study.phases.get(phase, phase)

    def _wants(self, *phases: str) -> None:
        if self.pending or self.stage not in phases:
            wanted = "a page or feedback" if INSTRUCTIONS in phases else "an item to answer"
            raise InputError(f"a sitting in its phase {self.phase}", f"{wanted} in view")

    def _fields(self, response) -> dict:
        """Return the fields to store for a response now: for a page, for leaving practice, or for an answer."""
        if page := self.page:
            return {"item": page.name, "response": READ} | ({"task": page.task} if page.task else {})
        presentation, practice = self.presentation, self.study.practice
        if presentation.phase == PRACTICE and response == SKIP and practice and practice.skip:
            return {"item": SKIP, "response": self._named(ITEMS), "extra": {"block": presentation.attempt}}
        fields = {"item": presentation.name, "done": True} | self.study.row(presentation, response)
        return fields if self.schema > 1 else fields | {"item": unhashed(fields["item"])}

    def _take(self, fields: dict, rt_s: float | None = None, **extra) -> None:
        """Store a row for the current step, then go on."""
        is_last = self.stage == ITEMS and fields["done"]
        context = {"phase": self._named(self.stage), "position": self.position, "done": bool(is_last)}
        if self.stage == ITEMS and self.order[self.position] in self.study.checks:
            context["attention"] = True
        extra = {**self.study.extra, **context, **fields.get("extra", {}), **extra}
        columns = {name: value for name, value in fields.items() if name != "done"}
        self._add(**{"task": self.condition, "rt_s": rt_s} | columns | {"extra": extra})
        self._move(fields)

    def _repeat(self, row) -> None:
        """Repeat the step of a stored row; refuse a row that does not match what is shown now."""
        fields = self._fields(SKIP if row.item == SKIP else row.response)
        extra = {name: value for name, value in fields.get("extra", {}).items() if name in row.extra}
        is_same = json.loads(json.dumps(extra, default=np.generic.item)) == {name: row.extra[name] for name in extra}
        correct = fields.get("correct")
        if row.item != fields["item"] or not is_same or (correct is not None and correct != row.correct):
            raise ValueError(f"an answer to {row.item}, and {fields['item']} is shown now")
        self._move(fields)
        self.rows += 1

    def _move(self, fields: dict) -> None:
        """Update the state after a response to what is in view."""
        self.pending = False
        if self.stage == INSTRUCTIONS:
            self.pages += 1
            return
        if fields["item"] == SKIP:
            self.skipped = True
            return
        presentation = self.presentation
        presentation = replace(presentation, responses=(*presentation.responses, fields["response"]))
        self.met.append(presentation)
        correct = bool(fields["correct"])
        if presentation.phase == PRACTICE:
            self.attempts[-1].append(correct)
            if presentation.position == presentation.of - 1:
                self._end_attempt()
        else:
            self.right.append(correct)
            self.responses = presentation.responses
            if not fields["done"]:
                return
            self.responses, self.position = (), self.position + 1
        self.last, self.pending = presentation, presentation.phase in self.study.feedback

    def _end_attempt(self) -> None:
        practice = self.study.practice
        assert practice is not None  # else there is no attempt at it
        self.passed = sum(self.attempts[-1]) >= practice.needed
        self.failed = not self.passed and len(self.attempts) == practice.tries
        if not (self.passed or self.failed):
            self.attempts.append([])
            self._draw_block()

    def _draw_block(self) -> None:
        if practice := self.study.practice:
            attempt = len(self.attempts) - 1
            self.block = practice.items(self.condition, self.seed, attempt)
            self._block_names = item_names(f"{self.condition}/practice {attempt}", self.block, self.schema)

    def _add(self, **fields) -> None:
        study = self.study
        context = {
            "sitting": self.id, "order": self.rows, "at": now(), "who": self.who, "kind": "person",
            "instrument": study.instrument, "seed": self.seed, "profile": study.profile, "preset": "lab",
            "source": study.source,
        }  # fmt: skip
        self.trials.add(dict.fromkeys(("correct", "score", "rt_s")) | fields | context)
        self.rows += 1


def item_names(condition: str, items: Iterable[Any], schema: int = SCHEMA) -> list[str]:
    """Return what items are called in trial rows: their condition, and the hash of what each holds.

    In the first schema it is the place in the set, such as ``copy/abstract/07``.
    """
    return [f"{condition}/{k:02d}" if schema == 1 else hashed(condition, item) for k, item in enumerate(items)]


def shuffled(instrument: str) -> Callable[[int, int], list[int]]:
    """Return an ``order`` for a `Study`: n items in random order, from the instrument's own random stream.

    Examples
    --------
    >>> sorted(shuffled("tiles")(seed=0, n=3))
    [0, 1, 2]
    """
    return lambda seed, n: stream(seed, f"{instrument}/order").permutation(n).tolist()


def shortened(study: Study, condition: str, n: int = SHORT) -> Study:
    """Return a study with ``n`` items of each part, in the order that they come, for a lesson or a pilot.

    A part begins where a page of instructions stands. Practice in blocks of more than ``n`` has ``n`` trials, and the
    items come after them however they were answered.

    Examples
    --------
    >>> study = Study("sums", lambda seed: "even", lambda condition, seed: range(20), lambda shown, response: {})
    >>> shortened(study, "even", 3).order(0, 20)
    [0, 1, 2]
    """
    pages = tuple(study.instructions(condition)) if study.instructions else ()
    starts = sorted({0, *(page.before for page in pages)})
    sizes = [min(n, end - start) for start, end in itertools.pairwise(starts)]
    before = dict(zip(starts, itertools.accumulate(sizes, initial=0), strict=True))
    every, practice = study.order or (lambda seed, count: range(count)), study.practice

    def order(seed: int, count: int) -> list[int]:
        indices = list(every(seed, count))
        return [k for start, end in itertools.pairwise([*starts, count]) for k in indices[start:end][:n]]

    if practice and len(practice.items(condition, 0, 0)) > n:
        blocks = practice.items
        practice = replace(practice, items=lambda *block: blocks(*block)[:n], needed=0)
    return replace(
        study, order=order, practice=practice,
        instructions=lambda condition: [replace(page, before=before[page.before]) for page in pages],
    )  # fmt: skip


def in_phase(trials: pd.DataFrame, instrument: str, phase: str) -> pd.DataFrame:
    """Return the rows of people in one phase of an instrument's studies.

    Parameters
    ----------
    trials : DataFrame
        As `Trials.frame` gives them.
    instrument, phase : str
        The phase under the study's own name.
    """
    mine = trials[(trials["instrument"] == instrument) & (trials["kind"] == "person")]
    return mine[np.array([extra.get("phase") == phase for extra in mine["extra"]], dtype=bool)]
