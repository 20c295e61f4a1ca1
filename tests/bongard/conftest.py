"""Problems made by hand, for the tests that ask about them."""

from __future__ import annotations

import csv

import pytest

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.problems.records import A_SIDE, Problem
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shape, Shapes
from cogkit.data import published
from cogkit.study.trials import Trials

UNIT = 1e-5  # length of the stroke of picture number 1


@pytest.fixture
def trials(home) -> Trials:
    return Trials()


@pytest.fixture
def use_mirror(mirror, monkeypatch):
    """The published shapes, from the mirror and nowhere else."""
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    assert published.source("bongard_logo/data/human_designed_shapes.tsv") == "mirror"


@pytest.fixture(scope="session")
def shape_set(mirror) -> Shapes:
    """The published shapes."""
    return inventory.available("published")


@pytest.fixture(scope="session")
def rows(reference) -> dict[str, dict[str, str]]:
    """The published labels by shape, as the cleaned tables have them, with the one that follows from two others."""
    with open(reference / "bongard_logo" / "attributes.tsv", newline="") as stream:
        table = {row["name"]: row for row in csv.DictReader(stream, delimiter="\t")}
    for row in table.values():
        both = row["symmetric"], row["self_transposed"]
        row["symmetric_transposed"] = "1" if both == ("1", "1") else "-1" if "-1" in both else "0"
    return table


@pytest.fixture
def drawn(monkeypatch) -> list[int]:
    """How many pictures were drawn each time, in this process."""
    counts, images = [], raster.images
    monkeypatch.setattr(raster, "images", lambda made, *more: counts.append(len(made)) or images(made, *more))
    return counts


@pytest.fixture(scope="session")
def numbered():
    """``numbered(n)``: n problems in which the length of the only stroke says which picture it is, from 1 on."""

    def picture(number: int):
        return (Placed((Line(number * UNIT),), Placement(1.0, 2.0, 3.0, 100.0), name=f"shape {number}"),)

    def problem(k: int) -> Problem:
        first = 2 * A_SIDE * k + 1
        sides = [tuple(picture(first + A_SIDE * side + place) for place in range(A_SIDE)) for side in (0, 1)]
        return Problem(f"ff_nact{4 + k % 2}_{k:04d}", "ff", (f"nact{4 + k % 2}",), *sides)

    return lambda n: [problem(k) for k in range(n)]


@pytest.fixture(scope="session")
def number():
    """``number(picture)``: which picture of `numbered` it is: problem, side, place."""

    def number_of(picture) -> tuple[int, int, int]:
        (placed,) = picture
        rest, place = divmod(round(placed.program[0].length / UNIT) - 1, A_SIDE)
        return *divmod(rest, 2), place

    return number_of


@pytest.fixture(scope="session")
def two_shapes() -> Shapes:
    """A nail, which is convex and nothing else but perhaps necked, and a fish, which is symmetric."""
    labels = {"nail": {"convex": 1, "necked": -1}, "fish": {"symmetric": 1}}
    super_classes = {"nail": "triangle", "fish": "arc"}
    none = dict.fromkeys(ATTRIBUTES, 0)
    shapes = [Shape(name, super_classes[name], (Line(1.0),), False, none | labels[name]) for name in labels]
    return Shapes("published", tuple(shapes))
