"""Questions to language models as text and pictures: each instrument writes them, every participant reads them."""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogkit.core import seeding
from cogkit.data import png

LABELS = string.ascii_uppercase
CUE = "ANSWER:"
"""What stands before the answer: a model that chats is asked to write it, a model that completes finds it written."""


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    Attributes
    ----------
    item : str
        The hash of the item, see `fingerprint`.
    turns : tuple of (role, text)
        The conversation so far, roles ``system``, ``user`` and ``assistant``; the last turn is the question.
    options : tuple of str
        The answers to choose from, in the order in which the model reads them.
    endings : tuple of str
        If probabilities are asked for: for each option the text that would follow the last turn. Empty if the model is
        to say something.
    pictures : tuple of bytes
        PNG files. ``[picture 1]`` in a text stands for the first of them.
    labelled : bool
        Whether the options are lettered A, B, C … in the text.
    cue : str
        If probabilities are asked for: the last words of the last turn, which say nothing of the question.

    Examples
    --------
    >>> prompt = Prompt("shape/0", (("user", "Which name?"),), ("pado", "tif"), labelled=True)
    >>> prompt.labels
    ('A', 'B')
    """

    item: str
    turns: tuple[tuple[str, str], ...]
    options: tuple[str, ...]
    endings: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = ()
    labelled: bool = False
    cue: str = ""

    @property
    def bare(self) -> Prompt:
        """The same endings after the cue alone: it asks how probable they are without the question."""
        return Prompt("", (("user", self.cue),), self.options, self.endings)

    @property
    def labels(self) -> tuple[str, ...]:
        """The letters of the options; none if they are not lettered."""
        return tuple(LABELS[: len(self.options)]) if self.labelled else ()

    @property
    def text(self) -> str:
        """The whole conversation as one text, for a model that completes; roles are not named."""
        return "\n\n".join(text for _, text in self.turns)

    def key(self, identity: Mapping[str, Any]) -> str:
        """Return the SHA-256 of everything that the answer depends on: the question, and whom it is asked.

        ``identity`` names the model and its settings.
        """
        question = [self.item, self.turns, self.options, self.endings, self.labelled]
        pictures = [_digest(picture).hex() for picture in self.pictures]
        canonical = json.dumps([dict(identity), question, pictures], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()


def fingerprint(*parts: str | bytes) -> str:
    """Return the hash of an item, twelve hex digits, from everything that its question shows: texts and PNG files.

    Examples
    --------
    >>> fingerprint("a cube", "pado"), fingerprint("a cubepado") == fingerprint("a cube", "pado")
    ('43a9118b9c21', False)
    """
    return hashlib.sha256(b"".join(map(_digest, parts))).hexdigest()[:12]


def _digest(part: str | bytes) -> bytes:
    """Return the SHA-256 of a text, or of the pixels of a PNG file: programs that pack pictures differ."""
    if isinstance(part, str):
        return hashlib.sha256(part.encode()).digest()
    pixels = png.unpack(part, "RGB", lambda width, height: True, "a picture of any size")
    return hashlib.sha256(f"{pixels.shape}".encode() + pixels.tobytes()).digest()


def closing(wanted: str = "the letter of your choice") -> str:
    """Return the sentences that end a question: how to write the answer, X, which is what is ``wanted``.

    Examples
    --------
    >>> closing("a tile")
    'You may think first. End with a line of this form: "ANSWER: X", where X is a tile.'
    """
    return f'You may think first. End with a line of this form: "{CUE} X", where X is {wanted}.'


def lettered(options: Sequence[str]) -> str:
    """Return the options one below the other, with their letters.

    Examples
    --------
    >>> print(lettered(["pado", "tif"]))
    A. pado
    B. tif
    """
    return "\n".join(f"{label}. {option}" for label, option in zip(LABELS, options, strict=False))


def rotation(item: str, n: int, seed: int) -> np.ndarray:
    """Return the options of an item in the order to show them, (n,): their own order, turned round by a random number.

    Every option then comes first equally often, so that a model that likes the first place gains nothing.

    Examples
    --------
    >>> sorted(rotation("fbcc13bcd8b7", 5, seed=0).tolist())
    [0, 1, 2, 3, 4]
    """
    return np.roll(np.arange(n), int(seeding.stream(seed, f"lm/rotation/{item}").integers(n)))
