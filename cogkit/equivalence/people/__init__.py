"""Results of people, from earlier studies and from sittings here."""

from cogkit.equivalence.people import published, study

__all__ = ["published", "study"]
