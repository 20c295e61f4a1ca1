"""A person's sitting: a `Study` run once, every answer stored at once, resumable after any kill."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from cogkit.core import presets
from cogkit.core.contracts import InputError, Study
from cogkit.core.identity import items_of, same_items
from cogkit.core.seeding import stream
from cogkit.study.trials import BEGIN, Trials, now, pseudonym


@dataclass
class Sitting:
    """One person's run through a study; made by `begin` or `resume`.

    The database alone holds it. Its first row says how it began: order 0, item ``begin``, response the
    condition, ``extra["order"]`` the items in order of presentation, ``extra["items"]`` their hash. Each later
    row is an answer, with ``extra["position"]`` and ``extra["done"]``, true on the last answer to an item.

    Attributes
    ----------
    id, who, condition
        Names of the sitting, the person (a pseudonym) and the condition that was drawn.
    order : tuple of int
        Indices into the condition's items, in order of presentation.
    position : int
        How many items are behind the person; ``len(order)`` at the end.
    done : bool
        Whether the current item has had its last answer.

    Examples
    --------
    >>> import tempfile
    >>> study = Study("Even?", lambda rng: "numbers", lambda condition: [2, 3], lambda rng, n: range(n))
    >>> sitting = Sitting.begin(study, "parity", 0, Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> sitting.record(response="yes", correct=1, done=True)
    >>> sitting.advance()
    >>> sitting.current, sitting.name
    (3, 'numbers/01')
    """

    study: Study = field(compare=False, repr=False)
    trials: Trials = field(compare=False, repr=False)
    id: str
    who: str
    instrument: str
    seed: int
    condition: str
    order: tuple[int, ...]
    profile: str
    preset: str
    source: str
    position: int = 0
    done: bool = False
    rows: int = 0
    items: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.items = self.study.items(self.condition)
        if self.order and not 0 <= min(self.order) <= max(self.order) < len(self.items):
            got = f"{len(self.items)} items of {self.condition}"
            wanted = f"items for the order {list(self.order)}"
            raise InputError(got, wanted, "the study has changed: begin a new sitting")

    @classmethod
    def begin(
        cls, study: Study, instrument: str, seed: int, trials: Trials | None = None, who: str | None = None,
        *, profile: str = "verified", preset: str = "lab", source: str = "sitting",
    ) -> Sitting:  # fmt: skip
        """Return a new sitting: condition and order drawn from the seed's own streams, the beginning stored.

        Parameters
        ----------
        study : Study
        instrument : str
            Whose study it is; it enters the trial rows and names the streams.
        seed : int
            Draws the condition and the order.
        trials : Trials, optional
            Where the rows go; the reader's own database by default.
        who : str, optional
            The reader's own `pseudonym` by default.
        profile, preset, source : str
            As in the trial rows.
        """
        trials, who = trials or Trials(), who or pseudonym()
        condition = study.assign(stream(seed, f"{instrument}/condition"))
        count = len(study.items(condition))
        order = tuple(int(index) for index in study.order(stream(seed, f"{instrument}/order"), count))
        sitting = cls(
            study, trials, secrets.token_hex(8), who, instrument, int(seed), condition, order,
            profile=presets.profile(profile), preset=presets.preset(preset), source=source,
        )  # fmt: skip
        known = {"items": sitting.item_set} if sitting.item_set else {}
        sitting._add(item=BEGIN, task=condition, response=condition, extra={"order": list(order)} | known)
        return sitting

    @classmethod
    def resume(cls, study: Study, sitting: str, trials: Trials | None = None) -> Sitting:
        """Return a sitting as it stood after its last stored answer, from the database alone.

        Raises
        ------
        InputError
            No sitting of this id has begun there, or the study no longer has its items.
        """
        trials = trials or Trials()
        rows = trials.begun(sitting)
        first, last = rows.iloc[0], rows["extra"].iloc[-1]
        found = cls(
            study, trials, sitting, first["who"], first["instrument"], int(first["seed"]), first["response"],
            tuple(first["extra"]["order"]), first["profile"], first["preset"], first["source"],
            position=last.get("position", 0), done=last.get("done", False), rows=len(rows),
        )  # fmt: skip
        same_items(first["extra"].get("items", ""), found.item_set, fix="begin a new sitting")
        if found.done:
            found.advance()
        return found

    @classmethod
    def open(cls, study: Study, instrument: str, trials: Trials | None = None, seed: int | None = None) -> Sitting:
        """Return the reader's own last sitting if it is not finished, else a new one: what a notebook cell calls.

        Parameters
        ----------
        study, instrument, trials
            As for `begin`.
        seed : int, optional
            Of a new sitting; a random one by default, so that people are assigned at random.
        """
        trials = trials or Trials()
        mine = trials.frame(instrument=instrument, who=pseudonym(), item=BEGIN, source="sitting")
        if not mine.empty:
            last = cls.resume(study, mine["sitting"].iloc[-1], trials)
            if not last.finished:
                return last
        return cls.begin(study, instrument, secrets.randbelow(2**31) if seed is None else seed, trials)

    @property
    def item_set(self) -> str:
        """The hash of the study's items, as today's generator makes them; see `identity.items_of`."""
        return items_of(self.instrument, self.profile, self.seed, len(self.items))

    @property
    def finished(self) -> bool:
        """Whether every item is behind the person."""
        return self.position == len(self.order)

    @property
    def current(self) -> Any:
        """The item being shown; `InputError` once finished."""
        self._refuse_if_finished()
        return self.items[self.order[self.position]]

    @property
    def name(self) -> str:
        """The current item's name: condition and number in the set, such as ``copy/abstract/07``."""
        self._refuse_if_finished()
        return f"{self.condition}/{self.order[self.position]:02d}"

    def record(
        self, *, done: bool, response=None, correct=None, score=None, rt_s=None, extra=None, **named
    ) -> None:  # fmt: skip
        """Return None once an answer to the current item is on the disk.

        Parameters
        ----------
        done : bool
            Whether this is the last answer to the item.
        response, correct, score, rt_s, extra
            As in the trial rows; to ``extra`` are added ``position``, ``done`` and, where the study says
            so, ``attention``.
        **named
            ``task`` and ``item``, where they are not the condition and `name`.
        """
        self._refuse_if_finished()
        if self.done:
            raise InputError(f"an answer to {self.name} after its last", "advance() before the next answer")
        extra = dict(extra or {}) | {"position": self.position, "done": bool(done)}
        extra |= {"attention": True} if self.position in self.study.attention else {}
        answer = {"response": response, "correct": correct, "score": score, "rt_s": rt_s, "extra": extra}
        self._add(**{"task": self.condition, "item": self.name} | named | answer)
        self.done = bool(done)

    def advance(self) -> None:
        """Return None with the next item current; `InputError` before the last answer to this one."""
        self._refuse_if_finished()
        if not self.done:
            raise InputError(f"{self.name} without its last answer", "an item that is done before the next")
        self.position, self.done = self.position + 1, False

    def answers(self) -> pd.DataFrame:
        """Return the stored answers to the current item, so that a view can show it as the person left it."""
        rows = self.trials.frame(sitting=self.id)
        return rows[[extra.get("position") == self.position for extra in rows["extra"]]]

    def _refuse_if_finished(self) -> None:
        if self.finished:
            raise InputError(f"sitting {self.id}, finished", "a sitting with items left", "begin a new one")

    def _add(self, **fields) -> None:
        of_sitting = {
            "sitting": self.id, "order": self.rows, "at": now(), "who": self.who, "kind": "person",
            "instrument": self.instrument, "seed": self.seed, "profile": self.profile, "preset": self.preset,
            "source": self.source,
        }  # fmt: skip
        self.trials.add(dict.fromkeys(("correct", "score", "rt_s")) | fields | of_sitting)
        self.rows += 1


def included(trials: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Return the answers that the study keeps: without beginnings, and without what its ``exclude`` marks.

    Parameters
    ----------
    trials : DataFrame
        As `Trials.frame` gives them.
    study : Study
    """
    answers = trials[trials["item"] != BEGIN]
    return answers if study.exclude is None else answers[~study.exclude(answers).astype(bool)]
