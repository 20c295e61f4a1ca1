"""New shapes in every problem, under both profiles, and of our own shapes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from cogkit.bongard.logo import outlines
from cogkit.bongard.problems import certify, sets, splits
from cogkit.bongard.shapes import inventory
from cogkit.core import presets

PARTS = ("train", "val", "AB", "CM", "NV")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("source", ["published", "catalogue"])
@pytest.mark.parametrize("profile", presets.PROFILES)
def test_no_figure_is_in_training_and_in_a_test(profile, source):
    shapes, programs = inventory.available(source), {False: set(), True: set()}
    for part in PARTS:
        problems = sets.problems(f"new-shapes/{part}", None, profile, source=source)
        assert problems and not [fault for made in problems[::10] for fault in certify.check(made, shapes)]
        names = {placed.name for made in problems for side in made.sides for (placed,) in side}
        programs[part.isupper()] |= {shapes[name].program for name in names}
    signature = partial(outlines.signature, typed=False)
    one, other = (np.stack([*map(signature, part)]) for part in programs.values())
    assert min(map(len, (one, other))) > 60 and cdist(one, other, "chebyshev").min() > outlines.SAME


def test_longer_programs_are_longer_than_all_in_training():
    parts = splits.split("free-form, longer programs")
    longest = {"nact9", "nact4_5"}
    assert {*np.ravel([made.concept for made in parts.test])} == longest
    assert not longest & {*np.ravel([spec.concept for spec in parts.train])}
    assert parts.test.split == parts.name and len(parts.test) == 600
