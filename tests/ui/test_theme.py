"""The visual language: who is who as the design says, told apart without colour too, and legible."""

from __future__ import annotations

import itertools

import plotly.graph_objects as go

from cogkit.core.records import KINDS
from cogkit.ui import theme
from cogkit.ui.alt import describe, with_alt


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_no_two_kinds_share_a_mark_so_colour_is_never_alone():
    assert set(KINDS) < set(theme.WHO)
    for a, b in itertools.combinations(theme.WHO.values(), 2):
        assert (a.symbol, a.dash) != (b.symbol, b.dash)


def test_texts_and_glyphs_are_legible_on_white():
    """4.5 for texts, and 3 for graphical objects: WCAG 1.4.11."""
    least = {theme.INK: 4.5, theme.QUIET: 4.5, theme.RED: 3, theme.BLUE: 3}
    assert [colour for colour, ratio in least.items() if contrast(colour, "#FFFFFF") < ratio] == []


def test_a_figure_is_described_by_its_alt_text_or_else_by_its_title():
    assert describe(with_alt(theme.figure("Boards"), "Two boards.")) == "Two boards."
    assert describe(theme.figure("Boards")) == "Boards"
    assert describe(go.Figure()) == "untitled figure"
