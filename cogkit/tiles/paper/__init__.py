"""The printed and published results of the paper, recomputed, and further analyses of its data."""

from cogkit.tiles.paper import claims, published, reanalysis, reported

__all__ = ["claims", "published", "reanalysis", "reported"]
