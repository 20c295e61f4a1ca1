"""The paper's printed numbers, and its claims about them."""

from cogkit.bongard.paper import claims, reported

__all__ = ["claims", "reported"]
