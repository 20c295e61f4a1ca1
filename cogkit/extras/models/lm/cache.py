"""Every answer that a model gave, on the disk the moment it came: what was answered once is never asked again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from cogkit.core.errors import InputError
from cogkit.data import database, readers
from cogkit.data.home import home
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion, whole
from cogkit.study.trials import now

SENT, CAME, FAILED = "sent", "came", "failed"
VERSION = 1
_APPLICATION = int.from_bytes(b"cogl", "big")
_WANTED, _FIX = "a cogkit file of answers", "move the file away, or set COGKIT_HOME to another folder"
_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT, item TEXT, said TEXT NOT NULL, at TEXT)",
    "CREATE TABLE IF NOT EXISTS log (at TEXT, key TEXT NOT NULL, item TEXT, event TEXT NOT NULL, detail TEXT)",
)  # fmt: skip
_AT_ONCE = 500  # keys in one question to the database


class Participant(Protocol):
    """A model that can be asked.

    ``name`` is what rows call it; ``identity`` is the model and every setting that its answers depend on.
    """

    name: str

    @property
    def identity(self) -> Mapping[str, Any]: ...

    def complete(
        self, prompts: Sequence[Prompt], begin: Callable[[int], None] = ...
    ) -> Iterator[tuple[int, Completion]]:
        """Yield the number of a prompt and what came back for it, as soon as it comes, in any order.

        ``begin`` is called with the number of a prompt before the prompt is sent.
        """
        ...


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
        rows = []
        with database.connected(self.path, "rw", _WANTED) as connection:
            for start in range(0, len(keys), _AT_ONCE):
                part = list(keys[start : start + _AT_ONCE])
                marks = ", ".join("?" * len(part))
                rows += connection.execute(f"SELECT key, said FROM answers WHERE key IN ({marks})", part).fetchall()
        where = f"{self.path} (an answer)"
        _texts([text for _, text in rows], where)
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
        with database.connected(self.path, "rw", _WANTED) as connection:
            rows = connection.execute("SELECT at, key, item, event, detail FROM log ORDER BY rowid").fetchall()
        _texts([cell for row in rows for cell in row], f"{self.path} (its log)")
        return pd.DataFrame(rows, columns=["at", "key", "item", "event", "detail"], dtype="str")


def _texts(cells: Sequence[Any], where: str) -> None:
    """Raise `InputError` unless all cells of a database are texts, which SQLite does not promise."""
    if other := [cell for cell in cells if not isinstance(cell, str)]:
        raise InputError(f"{where}, {type(other[0]).__name__}", _WANTED, _FIX)


class CachedModel:
    """A participant whose answers are kept; a question that has an answer is not sent.

    What failed is not kept, so it is asked again the next time. After a kill, only what was on its way is.

    Parameters
    ----------
    participant : Participant
    answers : Answers
    """

    def __init__(self, participant: Participant, answers: CompletionCache) -> None:
        self.participant, self.answers, self.name = participant, answers, participant.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """The model and its settings."""
        return self.participant.identity

    def missing(self, prompts: Sequence[Prompt]) -> list[Prompt]:
        """Return the prompts that would be sent: those without an answer, each once."""
        keys = [prompt.key(self.identity) for prompt in prompts]
        known, left = self.answers.get(keys), dict(zip(keys, prompts, strict=True))
        return [prompt for key, prompt in left.items() if key not in known]

    def complete(
        self, prompts: Sequence[Prompt], begin: Callable[[int], None] = lambda number: None
    ) -> Iterator[tuple[int, Completion]]:
        """Yield the number of each prompt and its answer: first those that are kept, then the others as they come."""
        keys = [prompt.key(self.identity) for prompt in prompts]
        known = self.answers.get(keys)
        places: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            if key in known:
                yield number, known[key]
            else:
                places.setdefault(key, []).append(number)
        left = list(places)

        def sent(number: int) -> None:
            self.answers.note(left[number], prompts[places[left[number]][0]], SENT)
            begin(places[left[number]][0])

        for number, completion in self.participant.complete([prompts[places[key][0]] for key in left], sent):
            key, completion = left[number], whole(completion)
            prompt = prompts[places[key][0]]
            if completion.problem:
                self.answers.note(key, prompt, FAILED, completion.problem)
            else:
                self.answers.put(key, self.name, prompt, completion)
            for place in places[key]:
                yield place, completion
