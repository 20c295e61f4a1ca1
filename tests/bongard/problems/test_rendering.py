"""Many pictures at once: the same as one by one, kept on the disk, and never more than may be kept."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.bongard.logo import raster
from cogkit.bongard.problems import freeform, rendering
from cogkit.bongard.problems.records import A_SIDE


@pytest.fixture(scope="module")
def problems():
    return [freeform.problem(k, "as_published") for k in range(4)]


@pytest.fixture
def kept(home):
    return home / "rendered"


@pytest.fixture
def drawn(monkeypatch):
    """How many pictures were drawn, counted in this process."""
    counts, images = [], raster.images
    monkeypatch.setattr(
        raster, "images", lambda pictures, *rest: counts.append(len(pictures)) or images(pictures, *rest)
    )
    return counts


@pytest.mark.parametrize("size", [32, 65])
def test_each_picture_is_where_it_belongs(problems, kept, size):
    arrays = rendering.rendered(problems, size)
    assert arrays.shape == (4, 2, 7, size, size) and arrays.dtype == np.uint8
    for problem, sides in zip(problems, arrays, strict=True):
        for pictures, images in zip(problem.sides, sides, strict=True):
            for k in range(A_SIDE):
                assert (images[k] == raster.image(pictures[k], size)).all()


def test_what_was_drawn_once_is_not_drawn_again(problems, kept, drawn):
    first = rendering.rendered(problems, 32)
    again = rendering.rendered(list(problems), 32)
    assert drawn == [4 * 14] and (first == again).all() and len(list(kept.iterdir())) == 1
    for array in (first, again):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_other_problems_and_sizes_are_drawn_and_kept_apart(problems, kept, drawn):
    asked = [(problems, 32), (problems[::-1], 32), (problems[:3], 32), (problems, 33)]
    found = [rendering.rendered(*one) for one in asked]
    assert len(drawn) == len(list(kept.glob("*.npy"))) == 4
    assert (found[0] == found[1][::-1]).all()
    assert all((rendering.rendered(*one) == first).all() for one, first in zip(asked, found, strict=True))
    assert len(drawn) == 4


def test_other_code_that_draws_draws_again(problems, kept, drawn, monkeypatch):
    rendering.rendered(problems, 32)
    monkeypatch.setattr(rendering, "code_of", lambda *_: "another brush")
    rendering.rendered(problems, 32)
    assert len(drawn) == 2


@pytest.mark.parametrize("content", [b"", b"not numpy", b"\x93NUMPY\x01\x00"])
def test_a_broken_file_is_drawn_again_and_mended(problems, kept, drawn, content):
    first = np.array(rendering.rendered(problems, 32))
    (path,) = kept.iterdir()
    for broken in (content, path.read_bytes()[:-1]):
        path.unlink()
        path.write_bytes(broken)
        assert (rendering.rendered(problems, 32) == first).all()
    assert (rendering.rendered(problems, 32) == first).all() and len(drawn) == 3


def test_a_file_of_another_shape_is_drawn_again(problems, kept, drawn):
    first = np.array(rendering.rendered(problems, 32))
    (path,) = kept.iterdir()
    path.unlink()
    np.save(path, first[:, :1])
    assert (rendering.rendered(problems, 32) == first).all() and len(drawn) == 2


def test_what_was_not_asked_for_the_longest_goes_first(problems, kept, drawn, monkeypatch):
    a_problem = 14 * 32 * 32
    monkeypatch.setattr(rendering, "LIMIT", int(2.5 * a_problem))
    for k in (0, 1, 0, 2):  # 1 was not asked for the longest when 2 comes
        rendering.rendered(problems[k : k + 1], 32)
    assert len(drawn) == 3 and sum(path.stat().st_size for path in kept.iterdir()) <= rendering.LIMIT
    rendering.rendered(problems[:1], 32)
    rendering.rendered(problems[2:3], 32)
    assert len(drawn) == 3
    rendering.rendered(problems[1:2], 32)
    assert len(drawn) == 4


def test_more_than_may_be_kept_is_drawn_and_not_kept(problems, kept, drawn, monkeypatch):
    monkeypatch.setattr(rendering, "LIMIT", 14 * 32 * 32)
    images = rendering.rendered(problems, 32)
    assert images.shape == (4, 2, 7, 32, 32) and not kept.exists()


def test_nothing_is_kept_if_so_asked(problems, kept):
    rendering.rendered(problems, 32, keep=False)
    assert not kept.exists()


def test_a_full_disk_keeps_nothing_and_says_so(problems, kept, monkeypatch, capsys):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    images = rendering.rendered(problems, 34)
    assert (images == rendering.rendered(problems, 34, keep=False)).all() and list(kept.iterdir()) == []
    assert "No space left" in capsys.readouterr().err


def test_several_processes_draw_the_same(kept, monkeypatch):
    problems = [freeform.problem(k, "as_published") for k in range(5)]
    monkeypatch.setattr(rendering, "_A_TASK", 2)
    assert (rendering.rendered(problems, 32, jobs=2, keep=False) == rendering.rendered(problems, 32, keep=False)).all()


def test_no_problems_are_no_pictures(kept):
    assert rendering.rendered([], 32).shape == (0, 2, 7, 32, 32)
