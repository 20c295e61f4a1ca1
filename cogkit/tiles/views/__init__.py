"""Figures and widgets of the tile instrument."""

from cogkit.tiles.views.blind import BlindTrial
from cogkit.tiles.views.board import TileBoard
from cogkit.tiles.views.replay import Replay
from cogkit.tiles.views.sweeps import SweepPlayer
from cogkit.tiles.views.training import TrainPanel

__all__ = ["BlindTrial", "Replay", "SweepPlayer", "TileBoard", "TrainPanel"]
