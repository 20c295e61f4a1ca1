"""What the paper reports, beside what our runs say."""

from cogkit.equivalence.paper import claims, reported

__all__ = ["claims", "reported"]
