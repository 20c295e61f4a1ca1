"""A folder of notebooks in place of the project's own."""

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
