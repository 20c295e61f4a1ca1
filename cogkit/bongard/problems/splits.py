"""What is new in the test problems of Bongard-LOGO."""

from __future__ import annotations

TESTS = {
    "FF": ("free-form, longer programs", "extrapolation"),
    "BA": ("basic, new pairs of shapes", "composition"),
    "CM": ("abstract, new pairs of attributes", "composition"),
    "NV": ("abstract, a new attribute", "rule"),
}
"""Split and rung of each test set of the paper (Nie et al. 2020, § 3.3)."""


def place(task: str) -> tuple[str, str]:
    """Return split and rung of result rows about a task; problems of training and validation have none.

    Examples
    --------
    >>> place("NV/concept"), place("train/CM")
    (('abstract, a new attribute', 'rule'), ('', ''))
    """
    return TESTS.get(task.partition("/")[0], ("", ""))
