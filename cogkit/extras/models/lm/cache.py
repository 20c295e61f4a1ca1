"""Every answer that a model gave, on the disk the moment it came: what was answered once is never asked again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from cogkit.core.errors import InputError
from cogkit.data import database, readers
from cogkit.data.home import home
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion
from cogkit.study.trials import now

SENT, CAME, FAILED = "sent", "came", "failed"
VERSION = 1
_APPLICATION = int.from_bytes(b"cogl", "big")
_WANTED, _FIX = "a cogkit file of answers", "move the file away, or set COGKIT_HOME to another folder"
_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT, item TEXT, said TEXT NOT NULL, at TEXT)",
    "CREATE TABLE IF NOT EXISTS log (at TEXT, key TEXT NOT NULL, item TEXT, event TEXT NOT NULL, detail TEXT)",
)  # fmt: skip


Begin = Callable[[int], None]


def quiet(number: int) -> None:
    """Let a question begin, and note nothing."""


class Participant:
    """A model that can be asked.

    ``name`` is what rows call it; ``identity`` is the model and every setting that its answers depend on. A subclass
    answers one prompt after the other (`answer`), or many side by side (`complete`).
    """

    name: str
    identity: Any

    def answer(self, prompt: Prompt) -> Completion:
        """Return what comes back for a prompt."""
        raise NotImplementedError

    def complete(self, prompts: Sequence[Prompt], begin: Begin = quiet) -> Iterator[tuple[int, Completion]]:
        """Yield the number of a prompt and what came back for it, as soon as it comes, in any order.

        ``begin`` is called with the number of a prompt before the prompt is sent.
        """
        for number, prompt in enumerate(prompts):
            begin(number)
            yield number, self.answer(prompt)

    def priced(self, prompts: Sequence[Prompt]) -> str:
        """Return what it would take to ask, in words: nothing but time."""
        return f"{self.name} answers on this machine, at no price"


class CompletionCache:
    """The answers and the log in one SQLite file.

    ``path`` is ``answers.sqlite`` in the reader's `home` by default. Raises `InputError` if the file is another one.

    Examples
    --------
    >>> import tempfile
    >>> answers = CompletionCache(Path(tempfile.mkdtemp()) / "answers.sqlite")
    >>> answers.put("a key", "a model", Prompt("shape/0", (("user", "?"),), ("pado", "tif")), Completion("pado"))
    >>> answers.get(["a key", "another"])["a key"].text
    'pado'
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path).absolute() if path else home() / "answers.sqlite"
        if self.path.exists() and self.path.stat().st_size:
            readers.regular(self.path, None, _WANTED)
            database.identify(self.path, _APPLICATION, VERSION, _WANTED, _FIX)
        database.create(self.path, _TABLES, _APPLICATION, VERSION, _WANTED)

    def get(self, keys: Sequence[str]) -> dict[str, Completion]:
        """Return the answers to those of the questions that have one, by key."""
        query = "SELECT key, said FROM answers WHERE key IN (SELECT value FROM json_each(?))"
        where = f"{self.path} (an answer)"
        rows = self._rows(query, where, json.dumps(list(keys)))
        return {key: readers.record(Completion, readers.parsed(text, where=where), where) for key, text in rows}

    def put(self, key: str, model: str, prompt: Prompt, completion: Completion) -> None:
        """Write an answer to the disk, and to the log that it came."""
        row = [key, model, prompt.item, json.dumps(asdict(completion)), now()]
        with database.connected(self.path, "rw", _WANTED) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, '')", [now(), key, prompt.item, CAME])
            connection.execute("COMMIT")

    def note(self, key: str, prompt: Prompt, event: str, detail: str = "") -> None:
        """Write to the log that a question was sent, or that it failed and why."""
        with database.connected(self.path, "rw", _WANTED) as connection:
            connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?)", [now(), key, prompt.item, event, detail])

    def log(self) -> pd.DataFrame:
        """Return one row for each event, oldest first: at, key, item, event (sent, came or failed) and detail."""
        columns = ["at", "key", "item", "event", "detail"]
        rows = self._rows(f"SELECT {', '.join(columns)} FROM log ORDER BY rowid", f"{self.path} (its log)")
        return pd.DataFrame(rows, columns=columns, dtype="str")

    def _rows(self, query: str, where: str, *values: str) -> list[tuple[str, ...]]:
        """Return the rows of a query; `InputError` unless all cells are texts, which SQLite does not promise."""
        with database.connected(self.path, "rw", _WANTED) as connection:
            rows = connection.execute(query, values).fetchall()
        if other := [cell for row in rows for cell in row if not isinstance(cell, str)]:
            raise InputError(f"{where}, {type(other[0]).__name__}", _WANTED, _FIX)
        return rows


class CachedModel(Participant):
    """A participant whose answers are kept; a question that has an answer is not sent.

    What failed is not kept, so it is asked again the next time. After a kill, only what was on its way is.
    """

    def __init__(self, participant: Participant, answers: CompletionCache) -> None:
        self.participant, self.name, self.identity = participant, participant.name, participant.identity
        self.answers = answers

    def missing(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return the prompts that would be sent: those without an answer, each once."""
        by_key = {prompt.key(self.identity): prompt for prompt in prompts}
        known = self.answers.get([*by_key])
        return [prompt for key, prompt in by_key.items() if key not in known]

    def complete(self, prompts: Sequence[Prompt], begin: Begin = quiet) -> Iterator[tuple[int, Completion]]:
        """Yield the number of each prompt and its answer: first those that are kept, then the others as they come."""
        keys = [prompt.key(self.identity) for prompt in prompts]
        known = self.answers.get(keys)
        places: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            if key in known:
                yield number, known[key]
            else:
                places.setdefault(key, []).append(number)
        left = [(key, numbers[0], prompts[numbers[0]]) for key, numbers in places.items()]

        def sent(place: int) -> None:
            key, number, prompt = left[place]
            self.answers.note(key, prompt, SENT)
            begin(number)

        for place, completion in self.participant.complete([prompt for *_, prompt in left], sent):
            key, _, prompt = left[place]
            if completion.problem:
                self.answers.note(key, prompt, FAILED, completion.problem)
            else:
                self.answers.put(key, self.name, prompt, completion)
            for number in places[key]:
                yield number, completion
