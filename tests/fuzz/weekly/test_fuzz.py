"""As every night, with forty times as many spoilt files."""

from __future__ import annotations

import pytest
from campaigns import CAMPAIGNS, assert_sound


@pytest.mark.timeout(4 * 3600)  # a case that hangs is ended by the harness
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_spoilt_files_are_refused_in_a_sentence_or_taken_whole(name, tmp_path, record_property):
    assert_sound(name, 20_000, tmp_path, record_property)
