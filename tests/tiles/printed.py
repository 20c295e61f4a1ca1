"""How a number that is known only as printed is compared."""

from __future__ import annotations

import pytest


def near(value: float, digits: int):
    """Return what equals a number printed with so many decimals."""
    return pytest.approx(value, abs=0.5 * 10**-digits * (1 + 1e-9))
