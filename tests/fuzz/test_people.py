"""A quick look at what people send and keep: no spoilt file of theirs crashes its loader."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["results", "collected data", "hand-ins", "trials"])
def test_spoilt_files_are_refused_in_a_sentence_or_taken_whole(name, tmp_path, record_property):
    from campaigns import assert_sound  # which imports every loader

    assert_sound(name, 40, tmp_path, record_property)
