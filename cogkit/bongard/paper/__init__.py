"""What the paper printed, and what it says of its results."""

from cogkit.bongard.paper import claims, reported

__all__ = ["claims", "reported"]
