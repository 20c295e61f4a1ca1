"""Episodes that several tests of MEWL look at, made once."""

from __future__ import annotations

from collections import defaultdict

import pytest

from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import Episode


@pytest.fixture(scope="session")
def made():
    """A function that returns the first episodes of a task and profile."""
    kept = defaultdict(list)

    def first(task: str, profile: str, n: int) -> list[Episode]:
        episodes = kept[task, profile]
        episodes += [making.episode(task, number, profile) for number in range(len(episodes), n)]
        return episodes[:n]

    return first
