"""Names of problems, as published: kind, concept and number, such as ``hd_convex-has_curve_0004``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cogkit.bongard.problems.records import KINDS
from cogkit.core.contracts import InputError

_NAME = re.compile(rf"({'|'.join(KINDS)})_(\w+(?:-\w+)?)_(\d{{4,}})", re.ASCII)


def name(kind: str, concept: Iterable[str], number: int = 0) -> str:
    """Return the name of a problem.

    Examples
    --------
    >>> name("bd", ("bird8", "bridge1"))
    'bd_bird8-bridge1_0000'
    """
    return f"{kind}_{'-'.join(concept)}_{number:04d}"


def parts(name: str) -> tuple[str, tuple[str, ...], int]:
    """Return kind, concept and number of a name, without a check that the concept exists.

    Examples
    --------
    >>> parts("ff_nact4_5_0299")
    ('ff', ('nact4_5',), 299)
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not match:
        raise InputError(f"{name!r}"[:80], "the name of a problem, such as ff_nact6_0292 or hd_convex-has_curve_0004")
    kind, concept, number = match.groups()
    return kind, tuple(concept.split("-")), int(number)
