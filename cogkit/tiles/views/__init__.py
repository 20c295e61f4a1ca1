"""Figures and widgets of the tile instrument."""

from cogkit.tiles.views.board import TileBoard
from cogkit.tiles.views.replay import Replay

__all__ = ["Replay", "TileBoard"]
