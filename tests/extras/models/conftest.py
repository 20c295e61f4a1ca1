"""A server of the test's own, no key and no proxy."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from lm.speaking import Act, Server, serving

from cogkit.extras.models.lm.address import KEY

_certificates = cache(ssl.create_default_context)  # each client reads all of them, and none here needs any


@pytest.fixture(autouse=True)
def alone(monkeypatch) -> None:
    """Keep the reader's own key and proxy out of the tests."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(ssl, "create_default_context", _certificates)


@pytest.fixture
def serve() -> Iterator[Callable[[Act], Server]]:
    """Return a function that starts a server, which ends with the test."""
    with ExitStack() as stack:
        yield lambda act: stack.enter_context(serving(act))
