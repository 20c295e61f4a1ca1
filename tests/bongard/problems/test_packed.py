"""Packed pictures: the same pictures in less memory, drawn once and kept on the disk."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import rendering, sets
from cogkit.bongard.problems.packed import Packed

SIZE = 32
ROWS = (slice(1, 4), np.array([5, 0]), [2], slice(0, 0))


@pytest.fixture(scope="module")
def noise() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (6, 2, 7, SIZE, SIZE), np.uint8)


@pytest.fixture
def many(monkeypatch) -> list:
    """Problems that count as many."""
    monkeypatch.setattr(rendering, "PLENTY", 1000)
    monkeypatch.setattr(rendering, "_A_TASK", 2)
    return sets.problems("FF", 5)


@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_rows_are_those_of_the_array(noise, rows):
    packed = Packed.of(noise)
    joined = Packed.joined([Packed.of(noise[:1]), Packed.of(noise[1:4]), Packed.of(noise[4:])])
    for held in (packed, joined, Packed.restored(joined.record, noise.shape)):
        assert held.shape == noise.shape and held.dtype == noise.dtype and len(held) == 6
        assert np.array_equal(held[rows], noise[rows])
        assert np.array_equal(held.flat[rows], noise.reshape(-1, SIZE, SIZE)[rows])


def test_no_spoilt_record_is_restored(noise):
    record, rng = Packed.of(noise).record, np.random.default_rng(1)
    for _ in range(500):
        spoilt = record.copy()
        spoilt[rng.integers(len(record))] ^= 1 << int(rng.integers(8))
        assert Packed.restored(spoilt, noise.shape) is None
    for end in (*range(30), *rng.integers(0, len(record), 200)):
        assert Packed.restored(record[:end], noise.shape) is None
    for shape in ((5, *noise.shape[1:]), (7, *noise.shape[1:])):
        assert Packed.restored(record, shape) is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_pictures_are_packed_where_they_are_many(many, jobs, home):
    plainly = rendering.rendered(many, SIZE, keep=False)
    packed = rendering.pictures_of(many, SIZE, jobs)
    assert isinstance(packed, Packed) and np.array_equal(packed[:], plainly) and len(packed.record) < plainly.nbytes / 4
    few = rendering.pictures_of(many[:0], SIZE)
    assert isinstance(few, np.ndarray) and few.shape == (0, 2, 7, SIZE, SIZE)


def test_they_are_drawn_once_and_again_if_their_file_is_broken(many, monkeypatch, home):
    drawn, images = [], raster.images
    plainly = rendering.rendered(many, SIZE, keep=False)
    monkeypatch.setattr(raster, "images", lambda *arguments: drawn.append(1) or images(*arguments))
    for _ in range(2):
        assert np.array_equal(rendering.pictures_of(many, SIZE)[:], plainly)
    (path,) = (home / "rendered").iterdir()
    whole, parts = np.load(path), len(drawn)
    assert parts == 3
    for again, content in enumerate([whole[::-1], whole[:-1], whole[:20], whole[:0], whole.astype(int)], 2):
        np.save(path, content)
        assert np.array_equal(rendering.pictures_of(many, SIZE)[:], plainly)
        assert len(drawn) == again * parts
