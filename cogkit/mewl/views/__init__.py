"""Figures and widgets of the MEWL instrument: the namespace ``figures`` of its front door."""

from cogkit.mewl.views.belief_figures import beliefs
from cogkit.mewl.views.beside import Beside
from cogkit.mewl.views.explorer import Explorer
from cogkit.mewl.views.figures import by_inputs, everybody, growth, one_task, reached, wrong
from cogkit.mewl.views.learn import Learn
from cogkit.mewl.views.pictures import episodes
from cogkit.mewl.views.training import TrainPanel
from cogkit.ui.live import chart, live
from cogkit.ui.staircase import staircase
from cogkit.ui.tables import claims_table, folded, readable

__all__ = [
    "Beside", "Explorer", "Learn", "TrainPanel", "beliefs", "by_inputs", "chart", "claims_table", "episodes",
    "everybody", "folded", "growth", "live", "one_task", "reached", "readable", "staircase", "wrong",
]  # fmt: skip
