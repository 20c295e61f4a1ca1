"""What the exercises of all instruments share: how one is declared, and the check of a number."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from cogkit.core.contracts import Exercise
from cogkit.data.facts import texts

Check = Callable[[Any], bool | str]


class Exercises(dict[str, Exercise]):
    """The exercises of a module, by name. Calling it decorates the check of one of them.

    Parameters
    ----------
    module : str
        The ``__file__`` of the module. A JSON file of its name beside it holds the hint of each exercise.
    """

    def __init__(self, module: str) -> None:
        super().__init__()
        self.hints = texts(module)

    def __call__(self, name: str, function: str = "") -> Callable[[Check], Check]:
        """Return a decorator.

        Parameters
        ----------
        name : str
            Such as ``01-first-click``.
        function : str
            The signature of the function that answers, such as ``score(question)``, where only a function can.
        """

        def add(check: Check) -> Check:
            @wraps(check)
            def whole(answer: Any) -> bool | str:
                return f"it is no function {function}" if function and not callable(answer) else check(answer)

            self[name] = Exercise(whole, self.hints[name])
            return check

        return add


def number(answer: Any, value: float, within: float = 0, words: tuple[str, str] = ("low", "high")) -> bool | str:
    """Return True if a number is right, else a sentence such as ``48 is too low``.

    Parameters
    ----------
    answer : float
    value : float
        The right number.
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
