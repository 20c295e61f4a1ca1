"""The visual language: who is who as the design says, told apart without colour too, and legible."""

from __future__ import annotations

import itertools

import plotly.graph_objects as go
import pytest

from cogkit.core.contracts import KINDS
from cogkit.ui import theme
from cogkit.ui.alt import describe, with_alt

DESIGN = {
    "person": "#0072B2", "you": "#CC79A7", "proxy": "#56B4E9",
    "model": "#D55E00", "floor": "#767676", "observer": "#009E73", "yours": "#CC79A7",
}  # fmt: skip


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_who_is_who_has_the_colours_of_the_design():
    assert {who: mark.colour for who, mark in theme.WHO.items()} == DESIGN  # a network that you trained has your colour
    assert set(KINDS) < set(theme.WHO)


def test_no_two_kinds_share_a_mark_so_colour_is_never_alone():
    for a, b in itertools.combinations(theme.WHO.values(), 2):
        assert (a.symbol, a.dash) != (b.symbol, b.dash)


@pytest.mark.parametrize("colour", [theme.INK, theme.QUIET])
def test_text_is_legible_on_white(colour):
    assert contrast(colour, "#FFFFFF") >= 4.5


@pytest.mark.parametrize("colour", [theme.RED, theme.BLUE])
def test_glyphs_are_legible_on_tiles(colour):
    assert contrast(colour, "#FFFFFF") >= 3  # WCAG 1.4.11, graphical objects


def test_a_figure_is_slim():
    assert len(theme.figure("t").to_json()) < 3000


def test_a_figure_is_described_by_its_alt_text_or_else_by_its_title():
    assert describe(with_alt(theme.figure("Boards"), "Two boards.")) == "Two boards."
    assert describe(theme.figure("Boards")) == "Boards"
    assert describe(go.Figure()) == "untitled figure"
