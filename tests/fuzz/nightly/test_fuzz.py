"""Whatever is done to a file, its loader takes it whole or refuses it in a sentence: it never crashes or hangs."""

from __future__ import annotations

import pytest
from campaigns import CAMPAIGNS, assert_sound


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_spoilt_files_are_refused_in_a_sentence_or_taken_whole(name, tmp_path, record_property):
    assert_sound(name, 500, tmp_path, record_property)
