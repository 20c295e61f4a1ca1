"""The names of players that people read."""

from __future__ import annotations


def called(who: str) -> str:
    """Return the name that people read of a player; result rows keep the older name of the ideal observer.

    Examples
    --------
    >>> called("ideal learner told: shape"), called("text alone")
    ('ideal observer told: shape', 'text alone')
    """
    return who.replace("ideal learner", "ideal observer")
