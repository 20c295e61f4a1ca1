"""Taught eyes: where they look, what they are taught (from the programs, by hand), and that they learn it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.bongard.learners import pretrained, sight
from cogkit.bongard.learners.lessons import (
    ANGLES,
    COUNTED,
    STROKES,
    SWEEPS,
    TAUGHT,
    UNKNOWN,
    Lessons,
    lessons,
    pixels_of,
)
from cogkit.bongard.learners.windows import windows
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems import records, sets
from cogkit.bongard.shapes import inventory
from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import trained

pytestmark = pytest.mark.usefixtures("one_thread")
SIZE = 64
SQUARE = (Line(1.0), Line(1.0, 90.0, "zigzag"), Line(1.0, 90.0, "circle"), Line(1.0, 90.0))
DROP = (Arc(0.5, 270.0), Arc(0.3, -90.0, 180.0, "square"))  # the second arc is drawn backward


@pytest.fixture(scope="module")
def pictures():
    problems = [problem for task in ("val", "FF", "BA") for problem in sets.problems(task, 12, source="catalogue")]
    return records.pictures(problems)


@pytest.fixture(scope="module")
def seen(pictures):
    found = windows(raster.images(pictures, 512), SIZE)
    return found, *lessons(pictures, found, inventory.catalogue())


# Where they look


def test_a_shape_of_a_picture_has_a_window(pictures, seen):
    found, rows, told = seen
    shapes = np.array([len(picture) for picture in pictures])
    assert {1, 2} == set(shapes)
    wrong = (np.bincount(found.owners, minlength=len(pictures)) != shapes).sum()
    assert wrong <= 2, f"{wrong} of {len(pictures)}"  # 3 of 2,800 validation pictures, of which 504 would have 0.5
    assert len(rows) == len(told) >= shapes.sum() - 4


# What they are taught


def test_counts_are_those_of_the_program():
    drawn = [(Placed(SQUARE, Placement(-90.0, -90.0, 20.0)),), (Placed(DROP, Placement(0.0, -80.0, 0.0)),)]
    rows, told = lessons(drawn, windows(raster.images(drawn, 512), SIZE), inventory.catalogue())
    assert rows.tolist() == [0, 1] and told.counts.shape == (2, sum(COUNTED.values()))
    named = [
        dict(zip((*STROKES, *ANGLES, *(f"{sweep} °" for sweep in SWEEPS)), row, strict=False)) for row in told.counts
    ]
    square, drop = ({name: count for name, count in row.items() if count} for row in named)
    assert square == {"line normal": 2, "line zigzag": 1, "line circle": 1, 90: 3}
    # the pen turns by 180°, and then goes on the way it came from: no turn is seen
    assert drop == {"arc normal": 1, "arc square": 1, 0: 1, "270 °": 1, "90 °": 1}
    assert (told.attributes == UNKNOWN).all()  # these shapes have no names
    assert told.angles.tolist() == [UNKNOWN, 3, 3, 3, UNKNOWN, 0]
    assert told.sweeps.tolist() == [UNKNOWN] * 4 + [4, 1]


def test_attributes_are_those_of_the_shape_that_a_window_shows(pictures, seen):
    found, rows, told = seen
    shapes = inventory.catalogue()
    columns = [inventory.ATTRIBUTES.index(name) for name in TAUGHT]
    assert len(TAUGHT) == 25 and sets.NOVEL not in TAUGHT
    labelled = 0
    for row, labels, bounds in zip(rows, told.attributes, zip(told.bounds, told.bounds[1:], strict=False), strict=True):
        picture = pictures[found.owners[row]]
        middle = found.corners[row] + found.sides[row] / 2
        starts = [pixels_of(np.array([complex(shape.at.x, shape.at.y)]))[0] for shape in picture]
        first = told.places[bounds[0], 0] * found.sides[row] + found.corners[row]
        (shape,) = [shape for shape, start in zip(picture, starts, strict=True) if np.allclose(start, first, atol=0.01)]
        assert np.hypot(*(first - middle)) < found.sides[row]
        assert bounds[1] - bounds[0] == len(shape.program)
        if shape.name:
            labelled += 1
            assert labels.tolist() == shapes.table[[known.name for known in shapes].index(shape.name), columns].tolist()
    assert labelled > 100


def near_ink(window: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether there is ink within two pixels of places, as shares of a window."""
    columns, rows = (places * len(window)).astype(int).T
    padded = np.pad(window, 2, constant_values=255)
    return np.array([(padded[y : y + 5, x : x + 5] < 200).any() for x, y in zip(columns, rows, strict=True)])


