"""What a page does with a widget."""

from __future__ import annotations

import pytest


@pytest.fixture
def page():
    """What a page does: it sends a widget a message."""
    return lambda widget, message: widget.comm.handle_msg(
        {"content": {"data": {"method": "custom", "content": message}}, "buffers": []}
    )
