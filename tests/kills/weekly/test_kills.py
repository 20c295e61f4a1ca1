"""Three hundred kills at random moments, or ``COGKIT_KILLS``: nothing is lost, and nothing is made twice."""

from __future__ import annotations

import pytest
from kills.campaigns import CAMPAIGNS, KILLS, assert_nothing_lost


@pytest.mark.timeout(4 * 3600)
@pytest.mark.usefixtures("home", "sixth", "mirror", "one_thread")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_is_killed_and_resumed_is_what_nobody_ended(name, tmp_path, record_property):
    assert_nothing_lost(name, KILLS, tmp_path, record_property)