@pytest.mark.parametrize("turn", range(8))
def test_places_lie_on_ink_however_a_window_is_turned(seen, turn):
    found, rows, told = seen
    shown = sight.posed(found.pixels[rows], np.full(len(rows), turn))
    moved = told.turned(np.full(len(rows), turn))
    hits = [near_ink(window, moved.places[owner == moved.owners, 1:].reshape(-1, 2).clip(0, 0.999))
            for owner, window in zip(range(len(rows)), shown, strict=True)]  # fmt: skip
    share = np.concatenate(hits).mean()
    assert share > 0.995, share  # .999 of the strokes of validation problems; some lie under others


def test_posed_windows_are_mirrored_first_and_then_turned_left():
    window = np.arange(9, dtype=np.uint8).reshape(1, 3, 3)
    for turn in range(8):
        expected = np.rot90(window[0, :, ::-1] if turn % 2 else window[0], turn // 2)
        assert (sight.posed(window, np.array([turn]))[0] == expected).all()


def test_lessons_are_taken_and_joined_row_by_row(seen):
    _, rows, told = seen
    order = np.random.default_rng(0).permutation(len(rows))
    apart = [told[order[:30]], told[order[30:31]], told[order[31:]]]
    whole, back = Lessons.joined(apart), np.argsort(order)
    for name in ("counts", "attributes", "bounds", "strokes", "angles", "sweeps", "lengths", "places"):
        assert np.array_equal(getattr(whole[back], name), getattr(told, name)), name


def test_a_cell_with_strokes_of_two_kinds_is_left_out():
    logits = torch.zeros(1, len(STROKES) + 1, 2, 2)
    logits[0, 3, 0, 0] = logits[0, -1, 1, 0] = logits[0, -1, 1, 1] = 50.0  # right about three cells
    place = torch.zeros(2, 1, dtype=torch.long)
    owner = torch.zeros(2, dtype=torch.long)
    both = sight._inked(logits, owner, place, torch.tensor([[0], [0]]), torch.tensor([3, 4]))  # both in one cell
    one = sight._inked(logits, owner, place, torch.tensor([[0], [1]]), torch.tensor([3, 4]))
    assert both == pytest.approx(
        0.3 * np.log(len(STROKES) + 1) / 0.9, rel=1e-4
    )  # of the three empty cells one is unsure
    assert one == pytest.approx(np.log(len(STROKES) + 1) / 2.6, rel=1e-4)


# That they learn


@pytest.fixture(scope="module")
def some():
    return sight.taught(sets.problems("val", 12), SIZE)


def test_eyes_fit_ten_windows(some):
    shown, told = some
    rows = np.flatnonzero((told.attributes != UNKNOWN).sum(axis=1) > 15)[:10]
    config = pretrained.SIGHT.config("quick", steps=200, batch=10, learning_rate=5e-3)
    result = run(sight.fit(config, 0, (shown[rows], told[rows]), log_every=20))
    network = trained(result.state)
    counts, attributes = sight.told(network, shown[rows])
    right = np.concatenate([*sight.right_attributes(attributes, told[rows]).values()])
    strokes = counts.argmax(dim=2).numpy() == told[rows].counts
    assert right.mean() > 0.98 and strokes.mean() > 0.98, (right.mean(), strokes.mean())
    assert (result.log.iloc[-1, 1:] < result.log.iloc[0, 1:]).all(), result.log


def test_eyes_of_other_windows_are_refused(some):
    config = pretrained.SIGHT.config("quick", size=32)
    with pytest.raises(InputError, match="64, 64"):
        sight.fit(config, 0, some)
    for wrong in ({"size": 60}, {"widths": (1, 2)}, {"steps": 0}):
        with pytest.raises(InputError):
            pretrained.SIGHT.config("quick", **wrong)


def test_a_run_of_eyes_has_rows_for_strokes_and_every_attribute(home):
    config = pretrained.SIGHT.config("quick", problems=4, validated=4, tested=4, steps=2, batch=8, looks=1)
    rows = sight.LIFE.run(config, "verified", 0)
    tasks = [row["task"] for row in rows]
    assert {"telling/strokes", "telling/has_curve", "telling/train/strokes"} <= set(tasks)
    assert not any(sets.NOVEL in task for task in tasks)
    assert {row["supervision"] for row in rows} == {"attributes"} and {row["kind"] for row in rows} == {"model"}
    windows_asked = {row["task"]: row["n"] for row in rows}
    assert windows_asked["telling/strokes"] >= 4 * 14 * 4 > windows_asked["telling/convex"]
