"""The designed shapes, and their attributes: as people marked them, and as geometry computes them."""

from cogkit.bongard.shapes.attributes import ACCURACY, ATTRIBUTES
from cogkit.bongard.shapes.inventory import available

__all__ = ["ACCURACY", "ATTRIBUTES", "available"]
