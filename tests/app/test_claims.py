"""The page of all claims: of an instrument from another package too, and of none that has no claims."""

from __future__ import annotations

import pytest

from cogkit.app.claims import claims
from cogkit.core.errors import InputError


def test_a_sixth_instrument_is_on_the_page_without_an_edit(sixth):
    table = claims("counting", "mewl")
    assert set(table.instrument) == {"counting", "mewl"}
    own = table[table.instrument == "counting"].set_index("claim").verdict.to_dict()
    assert own == {"a week has seven days": "holds", "a week has an even number of days": "does not hold"}


def test_an_instrument_without_claims_is_refused():
    with pytest.raises(InputError, match="wanted an instrument with a module paper.claims, got claims of counting"):
        claims("counting")
