"""What the tests of statistics share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cases import case

from cogkit.core.errors import InputError


@pytest.fixture
def refused() -> Callable:
    """A check of calls by what they are told: each raises an `InputError` of one line."""

    def check(calls: dict[str, Callable]) -> None:
        for message, call in calls.items():
            with case(message):
                with pytest.raises(InputError, match=message) as error:
                    call()
                assert "\n" not in str(error.value)

    return check
