"""What the paper printed and published, computed again; and what else its data say."""

from cogkit.tiles.paper import claims, published, reanalysis, reported

__all__ = ["claims", "published", "reanalysis", "reported"]
