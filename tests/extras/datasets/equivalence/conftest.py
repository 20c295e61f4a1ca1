"""Made sets of trials for the tests that read them."""

from __future__ import annotations

import shutil

import pytest

from cogkit.extras.datasets.equivalence import datasets


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
