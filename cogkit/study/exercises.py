"""What the exercises of all instruments share: how one is declared, and checks of numbers and of functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any, SupportsFloat

from cogkit.core.instruments import Exercise
from cogkit.data.facts import texts

Check = Callable[[Any], bool | str]


class Exercises(dict[str, Exercise]):
    """The exercises of a module, by name. Calling it decorates the check of one of them.

    A JSON file of the module's name beside it holds ``hint`` and ``why`` of each exercise.
    """

    def __init__(self, module: str) -> None:
        super().__init__()
        self.texts = texts(module)

    def __call__(self, name: str, function: str = "") -> Callable[[Check], Check]:
        """Return a decorator for the check of an exercise such as ``01-first-click``.

        Where only a function can answer, ``function`` is its signature, such as ``score(question)``.
        """

        def add(check: Check) -> Check:
            @wraps(check)
            def whole(answer: Any) -> bool | str:
                fault = misfit(answer, function) if function else ""
                return fault or check(answer)

            self[name] = Exercise(whole, **self.texts[name])
            return check

        return add


def misfit(answer: Any, function: str) -> str:
    """Return what is wrong if an answer cannot be called in this way, such as ``score(question)``; else "".

    Examples
    --------
    >>> misfit(lambda a, b: 0, "score(question)")
    'the answer must be a function score(question), and yours takes (a, b)'
    >>> misfit(len, "score(question)"), misfit(7, "score(question)")
    ('', 'the answer must be a function score(question), not an int')
    """
    wanted = f"the answer must be a function {function}"
    if not callable(answer):
        kind = type(answer).__name__
        return f"{wanted}, not {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    names = function.partition("(")[2].rstrip(")").split(", ")
    with suppress(ValueError):  # what is built in may tell nothing of itself
        signature = inspect.signature(answer)
        try:
            signature.bind(*names)
        except TypeError:
            return f"{wanted}, and yours takes {signature}"
    return ""


def number(answer: Any, value: float, within: float = 0, words: tuple[str, str] = ("low", "high")) -> bool | str:
    """Return True if a number is right, else a sentence such as ``48 is too low``.

    Parameters
    ----------
    within : float
        How far off an answer may be; 0 for a count, which must be a number and not its text.
    words : (str, str)
        What to call a number that is too low, and one that is too high.

    Examples
    --------
    >>> number(48, 49)
    '48 is too low'
    """
    if abs(float(answer) - value) <= within if within else answer == value:
        return True
    return f"{f'{float(answer):.4g}' if within else answer} is too {words[not answer < value]}"


def numbers(answer: Any, values: Mapping[str, float], within: float) -> bool | str:
    """Return True if an answer gives each of these numbers under its name, else a sentence about the first fault.

    Examples
    --------
    >>> numbers({"men": 0.5}, {"men": 0.5, "women": 0.7}, 0.01), numbers({"men": 0.6}, {"men": 0.5}, 0.01)
    ("the number for 'women' is missing", 'men: 0.6 is too high')
    """
    for name, value in values.items():
        got = answer.get(name) if isinstance(answer, Mapping) else None
        if not isinstance(got, SupportsFloat):
            return f"the number for {name!r} is missing"
        if isinstance(fault := number(got, value, within), str):
            return f"{name}: {fault}"
    return True


def unseen(share: float, n: int, what: str) -> bool | str:
    """Return True if a function was right in all of n new things, else a sentence with its share.

    Examples
    --------
    >>> unseen(0.5, 60, "episodes of shape")
    'on 60 episodes of shape that you have not seen it is right in 0.50'
    """
    return bool(share >= 1) or f"on {n} {what} that you have not seen it is right in {share:.2f}"
