"""Made sets of trials for the tests that read them, and the page of a widget."""

from __future__ import annotations

import shutil

import pytest

from cogkit.equivalence.files import datasets


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    datasets.make(folder)
    return folder


@pytest.fixture(scope="session")
def few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few")
    datasets.make(folder, n=2, seed=3)
    return folder


@pytest.fixture
def dataset(few, tmp_path):
    return shutil.copytree(few, tmp_path / "dataset")


@pytest.fixture
def page():
    """What a page does: it sends a widget a message."""
    return lambda widget, message: widget.comm.handle_msg(
        {"content": {"data": {"method": "custom", "content": message}}, "buffers": []}
    )
