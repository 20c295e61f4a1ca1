"""The three properties: what is found lies in real problems, and is what the paper says of them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from stored import spec_of

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.programs import write_program
from cogkit.bongard.problems import properties, sets
from cogkit.bongard.shapes import inventory

pytestmark = pytest.mark.usefixtures("use_mirror")
SOURCES = ("published", "catalogue")
FOUR, SIX = properties.READINGS


def geometry(picture) -> list[list[str]]:
    """The programs of a picture, stroke types taken out of the published strings."""
    return [[re.sub("_[a-z]+_", "_", text) for text in write_program(placed.program)] for placed in picture]


def types(picture) -> list[str]:
    return [action.type for placed in picture for action in placed.program]


def in_its_set(example, **of_set) -> bool:
    """Whether the picture is where it says in the problem of that name, made anew and alone."""
    problem = sets.problem(spec_of(example.problem.name, **of_set))
    return problem == example.problem and problem.sides[example.side][example.place] == example.picture


@pytest.mark.parametrize(("source", "profile"), [("published", "as_published"), ("catalogue", "verified")])
def test_one_shape_lies_on_opposite_sides_in_two_contexts(source, profile):
    one, other = properties.context(profile=profile, seed=3, source=source)
    assert (one.problem.concept, other.problem.concept) == ((FOUR,), (SIX,)) and (one.side, other.side) == (0, 1)
    assert all(in_its_set(example, profile=profile, seed=3, source=source) for example in (one, other))
    (first,), (second,) = one.picture, other.picture
    shape = inventory.available(source)[first.name]
    assert first.name == second.name and geometry(one.picture) == geometry(other.picture)
    assert (shape.attributes[FOUR], shape.attributes[SIX]) == (1, 0)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_the_type_of_a_stroke_is_the_concept_of_a_free_form_problem(profile):
    one, other = properties.stroke_type("ff", profile, seed=2)
    assert one.problem == other.problem and (one.side, other.side) == (0, 1)
    assert in_its_set(one, profile=profile, seed=2) and in_its_set(other, profile=profile, seed=2)
    assert geometry(one.picture) == geometry(other.picture)
    assert sum(a != b for a, b in zip(types(one.picture), types(other.picture), strict=True)) == 1


@pytest.mark.parametrize(("kind", "source"), [("bd", "catalogue"), ("hd", "published")])
def test_elsewhere_it_is_a_nuisance(kind, source):
    one, other = properties.stroke_type(kind, source=source)
    assert one.problem.kind == other.problem.kind == kind and one.side == other.side == 0
    assert one.problem.concept == other.problem.concept
    assert in_its_set(one, source=source) and in_its_set(other, source=source)
    assert geometry(one.picture) == geometry(other.picture) and types(one.picture) != types(other.picture)


@pytest.mark.parametrize("source", SOURCES)
def test_two_programs_draw_one_picture(source):
    one, other = properties.two_programs(source=source)
    assert one.name != other.name and write_program(one.program) != write_program(other.program)
    first, second = raster.images([(one,), (other,)], 256).astype(int)
    # of the free-form ones, which are drawn with stamps, another stamp may lie on top where two strokes meet
    most = 0 if source == "published" else 0.05 * (255 - first).sum()
    assert np.abs(first - second).sum() <= most
    if source == "catalogue":
        return
    # Found independently over all pairs, by the distance of points under all turns and mirror images.
    assert {one.name, other.name} == {"sector180", "closed_semi_circle"}
    labels = [inventory.published()[name].attributes["exist_sector"] for name in (one.name, other.name)]
    assert sorted(labels) == [0, 1]  # the very same picture was labelled both ways
