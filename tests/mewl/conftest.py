"""What tests of word learning share: a test that takes ``task`` or ``profile`` runs for each of them."""

from __future__ import annotations

import pytest

from cogkit.mewl.problems.episodes import TASKS
from cogkit.study.trials import Trials


@pytest.fixture(params=["as_published", "verified"])
def profile(request) -> str:
    return request.param


@pytest.fixture(params=TASKS)
def task(request) -> str:
    return request.param


@pytest.fixture
def trials(home) -> Trials:
    """The trials of a reader in a home of their own."""
    return Trials()
