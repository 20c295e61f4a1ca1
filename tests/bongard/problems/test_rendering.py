"""Many pictures at once: the same as one by one, kept on the disk, and never more than may be kept."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import freeform, rendering, sets
from cogkit.bongard.problems.packed import Packed

SIZE = 32
A_PROBLEM = 14 * SIZE * SIZE  # bytes


@pytest.fixture(scope="module")
def problems():
    return [freeform.problem(k, "as_published") for k in range(4)]


@pytest.fixture(scope="module")
def plain(problems) -> np.ndarray:
    """The pictures of the problems, one by one."""
    sides = [[[raster.image(picture, SIZE) for picture in side] for side in problem.sides] for problem in problems]
    return np.array(sides)


@pytest.fixture
def cache_dir(home):
    return home / "rendered"


@pytest.fixture
def drawn(monkeypatch):
    """How many pictures were drawn, counted in this process."""
    counts, images = [], raster.images
    monkeypatch.setattr(
        raster, "images", lambda pictures, *more: counts.append(len(pictures)) or images(pictures, *more)
    )
    return counts


def test_what_was_drawn_once_is_not_drawn_again(problems, plain, cache_dir, drawn):
    first = rendering.rendered(problems, SIZE)
    again = rendering.rendered(list(problems), SIZE)
    assert (
        drawn == [4 * 14] and (first == plain).all() and (again == plain).all() and len(list(cache_dir.iterdir())) == 1
    )
    for array in (first, again):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_other_problems_sizes_and_code_are_drawn_and_kept_apart(problems, plain, cache_dir, drawn, monkeypatch):
    wanted = [(problems, 32), (problems[::-1], 32), (problems[:3], 32), (problems, 33)]
    images = [rendering.rendered(*one) for one in wanted]
    assert len(drawn) == len(list(cache_dir.glob("*.npy"))) == 4 and images[3].shape == (4, 2, 7, 33, 33)
    assert (images[0] == plain).all() and (images[1] == plain[::-1]).all() and (images[2] == plain[:3]).all()
    assert all((rendering.rendered(*one) == first).all() for one, first in zip(wanted, images, strict=True))
    assert len(drawn) == 4
    monkeypatch.setattr(rendering, "code_of", lambda *_: "another brush")
    rendering.rendered(problems, SIZE)
    assert len(drawn) == 5


def test_a_broken_file_is_drawn_again_and_mended(problems, plain, cache_dir, drawn):
    rendering.rendered(problems, SIZE)
    (path,) = cache_dir.iterdir()
    whole = path.read_bytes()
    np.save(cache_dir / "half.npy", plain[:, :1])
    broken = [b"", b"not numpy", b"\x93NUMPY\x01\x00", whole[:-1], (cache_dir / "half.npy").read_bytes()]
    for count, content in enumerate(broken, 2):
        path.unlink()
        path.write_bytes(content)
        for _ in range(2):
            with case(content[:10]):
                assert (rendering.rendered(problems, SIZE) == plain).all() and len(drawn) == count


def test_what_was_not_asked_for_the_longest_goes_first(problems, cache_dir, drawn, monkeypatch):
    monkeypatch.setattr(rendering, "LIMIT", int(2.5 * A_PROBLEM))
    counts = []
    for k in (0, 1, 0, 2, 0, 2, 1):  # 1 was not asked for the longest when 2 comes
        rendering.rendered(problems[k : k + 1], SIZE)
        counts.append(len(drawn))
        assert sum(path.stat().st_size for path in cache_dir.iterdir()) <= rendering.LIMIT
    assert counts == [1, 2, 2, 3, 3, 3, 4]


def test_nothing_is_kept_if_so_asked_or_if_it_is_too_much_and_no_problems_are_no_pictures(
    problems, plain, cache_dir, monkeypatch
):
    assert (rendering.rendered(problems, SIZE, keep=False) == plain).all()
    monkeypatch.setattr(rendering, "LIMIT", A_PROBLEM)
    assert (rendering.rendered(problems, SIZE) == plain).all()
    assert rendering.rendered([], SIZE).shape == (0, 2, 7, SIZE, SIZE) and not cache_dir.exists()


def test_a_full_disk_keeps_nothing_and_says_so(problems, plain, cache_dir, monkeypatch, capsys):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    assert (rendering.rendered(problems, SIZE) == plain).all() and list(cache_dir.iterdir()) == []
    assert "No space left" in capsys.readouterr().err


# Packed pictures: the same pictures in less memory


@pytest.fixture(scope="module")
def noise() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (6, 2, 7, SIZE, SIZE), np.uint8)


def test_packed_rows_are_those_of_the_array(noise):
    packed = Packed.of(noise)
    joined = Packed.joined([Packed.of(noise[:1]), Packed.of(noise[1:4]), Packed.of(noise[4:])])
    for held in (packed, joined, Packed.restored(joined.record, noise.shape)):
        assert held.shape == noise.shape and held.dtype == noise.dtype and len(held) == 6
        for rows in (slice(1, 4), np.array([5, 0]), [2], slice(0, 0)):
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
    for n in (5, 7):
        assert Packed.restored(record, (n, *noise.shape[1:])) is None


def test_many_pictures_are_packed_kept_and_drawn_again_if_their_file_is_broken(monkeypatch, drawn, cache_dir):
    many = sets.problems("FF", 5)
    plainly = rendering.rendered(many, SIZE, keep=False)
    del drawn[:]
    monkeypatch.setattr(rendering, "PLENTY", 1000)
    for _ in range(2):
        packed = rendering.pictures_of(many, SIZE)
        assert isinstance(packed, Packed) and np.array_equal(packed[:], plainly)
    assert len(packed.record) < plainly.nbytes / 4 and drawn
    (path,) = cache_dir.iterdir()
    whole, parts = np.load(path), len(drawn)
    for again, content in enumerate([whole[::-1], whole[:-1], whole[:20], whole[:0], whole.astype(int)], 2):
        np.save(path, content)
        assert np.array_equal(rendering.pictures_of(many, SIZE)[:], plainly) and len(drawn) == again * parts
    few = rendering.pictures_of(many[:0], SIZE)
    assert isinstance(few, np.ndarray) and few.shape == (0, 2, 7, SIZE, SIZE)
