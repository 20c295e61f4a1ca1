"""Programs, and the pictures that they draw."""

from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.logo.raster import images

__all__ = ["Arc", "Line", "Placed", "images", "path"]
