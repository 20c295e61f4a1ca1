"""SVG read back by an XML parser, against the draw list and against the pixels."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from turtles import Ink, agreement, any_picture, pixels

from cogkit.bongard.logo import raster, vector
from cogkit.bongard.logo.drawing import PREVIEW, PROBLEM, draw_list
from cogkit.core.contracts import InputError

SVG = "{http://www.w3.org/2000/svg}"


def read(text: str) -> list[tuple[str, np.ndarray, float, int, int]]:
    """Return the primitives of a picture: tag, points on the page, width in the paper's units, shape, action."""
    root = ElementTree.fromstring(text)
    (paper,) = root.findall(f"{SVG}g")
    a, b, c, d, e, f = map(float, re.fullmatch(r"matrix\((.+)\)", paper.get("transform"))[1].split())
    assert b == c == 0
    found = []
    for group in paper:
        for each in group:
            points = np.array([pair.split(",") for pair in each.get("points").split()], float) * [a, d] + [e, f]
            link = int(group.get("data-shape")), int(group.get("data-action"))
            found.append((each.tag.removeprefix(SVG), points, float(group.get("stroke-width")), *link))
    return found


@pytest.mark.parametrize("pens", [PROBLEM, PREVIEW])
@pytest.mark.parametrize("seed", range(10))
def test_every_mark_is_there_in_order(seed, pens):
    marks, found = draw_list(any_picture(seed), pens), read(vector.svg(any_picture(seed), pens=pens))
    assert len(found) == len(marks)
    for mark, (tag, points, width, shape, action) in zip(marks, found, strict=True):
        assert tag == ("polygon" if mark.stamp else "polyline")
        assert (shape, action) == (mark.shape, mark.action) and width == pytest.approx(mark.width, abs=1e-4)
        expected = [257.5, 257.8] + mark.points * [0.6522, -0.6522]
        np.testing.assert_allclose(points, expected, rtol=0, atol=0.0051)


@pytest.mark.parametrize("seed", range(6))
def test_drawn_again_it_shows_the_pixels(seed):
    again = Ink()
    for tag, points, width, *_ in read(vector.svg(any_picture(seed), 64)):
        corners = [tuple(place) for place in (points - [257.5, 257.8]) / [0.6522, -0.6522]]
        assert width == pytest.approx(4.34 if tag == "polygon" else 9.84)
        if tag == "polygon":
            again.stamp(corners)
        else:
            for start, end in zip(corners, corners[1:], strict=False):
                again.line(start, end)
    share = agreement(pixels(again, pen=8.0, outline=2.5), raster.image(any_picture(seed), 512))
    assert share >= 0.99


def test_it_stands_on_white_and_says_how_large_it_is():
    root = ElementTree.fromstring(vector.svg(any_picture(1), 300))
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300", "300", "0 0 512 512")
    assert root[0].tag == f"{SVG}rect" and root[0].get("fill") == "white"
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= {"svg", "rect", "g", "polyline", "polygon"}
    (paper,) = root.findall(f"{SVG}g")
    assert (paper.get("stroke-linecap"), paper.get("stroke-linejoin"), paper.get("fill")) == ("round", "round", "none")
    assert {stamp.get("fill") for stamp in root.iter(f"{SVG}polygon")} == {"white"}


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("a triangle", "a triangle"),
        ("</title><script>alert(1)</script> & \"co\" 'x'", "</title><script>alert(1)</script> & \"co\" 'x'"),
        ("two\nlines\x00 and \x1b\ud800 none\ufffe", "two lines and none"),
        ("größer ≥ 3", "größer ≥ 3"),
    ],
)
def test_a_title_is_said_and_cannot_be_anything_else(title, said):
    text = vector.svg(any_picture(1), title=title)
    root = ElementTree.fromstring(text.encode())
    assert root[0].tag == f"{SVG}title" and root[0].text == said
    assert "<script" not in text
    assert vector.svg(any_picture(1)) == vector.svg(any_picture(1), title=" \n")


@pytest.mark.parametrize("size", [15, 2049, 64.0, True])
def test_sizes_are_those_of_pixels(size):
    with pytest.raises(InputError, match="wanted a whole number of pixels a side, 16 to 2048"):
        vector.svg(any_picture(0), size)
