"""The printed and published results of the paper, recomputed, and further analyses of its data and of our networks."""

from cogkit.tiles.paper import (
    architecture_claims,
    architectures,
    claims,
    preference,
    published,
    reanalysis,
    reported,
    teaching,
)

__all__ = [
    "architecture_claims", "architectures", "claims", "preference", "published", "reanalysis", "reported",
    "teaching",
]  # fmt: skip
