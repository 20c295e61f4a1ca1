"""Sets of episodes on the disk, made once a file."""

from __future__ import annotations

import pytest

from cogkit.extras.datasets.mewl import datasets


@pytest.fixture(scope="module")
def stored(tmp_path_factory, request):
    """A set of each profile, of the size ``N`` of the module that asks for it."""
    folder = tmp_path_factory.mktemp("stored")
    for profile in ("verified", "as_published"):
        datasets.make(folder / profile, n=request.module.N, profile=profile, jobs=1)
    return folder
