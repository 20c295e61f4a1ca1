"""Every comparison of errors that ships is what a run gives."""

from __future__ import annotations

import pytest

from cogkit.app import experiments


@pytest.mark.parametrize("name", ["tiles", "bongard", "mewl", "generalization"])
def test_the_shipped_comparison_is_what_a_run_gives(name):
    assert experiments.verify(f"{name}/errors", preset="lab", root="nowhere").ok
