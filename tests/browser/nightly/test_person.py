"""Every notebook in a person's hands, at 1280 px in the light theme, and in the end at 1024 px in the dark one.

Each notebook is a unit of its own for several processes with ``pytest -n 2 --dist load``.
"""

from __future__ import annotations

import pytest
from persons import READERS, work_through

from cogkit.app import notebooks


def test_every_notebook_has_its_reader():
    assert list(READERS) == [path.stem for path in notebooks.find()]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", READERS)
@pytest.mark.usefixtures("warm")
def test_a_person_works_through(name, reader):
    work_through(name, reader, whole=False)
