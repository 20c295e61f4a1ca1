"""Every notebook in a person's hands, looked at after each step at 1280 and 1024 px, in both themes.

Each notebook is a unit of its own for several processes with ``pytest -n 2 --dist load``.
"""

from __future__ import annotations

import pytest
from persons import READERS, work_through


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", READERS)
@pytest.mark.usefixtures("warm")
def test_a_person_works_through(name, reader):
    work_through(name, reader, whole=True)
