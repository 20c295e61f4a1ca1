"""What people did: in earlier studies, and in sittings here."""

from cogkit.equivalence.people import published, study

__all__ = ["published", "study"]
