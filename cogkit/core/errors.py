"""How bad input is told: one sentence says what came, what is wanted and how to mend it. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category

MOST = 300
"""Characters of a message."""


def one_line(text: object, most: int = MOST) -> str:
    """Return a text in one line of at most so many characters: what does not print is escaped, the middle left out.

    Examples
    --------
    >>> one_line("two\\nlines"), one_line("/a/very/long/way/to/a.json", 16)
    ('two\\\\nlines', '/a/very/lo….json')
    """
    text = str(text)
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
    300 characters: what is longer loses its middle.

    Examples
    --------
    >>> print(InputError("shape (6, 7)", "a 7×7 board of 0 and 1", "pad it to seven rows"))
    wanted a 7×7 board of 0 and 1, got shape (6, 7): pad it to seven rows
    >>> len(str(InputError("a" * 10**6, "b" * 10**6, "c" * 10**6)))
    300
    """

    def __init__(self, got: str, wanted: str, fix: str = "") -> None:
        self.got, self.wanted, self.fix = one_line(got), one_line(wanted, MOST // 2), one_line(fix, MOST // 2)
        super().__init__(one_line(f"wanted {self.wanted}, got {self.got}" + (f": {self.fix}" if fix else "")))

    def __reduce__(self):
        return type(self), (self.got, self.wanted, self.fix)  # so that a worker process can send it back complete


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
        return one_line(f"{self.path}: {self.field}: {self.problem}")
