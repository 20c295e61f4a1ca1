"""The text alternative of a figure, for readers who cannot see it and for the output cell beside it."""

from __future__ import annotations

import plotly.graph_objects as go


def with_alt(figure: go.Figure, text: str) -> go.Figure:
    """Add a text alternative, one or two plain sentences from the table, to a figure and return it.

    Examples
    --------
    >>> describe(with_alt(go.Figure(), "Two boards."))
    'Two boards.'
    """
    figure.layout.meta = {"alt": text}
    return figure


def describe(figure: go.Figure) -> str:
    """Return the text alternative of a figure, or its title if it has none."""
    meta = figure.layout.meta or {}
    return meta.get("alt") or (figure.layout.title.text or "untitled figure")
