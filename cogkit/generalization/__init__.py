"""Generalization scored: GR* as published, and a calibrated definition.

The paper is "A unified metric of generalization across humans and machines" (anonymous, under review). Rooms, from the
bottom: ``suites`` (configs), ``problems`` (tasks), ``models`` (the six learners), ``references`` (floors and an
observer), ``scoring`` (from classifier to answers), ``relevance``, ``metric`` (the paper's formula), ``calibrated``
(components with intervals), ``training`` (a suite in place), ``sides`` and ``programme`` (the paper's statistics),
``stress`` (its curves), ``door`` (any scikit-learn classifier), ``instrument`` (its cells), ``views`` (figures and
widgets; import it by name).
"""

from __future__ import annotations

__all__ = ["GRStar", "compare"]


def __getattr__(name: str):
    # scikit-learn takes a second to load: it comes with the first use of the door.
    if name in __all__:
        from cogkit.generalization import estimator

        return getattr(estimator, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
