"""Taught eyes: where they look, what they are taught (from the programs, by hand), and that they learn it."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.bongard.learners import lessons, perception, pretrained
from cogkit.bongard.learners.lessons import TAUGHT, UNKNOWN
from cogkit.bongard.learners.windows import windows
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems import records, sets
from cogkit.bongard.shapes import inventory
from cogkit.learning import run
from cogkit.learning.supervised import trained

pytestmark = pytest.mark.usefixtures("one_thread")
SIZE = 64
SQUARE = (Line(1.0), Line(1.0, 90.0, "zigzag"), Line(1.0, 90.0, "circle"), Line(1.0, 90.0))
DROP = (Arc(0.5, 270.0), Arc(0.3, -90.0, 180.0, "square"))  # the second arc is drawn backward


@pytest.fixture(scope="module")
def pictures():
    problems = [problem for task in ("val", "FF", "BA") for problem in sets.problems(task, 6, source="catalogue")]
    return records.pictures(problems)


@pytest.fixture(scope="module")
def seen(pictures):
    crops = windows(raster.images(pictures, 512), SIZE)
    return crops, *lessons.lessons(pictures, crops, inventory.catalogue())


# Where they look


def test_a_shape_of_a_picture_has_a_window(pictures, seen):
    crops, rows, targets = seen
    shapes = np.array([len(picture) for picture in pictures])
    assert {1, 2} == set(shapes)
    wrong = (np.bincount(crops.owners, minlength=len(pictures)) != shapes).sum()
    assert wrong <= 1, f"{wrong} of {len(pictures)}"  # 3 of 2,800 validation pictures, of which 252 would have 0.3
    assert len(rows) == len(targets) >= shapes.sum() - 2


# What they are taught


def test_counts_are_those_of_the_program():
    drawn = [(Placed(SQUARE, Placement(-90.0, -90.0, 20.0)),), (Placed(DROP, Placement(0.0, -80.0, 0.0)),)]
    rows, targets = lessons.lessons(drawn, windows(raster.images(drawn, 512), SIZE), inventory.catalogue())
    assert rows.tolist() == [0, 1] and targets.counts.shape == (2, sum(lessons.COUNTED.values()))
    names = (*lessons.STROKES, *lessons.ANGLES, *(f"{sweep} °" for sweep in lessons.SWEEPS))
    counts = targets.counts.tolist()
    square, drop = ({name: n for name, n in zip(names, row, strict=False) if n} for row in counts)
    assert square == {"line normal": 2, "line zigzag": 1, "line circle": 1, 90: 3}
    # the pen turns by 180°, and then goes on the way it came from: no turn is seen
    assert drop == {"arc normal": 1, "arc square": 1, 0: 1, "270 °": 1, "90 °": 1}
    assert (targets.attributes == UNKNOWN).all()  # these shapes have no names
    assert targets.angles.tolist() == [[UNKNOWN, 3, 3, 3, *[UNKNOWN] * 5], [UNKNOWN, 0, *[UNKNOWN] * 7]]
    assert targets.sweeps.tolist() == [[UNKNOWN] * 9, [4, 1, *[UNKNOWN] * 7]]


def test_attributes_are_those_of_the_shape_that_a_window_shows(pictures, seen):
    crops, rows, targets = seen
    shapes, columns, labelled = inventory.catalogue(), [inventory.ATTRIBUTES.index(name) for name in TAUGHT], 0
    table = {shape.name: row[columns].tolist() for shape, row in zip(shapes, shapes.table, strict=True)}
    assert len(TAUGHT) == 25 and sets.NOVEL not in TAUGHT
    for row, labels, strokes, places in zip(rows, targets.attributes, targets.strokes, targets.places, strict=True):
        picture, side = pictures[crops.owners[row]], crops.sides[row]
        first = places[0, 0] * side + crops.corners[row]
        starts = [lessons.pixels_of(np.array([complex(shape.at.x, shape.at.y)]))[0] for shape in picture]
        (shape,) = [shape for shape, start in zip(picture, starts, strict=True) if np.allclose(start, first, atol=0.01)]
        assert np.hypot(*(first - crops.corners[row] - side / 2)) < side
        assert (strokes != UNKNOWN).sum() == len(shape.program)
        if shape.name:
            labelled += 1
            assert labels.tolist() == table[shape.name]
    assert labelled > 50


def near_ink(window: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether there is ink within two pixels of places, as shares of a window."""
    columns, rows = (places * len(window)).astype(int).T
    padded = np.pad(window, 2, constant_values=255)
    return np.array([(padded[y : y + 5, x : x + 5] < 200).any() for x, y in zip(columns, rows, strict=True)])


def test_places_lie_on_ink_however_a_window_is_mirrored_and_then_turned_left(seen):
    crops, rows, targets = seen
    for turn in range(8):
        turns = np.full(len(rows), turn)
        images, moved = perception.posed(crops.pixels[rows], turns), targets.turned(turns)
        first = crops.pixels[rows[0]]
        assert (images[0] == np.rot90(first[:, ::-1] if turn % 2 else first, turn // 2)).all()
        hits = []
        for window, places, strokes in zip(images, moved.places, moved.strokes, strict=True):
            hits.append(near_ink(window, places[strokes != UNKNOWN, 1:].reshape(-1, 2).clip(0, 0.999)))
        assert np.concatenate(hits).mean() > 0.995, turn  # .999 in validation; some strokes lie under others


# That they learn


def test_eyes_fit_ten_windows():
    images, targets = perception.taught(sets.problems("val", 6), SIZE)
    rows = np.flatnonzero((targets.attributes != UNKNOWN).sum(axis=1) > 15)[:10]
    config = pretrained.SIGHT.config("quick", steps=150, batch=10, learning_rate=5e-3)
    result = run(perception.fit(config, 0, (images[rows], targets[rows]), log_every=20))
    counts, attributes = perception.predict(trained(result.state), images[rows])
    right = np.concatenate([*perception.right_attributes(attributes, targets[rows]).values()])
    strokes = counts.argmax(dim=2).numpy() == targets[rows].counts
    assert right.mean() > 0.98 and strokes.mean() > 0.98, (right.mean(), strokes.mean())
    assert (result.log.iloc[-1, 1:] < result.log.iloc[0, 1:]).all(), result.log
