"""What the campaigns share."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_log() -> Iterator[None]:
    """Keep what libraries log out of the reports: spoilt text may hold letters that no worker process can send."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)
