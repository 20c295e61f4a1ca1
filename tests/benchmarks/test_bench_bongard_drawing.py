"""The speed of drawing pictures of problems, beside the plain way to do it, in the same run.

Not part of the test run. All times are processor time of one process::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_bongard_drawing.py

The rival draws as the published painter does, though with Pillow in place of a window and Ghostscript: command by
command, at 512 pixels or a multiple, and resized to what is wanted. Of its settings that are as true to the painter as
ours, by the mean correlation of pixels, the fastest counts; the truest where none is. Rounds of both alternate, and the
best of each counts. A table stands at the end.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageDraw
from turtles import Ink, any_picture, paint, pixels

from cogkit.bongard.logo import raster

_ROUNDS, _PICTURES = 5, 60
_PEN, _OUTLINE = 6.4, 2.8  # pixels, as the published pictures have them
_LEVELS = (1, 3, 6)  # of compression
_LEEWAY = 0.002  # by which a correlation may be lower and still count as the same
_SCALING = (Image.Resampling.BOX, Image.Resampling.BICUBIC)
pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.fixture(scope="module")
def table(request):
    """Rows (what, ours a second, the rival's a second, its settings), printed after the last benchmark."""
    rows = []
    yield rows
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n| what | ours a CPU s | pen by pen | its best setting | ratio |\n|---|---|---|---|---|")
        for what, ours, theirs, how in rows:
            print(f"| {what} | {ours:,.0f} | {theirs:,.0f} | {how} | {ours / theirs:.1f} |")


class Paper:
    """A canvas for a turtle: each line is drawn with round ends, each stamp as it comes."""

    def __init__(self, fine: int, ends: str) -> None:
        self.fine, self.ends, size = fine, ends, 512 * fine
        self.image = Image.new("L", (size, size), 255)
        self.draw = ImageDraw.Draw(self.image)

    def place(self, x: float, y: float) -> tuple[float, float]:
        return (257.5 + 0.6522 * x) * self.fine, (257.8 - 0.6522 * y) * self.fine

    def line(self, start, end) -> None:
        start, end = self.place(*start), self.place(*end)
        self.draw.line((start, end), fill=0, width=round(_PEN * self.fine))
        half = _PEN * self.fine / 2
        for x, y in (start, end) if self.ends == "both ends" else (end,):
            self.draw.ellipse((x - half, y - half, x + half, y + half), fill=0)

    def stamp(self, corners) -> None:
        corners = [self.place(*corner) for corner in corners]
        self.draw.polygon(corners, fill=255)
        self.draw.line([*corners, corners[0]], fill=0, width=round(_OUTLINE * self.fine))


def pen_by_pen(picture, size: int, fine: int, ends: str, resample: Image.Resampling) -> Image.Image:
    paper = Paper(fine, ends)
    paint(picture, paper)
    return paper.image if paper.image.width == size else paper.image.resize((size, size), resample)


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def race(benchmark, ours: Callable, rival: Callable) -> tuple[float, float]:
    """Return how many pictures a second both draw in their best round, a round of the rival before each of ours."""
    rivals = []
    ours()
    benchmark.pedantic(ours, setup=lambda: rivals.append(seconds(rival)), rounds=_ROUNDS)
    return _PICTURES / benchmark.stats["min"], _PICTURES / min(rivals)


@pytest.fixture(scope="module")
def drawn():
    return [any_picture(seed) for seed in range(_PICTURES)]


@pytest.fixture(scope="module")
def originals(drawn) -> list[np.ndarray]:
    images = []
    for picture in drawn[:20]:
        ink = Ink()
        paint(picture, ink)
        images.append(pixels(ink))
    return images


def truth(images, originals, size: int) -> float:
    """Return the mean correlation of pictures with the painter's, these averaged to the same size."""
    block = 512 // size
    averaged = [original.reshape(size, block, size, block).mean(axis=(1, 3)) for original in originals]
    return float(np.mean([np.corrcoef(np.ravel(a), b.ravel())[0, 1] for a, b in zip(images, averaged, strict=False)]))


def as_true(drawn, originals, size: int) -> list[tuple]:
    """Return the settings of the rival whose pictures are as true as ours, or else the one with the truest."""
    few = drawn[: len(originals)]
    scores = {
        setting: truth([pen_by_pen(picture, size, *setting) for picture in few], originals, size)
        for setting in product((1, 2, 3), ("both ends", "far end"), _SCALING)
    }
    least = truth(raster.images(few, size), originals, size) - _LEEWAY
    return [setting for setting, value in scores.items() if value >= least] or [max(scores, key=scores.get)]


def fastest(settings, call: Callable):
    return min(settings, key=lambda setting: min(seconds(lambda: call(*setting)) for _ in range(2)))


def described(fine: int, ends: str, resample: Image.Resampling) -> str:
    return f"at {512 * fine} px, round at {ends}, {resample.name.lower()}"


@pytest.mark.parametrize("size", [64, 128, 256, 512])
def test_pixels(benchmark, table, drawn, originals, size):
    def rival(*setting) -> np.ndarray:
        return np.stack([pen_by_pen(picture, size, *setting) for picture in drawn])

    how = fastest(as_true(drawn, originals, size), rival)
    ours, theirs = race(benchmark, lambda: raster.images(drawn, size), lambda: rival(*how))
    table.append((f"pictures of {size} px", ours, theirs, described(*how)))
    assert ours > theirs


def test_png(benchmark, table, drawn, originals):
    def rival(level: int, *setting) -> int:
        file = io.BytesIO()
        for picture in drawn:
            pen_by_pen(picture, 512, *setting).save(file, "PNG", compress_level=level)
        return file.tell()

    settings = [(level, *setting) for level, setting in product(_LEVELS, as_true(drawn, originals, 512))]
    how = fastest(settings, rival)
    ours, theirs = race(benchmark, lambda: [raster.png(picture) for picture in drawn], lambda: rival(*how))
    share = sum(len(raster.png(picture)) for picture in drawn) / rival(*how)
    note = f"{described(*how[1:])}, compressed at {how[0]}; our files are {share:.2f} as large"
    table.append(("PNG files of 512 px", ours, theirs, note))
    assert ours > theirs
