"""Inspect asks the items of a person and of a web page, in every instrument."""

from __future__ import annotations

import fronts
import pytest

from cogkit.extras.models import asking, inspecting


def inspected(what: asking.Asking) -> list[tuple[int, str]]:
    """Return the number of each item, and what Inspect asks of it."""
    made = inspecting.inspect_task(what)
    assert made.version == what.item_set and len(made.dataset) == what.n
    return [(sample.metadata["item"], sample.input) for sample in made.dataset]


@pytest.mark.parametrize("name", fronts.FRONTS)
def test_person_page_and_inspect_have_identical_items(name, tmp_path):
    fronts.check(name, tmp_path, inspected)
