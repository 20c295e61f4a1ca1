"""Words for three of the eight colours; see `attribute`."""

from __future__ import annotations

from functools import partial

from cogkit.mewl.problems.tasks import attribute

SYLLABLES, WORDS = attribute.SYLLABLES, attribute.KNOWN + attribute.DUMMIES
generate = partial(attribute.generate, "color")
solve, leaks, SOLVERS = attribute.solve, attribute.leaks, attribute.SOLVERS
