"""The paper's results, compared with our runs."""

from cogkit.equivalence.paper import claims, reported

__all__ = ["claims", "reported"]
