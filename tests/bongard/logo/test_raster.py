"""Pixels against the published previews, against a naive painter's ink, and against the published mapping."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from cases import case
from PIL import Image
from turtles import Ink, agreement, any_picture, paint, pixels

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.drawing import PREVIEW, PROBLEM
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Arc, Line
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import InputError


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def ink(pictured: np.ndarray) -> np.ndarray:
    return 1 - pictured / 255.0


def test_previews_look_as_published(reference, use_mirror):
    folder, correlations, shapes = reference / "bongard_logo", {}, inventory.published()
    for line in (folder / "preview_index.tsv").read_text().splitlines()[1:]:
        file, name, kind = line.split("\t")
        program = tuple(replace(action, type=kind) for action in shapes[name].program)
        published = np.asarray(Image.open(folder / file).convert("L"))
        correlations[file] = correlation(raster.image((Placed(program),), 128, PREVIEW), published)
    assert len(correlations) == 60
    assert np.mean(list(correlations.values())) >= 0.95
    assert min(correlations.values()) >= 0.88, min(correlations, key=correlations.get)


@pytest.fixture(scope="module")
def originals() -> list[tuple]:
    """Pictures of any kind, each with what the naive painter makes of it."""
    return [(picture, painted(picture)) for picture in map(any_picture, range(24))]


def painted(picture) -> np.ndarray:
    paint(picture, canvas := Ink())
    return pixels(canvas)


def test_any_picture_has_its_ink_where_the_painter_has(originals):
    """Ink of either within 1.5 pixels of ink of the other, at the published 512 pixels."""
    shares = [agreement(raster.image(picture, 512), original) for picture, original in originals]
    assert np.mean(shares) >= 0.99
    assert min(shares) >= 0.96, int(np.argmin(shares))


def test_pictures_of_all_sizes_have_the_ink_that_the_painter_has(originals):
    """Much finer than 1.5 pixels, which a line a third too thin would pass."""
    for size in (16, 64, 128, 512):
        alike, ratios = [], []
        for picture, original in originals:
            averaged = original.reshape(size, 512 // size, size, 512 // size).mean(axis=(1, 3))
            image = raster.image(picture, size)
            alike.append(correlation(image, averaged))
            ratios.append(ink(image).sum() / ink(averaged).sum())
        with case(size):
            assert np.mean(alike) >= 0.98 and min(alike) >= 0.96
            assert np.mean(ratios) == pytest.approx(1, abs=0.02) and max(np.abs(np.log(ratios))) < 0.1


def test_each_type_of_stroke_has_the_ink_that_the_painter_has():
    for kind in TYPES:
        ratios = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            program = (Line(1.0, float(rng.uniform(-180, 180)), kind), Arc(0.5, 120.0, 60.0, kind))
            picture = (Placed(program, Placement(scale=float(rng.uniform(100, 200)))),)
            ratios.append(ink(raster.image(picture, 512)).sum() / ink(painted(picture)).sum())
        assert np.mean(ratios) == pytest.approx(1, abs=0.03), kind


def test_a_place_of_the_paper_is_at_the_published_pixel():
    """A dot of the pen lies as a disc about the published place does, when that is averaged over pixels too."""
    for size, (x, y) in product((16, 64, 100, 512, 1000), ((0, 0), (-300, 200), (123.4, -345.6))):
        zoom, fine = size / 512, max(2, 1024 // size)
        samples = (np.arange(fine * size) + 0.5) / fine
        places = np.arange(size) + 0.5
        across, down = samples - (257.5 + 0.6522 * x) * zoom, samples - (257.8 - 0.6522 * y) * zoom
        disc = np.hypot(across, down[:, None]) <= (PROBLEM.pen + PROBLEM.spread) / 2 * 0.6522 * zoom
        covered = disc.reshape(size, fine, size, fine).mean(axis=(1, 3))
        amounts = ink(raster.image((Placed((Line(0.01),), Placement(x, y, 0.0, 1.0)),), size))
        for axis in (0, 1):
            middles = [part.sum(axis=axis) @ places / part.sum() for part in (amounts, covered)]
            assert middles[0] == pytest.approx(middles[1], abs=0.15)


def test_what_comes_later_covers_what_came_before():
    line, stamps = Line(1.0), Line(1.0, 0.0, "circle")
    under = raster.image((Placed((line,)), Placed((stamps,))), 512)
    over = raster.image((Placed((stamps,)), Placed((line,))), 512)
    # The middle of the first stamp, 258 right and 258 down, and a place between stamps.
    middle, between = (258, 257 + 3), (258, round(257.5 + 0.6522 * 200 / 9 / 2))
    assert under[middle] == 255 and over[middle] == 0
    assert under[between] == over[between] == 0


def test_stamps_too_small_for_a_white_inside_are_black():
    picture = (Placed((Line(1.0, 0.0, "triangle"),), Placement(scale=20.0)),)
    assert raster.image(picture, 512)[257, 257] == 0


def test_strokes_of_no_length_are_a_dot_or_a_stamp():
    for kind, action in product(TYPES, (Line(1e-6), Arc(1e-6, 90.0), Arc(0.5, 0.0), Arc(0.5, 1e-12), Arc(0.5, -0.0))):
        rows, columns = np.nonzero(raster.image((Placed((replace(action, type=kind),)),), 512) < 255)
        with case((kind, action)):
            assert 0 < len(rows) and abs(rows - 257.8).max() < 12 and abs(columns - 257.5).max() < 12


def test_what_lies_off_the_paper_is_left_out():
    far = Placed((Line(1.0), Arc(0.5, 90.0, 0.0, "circle")), Placement(x=5000.0))
    assert (raster.image((far,), 64) == 255).all()
    near = Placed((Line(1.0),))
    assert (raster.image((near, far), 64) == raster.image((near,), 64)).all()
    assert (raster.image((), 64) == 255).all()


def test_png_holds_the_same_pixels_in_grey():
    picture = any_picture(3)
    for size in (64, 512):
        data = raster.png(picture, size)
        image = Image.open(io.BytesIO(data))
        assert (image.format, image.mode, image.size) == ("PNG", "L", (size, size))
        assert (np.asarray(image) == raster.image(picture, size)).all() and data == raster.png(picture, size)
    assert raster.png(picture) == data != raster.png(picture, 512, PREVIEW)


def test_sizes_that_cannot_be_drawn_are_refused():
    for size in (15, 2049, -64, 64.0, "64", None, True):
        with case(size), pytest.raises(InputError, match=f"16 to 2048, got a size of {size!r}"):
            raster.image(any_picture(0), size)
    assert raster.image(any_picture(0), np.int64(16)).shape == (16, 16) and raster.as_size(2048) == 2048
