"""Figures and widgets of stimulus equivalence: the namespace ``figures`` of its front door."""

from cogkit.equivalence.views.comparisons import against_published, emergence, logs, nodal, players
from cogkit.equivalence.views.explorer import Explorer
from cogkit.equivalence.views.figures import graphs, heatmaps, panel
from cogkit.equivalence.views.matching import MatchingToSample
from cogkit.equivalence.views.training import TrainPanel
from cogkit.ui.live import live
from cogkit.ui.staircase import staircase
from cogkit.ui.tables import claims_table, folded, readable

__all__ = [
    "Explorer", "MatchingToSample", "TrainPanel", "against_published", "claims_table", "emergence", "folded", "graphs",
    "heatmaps", "live", "logs", "nodal", "panel", "players", "readable", "staircase",
]  # fmt: skip
