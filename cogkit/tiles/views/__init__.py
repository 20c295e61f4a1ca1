"""Figures and widgets of the tile instrument: the namespace ``figures`` of its front door."""

from cogkit.tiles.views.agent_figures import against_the_rule, learning_curves, stuck, transfer
from cogkit.tiles.views.architecture_figures import architectures, curves, matrix, preferences, teaching
from cogkit.tiles.views.blind import BlindTrial, scores
from cogkit.tiles.views.board import TileBoard
from cogkit.tiles.views.chains import ChainPanel
from cogkit.tiles.views.choice import ChoiceTrial, scenarios
from cogkit.tiles.views.figures import (
    blue_counts,
    differences,
    estimates,
    gains,
    gallery,
    gaps,
    people_and_agents,
    players,
    rules,
    same_losses,
)
from cogkit.tiles.views.metamer_figures import convergence, equivalence, orders, quality, strip
from cogkit.tiles.views.replay import Replay, side_by_side
from cogkit.tiles.views.sweeps import SweepPlayer
from cogkit.tiles.views.training import TrainPanel
from cogkit.ui.live import chart, live
from cogkit.ui.staircase import staircase
from cogkit.ui.tables import claims_table, folded, readable

__all__ = [
    "BlindTrial", "ChainPanel", "ChoiceTrial", "Replay", "SweepPlayer", "TileBoard", "TrainPanel", "against_the_rule",
    "architectures", "blue_counts", "chart", "claims_table", "convergence", "curves",
    "differences", "equivalence", "estimates", "folded", "gains", "gallery", "gaps", "learning_curves", "live",
    "matrix", "orders", "people_and_agents", "players", "preferences", "quality", "readable", "rules", "same_losses",
    "scenarios", "scores", "side_by_side", "staircase", "strip", "stuck", "teaching", "transfer",
]  # fmt: skip
