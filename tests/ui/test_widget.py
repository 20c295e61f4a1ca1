"""A widget says its name wherever only plain text is shown: in a page of a run, a terminal, a diff."""

from __future__ import annotations

import pytest
from widgets import EVERY

from cogkit.ui.widget import Widget


@pytest.mark.parametrize("name", EVERY)
def test_the_plain_text_of_a_widget_is_its_name(name):
    widget = EVERY[name]()
    shown = widget._repr_mimebundle_()
    assert isinstance(widget, Widget)
    assert (shown[0] if isinstance(shown, tuple) else shown)["text/plain"] == f"<{type(widget).__name__}>"
