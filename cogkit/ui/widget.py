"""What all widgets have in common."""

from __future__ import annotations

import anywidget


class Widget(anywidget.AnyWidget):
    """A widget whose plain text is its name; its place in memory would tell a reader nothing.

    Examples
    --------
    >>> Widget()
    <Widget>
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"  # stored with a cell's first output, so it must not change
