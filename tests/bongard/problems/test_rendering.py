"""Many pictures at once: the same as one by one, kept on the disk, and never more than may be kept."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import freeform, rendering
from cogkit.bongard.problems.packed import Packed

SIZE = 32


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


def test_other_problems_sizes_and_code_are_drawn_and_kept_apart(problems, plain, cache_dir, drawn, monkeypatch):
    wanted = [(problems, 32), (problems[::-1], 32), (problems[:3], 32), (problems, 33)]
    images = [rendering.pictures_of(*one)[:] for one in wanted]
    assert len(drawn) == len(list(cache_dir.glob("*.npy"))) == 4 and images[3].shape == (4, 2, 7, 33, 33)
    assert (images[0] == plain).all() and (images[1] == plain[::-1]).all() and (images[2] == plain[:3]).all()
    assert all((rendering.pictures_of(*one)[:] == first).all() for one, first in zip(wanted, images, strict=True))
    assert len(drawn) == 4
    monkeypatch.setattr(rendering, "code_of", lambda *_: "another brush")
    rendering.pictures_of(problems, SIZE)
    assert len(drawn) == 5


def test_a_broken_file_is_drawn_again_and_mended(problems, plain, cache_dir, drawn):
    rendering.pictures_of(problems, SIZE)
    (path,) = cache_dir.iterdir()
    whole, record = path.read_bytes(), np.load(path)
    broken = [b"", b"not numpy", b"\x93NUMPY\x01\x00", whole[:-1]]
    arrays = [record[::-1], record[:20], record[:0], record.astype(int)]
    for count, content in enumerate((*broken, *arrays), 2):
        path.unlink()
        path.write_bytes(content) if isinstance(content, bytes) else np.save(path, content)
        for _ in range(2):
            with case(content[:10]):
                assert (rendering.pictures_of(problems, SIZE)[:] == plain).all() and len(drawn) == count


def test_what_was_not_asked_for_the_longest_goes_first(problems, cache_dir, drawn, monkeypatch):
    rendering.pictures_of(problems[:1], SIZE)
    (path,) = cache_dir.iterdir()
    monkeypatch.setattr(rendering, "LIMIT", int(2.5 * path.stat().st_size))
    counts = []
    for k in (0, 1, 0, 2, 0, 2, 1):  # 1 was not asked for the longest when 2 comes
        rendering.pictures_of(problems[k : k + 1], SIZE)
        counts.append(len(drawn))
        assert sum(path.stat().st_size for path in cache_dir.iterdir()) <= rendering.LIMIT
    assert counts == [1, 2, 2, 3, 3, 3, 4]


def test_a_full_disk_keeps_nothing_and_says_so(problems, plain, cache_dir, monkeypatch, capsys):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    assert (rendering.pictures_of(problems, SIZE)[:] == plain).all() and list(cache_dir.iterdir()) == []
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
