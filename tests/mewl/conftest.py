"""Episodes that several tests of MEWL look at, made once."""

from __future__ import annotations

from functools import cache

import pytest

from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import Episode


@cache
def _made(task: str, profile: str, n: int) -> list[Episode]:
    return [making.episode(task, number, profile) for number in range(n)]


@pytest.fixture(scope="session")
def made():
    """A function that returns the first episodes of a task and profile."""
    return _made
