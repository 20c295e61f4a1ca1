"""Windows of shapes, and agents that see shapes in windows in place of whole pictures."""

from __future__ import annotations

import numpy as np
import pytest
from learners.bars import small

from cogkit.bongard import scoring
from cogkit.bongard.learners import training
from cogkit.bongard.learners.windows import cut, shapes_of, windows
from cogkit.bongard.logo import raster
from cogkit.bongard.problems import records, rendering, sets
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")
SIZE = 64


@pytest.fixture(scope="module")
def problems():
    return [sets.problems(task, 1, source="catalogue")[0] for task in ("FF", "BA", "CM")]


@pytest.fixture(scope="module")
def pictures(problems):
    """The pictures of these problems, (42, 512, 512)."""
    return raster.images(records.pictures(problems), 512)


def test_a_window_is_the_part_of_the_picture_that_it_says():
    ink = np.full((1, 512, 512), 255, np.uint8)
    ink[0, 60:120, 300:330] = 40
    ink[0, 400:403, 20:110] = 90
    crops = windows(ink, SIZE)
    assert crops.owners.tolist() == [0, 0]
    places = zip(crops.pixels, crops.corners.astype(int), crops.sides.astype(int), (40, 90), strict=True)
    for pixels, (left, top), side, value in places:
        padded = np.pad(ink[0], side, constant_values=255)
        part = padded[top + side : top + 2 * side, left + side : left + 2 * side]
        assert abs((part < 255).mean() - (pixels < 200).mean()) < 0.06
        assert abs(part.astype(float).mean() - pixels.mean()) < 4 and abs(int(pixels.min()) - value) < 10


def test_ink_of_the_other_shape_stays_out():
    ink = np.full((1, 512, 512), 255, np.uint8)
    ink[0, 100:300, 100:104] = ink[0, 296:300, 100:300] = 0  # an angle
    ink[0, 150:200, 200:250] = 0  # and a block in the middle of its window
    angle, block = windows(ink, 100).pixels
    assert (angle[5:90, 20:] > 250).all() and (block[10:88, 10:88] < 20).all()


def test_paper_has_no_windows():
    crops = windows(np.full((2, 512, 512), 255, np.uint8), SIZE)
    assert len(crops.owners) == 0 and crops.pixels.shape == (0, SIZE, SIZE)


def test_pictures_are_cut_into_their_windows_and_spare_ones_are_blank(pictures):
    shapes, crops = cut(pictures.reshape(3, 2, 7, 512, 512)), windows(pictures, 160)
    assert shapes.shape == (3, 2, 7, 2, 160, 160) and shapes.dtype == np.uint8
    for picture, both in enumerate(shapes.reshape(-1, 2, 160, 160)):
        own = crops.pixels[crops.owners == picture]
        assert 1 <= len(own) <= 2 and np.array_equal(both[: len(own)], own) and (both[len(own) :] == 255).all()
    assert cut(pictures[:0], SIZE).shape == (0, 2, SIZE, SIZE)


def test_shapes_of_problems_are_cut_once_and_kept_until_other_code_cuts(problems, pictures, home, monkeypatch):
    expected = cut(pictures, SIZE).reshape(3, 2, 7, 2, SIZE, SIZE)
    assert np.array_equal(shapes_of(problems, SIZE)[:], expected)
    with monkeypatch.context() as patch:
        patch.setattr(raster, "images", lambda *_: pytest.fail("drawn again"))
        assert np.array_equal(shapes_of(problems, SIZE)[[2, 1]], expected[[2, 1]])
    for path in (home / "rendered").iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert np.array_equal(shapes_of(problems, SIZE)[:], expected)  # a spoilt file is made anew
    before = len([*(home / "rendered").iterdir()])
    monkeypatch.setattr(rendering, "code_of", lambda folder, *_: f"another code of {folder}")
    shapes_of(problems, 32)
    assert len([*(home / "rendered").iterdir()]) == before + 1


def test_agents_train_on_windows_and_answer_pictures_and_their_windows_alike(problems, pictures, home):
    for agent in ("protonet", "cnn"):
        config, shapes = small(agent, view="shapes", learning_rate=1e-2), shapes_of(problems, 32)
        done, plain = (run(training.fit(config, 0, inputs)) for inputs in (shapes, shapes[:]))  # packed, and not
        assert done.log.equals(plain.log)
        model = training.to_agent(done)
        assert model.size == 512 and model.input_shape == (2, 32, 32)
        plainly = scoring.judge(model, problems, seed=1)
        cut_before = scoring.judge(model, problems, seed=1, images=model.render(problems))
        np.testing.assert_allclose(plainly.chance, cut_before.chance, atol=1e-5)
        assert plainly.chance.std() > 1e-6
        whole = model.chances(shapes[:])
        np.testing.assert_allclose(np.sort(whole.ravel()), np.sort(plainly.chance.ravel()), atol=1e-4)
        if agent == "protonet":
            features = model.features(pictures[:14])
            assert features.shape == (14, 128) and np.allclose(features, model.features(cut(pictures[:14], 32)))
