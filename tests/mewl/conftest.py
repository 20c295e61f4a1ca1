"""Episodes that several tests of MEWL look at, made once."""

from __future__ import annotations

from collections import defaultdict

import pytest

from cogkit.mewl.files import datasets
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


@pytest.fixture(scope="module")
def stored(tmp_path_factory, request):
    """A set of each profile, of the size ``N`` of the module that asks for it."""
    folder = tmp_path_factory.mktemp("stored")
    for profile in ("verified", "as_published"):
        datasets.make(folder / profile, n=request.module.N, profile=profile, jobs=1)
    return folder
