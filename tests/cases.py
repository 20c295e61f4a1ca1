"""Many cases in one test: a loop costs nothing to collect, and a failure still says which case it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(name: object) -> Iterator[None]:
    """Add the name of a case to whatever fails inside.

    Examples
    --------
    >>> for number in (2, 4, 5):
    ...     with case(number):
    ...         assert number % 2 == 0
    Traceback (most recent call last):
    AssertionError
    in case 5
    """
    try:
        yield
    except BaseException as error:
        error.add_note(f"in case {name}")
        raise
