"""An answer that this instrument's exercise refuses; solutions and mistakes of the notes run with their notebooks."""

from __future__ import annotations

from cogkit.app.exercises import check


def test_a_fair_score_is_not_below_0_for_less_than_chance():
    verdict = check("10-fair-score", lambda accuracy, classes: (accuracy - 1 / classes) / (1 - 1 / classes))
    assert not verdict.passed and "worse than chance, not 0" in verdict.text
