"""Answers of a model as a file that anybody can read, and that answers again without the model.

Lines of JSON: first what the file is, then one answer a line, with the first digits of its question's key. A file whose
name ends with ``.xz`` is packed.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.extras.models.lm.cache import Begin, Participant, quiet
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import Completion

_WANTED = "a transcript of a model's answers"
_HEAD = {"format": "cogkit transcript", "version": 1}
_DIGITS = 16  # of a key: 64 bits tell the questions of any number of runs apart
_PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]  # best for text
ENDINGS = (".jsonl", ".jsonl.xz")
"""How the name of a transcript ends: as it is, or packed."""


class Transcript(Participant):
    """A participant that answers from a transcript.

    Attributes
    ----------
    name : str
        The model's name.
    identity : mapping
        The model and its settings, as they were when it answered.
    about : mapping
        What the transcript says of itself: ``identity`` and whatever was written with it, such as a manifest.

    A question that the transcript does not have fails; its reply says so.
    """

    def __init__(
        self, name: str, identity: Mapping[str, Any], answers: Mapping[str, Completion], about: Mapping[str, Any]
    ):
        self.name, self.identity, self.about = name, dict(identity), about
        self._answers = {key[:_DIGITS]: completion for key, completion in answers.items()}

    def __len__(self) -> int:
        return len(self._answers)

    def answer(self, prompt: Prompt) -> Completion:
        """Return the recorded answer to a prompt."""
        missing = Completion(problem=f"the transcript of {self.name} has no answer to this question")
        return self._answers.get(prompt.key(self.identity)[:_DIGITS], missing)


class Recording(Participant):
    """A participant that notes every answer of another, for a transcript.

    Examples
    --------
    >>> silent = Transcript("nobody", {"model": "nobody"}, {}, {})
    >>> recording = Recording(silent)
    >>> [completion.problem[:14] for _, completion in recording.complete([Prompt("0", (("user", "?"),), ("a", "b"))])]
    ['the transcript']
    """

    def __init__(self, participant: Participant) -> None:
        self.participant, self.name, self.identity = participant, participant.name, participant.identity
        self.answers: dict[str, Completion] = {}

    def complete(self, prompts: Sequence[Prompt], begin: Begin = quiet) -> Iterator[tuple[int, Completion]]:
        """Yield what the other participant says, and note it; what failed is not noted."""
        for number, completion in self.participant.complete(prompts, begin):
            if not completion.problem:
                self.answers[prompts[number].key(self.identity)] = completion
            yield number, completion

    def write(self, path: Path | str, **about: Any) -> Path:
        """Write the answers noted so far, packed if the name ends with ``.xz``; ``about`` goes into the first line."""
        head = {**_HEAD, "name": self.name, "identity": dict(self.identity), **about}
        text = json.dumps(head, ensure_ascii=False) + "\n"
        # Answers that are alike stand together: packed, they take a tenth less room.
        for key, one in sorted(self.answers.items(), key=lambda pair: (pair[1].tokens_in, pair[1].logs, pair[0])):
            fields = {name: value for name, value in asdict(one).items() if value not in ("", (), 0) or name == "text"}
            text += json.dumps({"key": key[:_DIGITS], **fields}, ensure_ascii=False, sort_keys=True) + "\n"
        content = text.encode()
        packed = lzma.compress(content, filters=_PACKING) if Path(path).suffix == ".xz" else content
        return write_whole(Path(path), packed)


def read_transcript(path: Path | str) -> Transcript:
    """Return the participant of a transcript, as `Recording.write` makes it.

    Raises
    ------
    InputError
        The file is no transcript, has another version, or a line of it cannot be read; the line is named.
    """
    # Words of a model may hold signs at which `str.splitlines` would part them.
    read = readers.unpacked if Path(path).suffix == ".xz" else readers.text
    lines = read(path, wanted=_WANTED).removesuffix("\n").split("\n")
    head = readers.parsed(lines[0], where=f"{path}, line 1", wanted=_WANTED)
    if {name: head.get(name) for name in _HEAD} != _HEAD or not isinstance(head.get("identity"), dict):
        raise InputError(f"{path} with the first line {lines[0]!r:.80}", f"{_WANTED}, version {_HEAD['version']}")
    answers = {}
    for number, line in enumerate(lines[1:], 2):
        where = f"{path}, line {number}"
        fields = readers.parsed(line, where=where, wanted=_WANTED)
        key = str(fields.pop("key", ""))[:_DIGITS]
        if not key or key in answers:
            raise InputError(f"{where}, {'a second answer to one question' if key else 'without a key'}", _WANTED)
        answers[key] = readers.record(Completion, fields, where, _WANTED)
    return Transcript(str(head.get("name", "a model")), head["identity"], answers, head)
