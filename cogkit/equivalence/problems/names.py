"""Syllables as names of stimuli: `NAMES` for whoever meets them in words, `SHAPES` beside shapes."""

from __future__ import annotations

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.data.facts import facts
from cogkit.equivalence.problems.records import Design

_SYLLABLES = facts(__file__, "syllables", str).set_index("where").syllables.str.split()
NAMES, SHAPES = (tuple(_SYLLABLES[where]) for where in ("words", "shapes"))


def names(design: Design, seed: int = 0) -> tuple[str, ...]:
    """Return a name for every stimulus and dummy of a design, by token, from `NAMES` in random order.

    Examples
    --------
    >>> len(set(names(Design())))
    49
    """
    if (needed := design.stimuli + design.dummies) > len(NAMES):
        raise InputError(f"{needed} stimuli and dummies", f"at most {len(NAMES)}, for which there are names")
    return tuple(seeding.stream(seed, "equivalence/names").permutation(NAMES)[:needed].tolist())
