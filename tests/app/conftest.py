"""A folder of notebooks in place of the project's own, and a simulated class."""

from __future__ import annotations

from pathlib import Path

import pytest

import cogkit


@pytest.fixture
def folder(tmp_path, monkeypatch, home) -> Path:
    """A notebook folder in place of the project's own: cogkit looks for it beside the package."""
    monkeypatch.setattr(cogkit, "__file__", str(tmp_path / "site" / "cogkit" / "__init__.py"))
    folder = tmp_path / "site" / "cogkit" / "_notebooks"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def handed() -> list:
    """What a simulated class of thirty hands in."""
    from cogkit.app.classroom import simulated  # most tests need none

    return simulated.hand_ins()


@pytest.fixture(scope="session")
def class_of(handed):
    """That class, gathered."""
    from cogkit.app.classroom import gathered

    return gathered.merge(handed)
