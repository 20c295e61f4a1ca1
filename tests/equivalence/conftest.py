"""What a page does with a widget."""

from __future__ import annotations

import pytest

from cogkit.study.trials import Trials


@pytest.fixture
def trials(home) -> Trials:
    return Trials()


@pytest.fixture
def page():
    """What a page does: it sends a widget a message."""
    return lambda widget, message: widget.comm.handle_msg(
        {"content": {"data": {"method": "custom", "content": message}}, "buffers": []}
    )
