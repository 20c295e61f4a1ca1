"""The paper's printed numbers, what follows from them, and its claims about them."""

from cogkit.mewl.paper import claims, reanalysis, reported

__all__ = ["claims", "reanalysis", "reported"]
