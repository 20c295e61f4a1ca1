"""Figures and widgets of the Bongard-LOGO instrument: the namespace ``figures`` of its front door."""

from cogkit.bongard.views import style
from cogkit.bongard.views.browser import Browser
from cogkit.bongard.views.builder import Builder
from cogkit.bongard.views.comparisons import learning, others, printed, sizes, ways
from cogkit.bongard.views.concept_figures import own, thoughts, with_query
from cogkit.bongard.views.figures import attributes, everybody, faults, pairs, problem, sheet, strokes
from cogkit.bongard.views.learner_figures import concepts, embedding, mistakes
from cogkit.bongard.views.solve import Solve
from cogkit.bongard.views.training import TrainPanel
from cogkit.bongard.views.turtle import Turtle
from cogkit.ui.live import chart, live
from cogkit.ui.staircase import staircase
from cogkit.ui.tables import claims_table, folded, readable

__all__ = [
    "Browser", "Builder", "Solve", "TrainPanel", "Turtle", "attributes", "chart", "claims_table", "concepts",
    "embedding", "everybody", "faults", "folded", "learning", "live", "mistakes", "others", "own", "pairs", "printed",
    "problem", "readable", "sheet", "sizes", "staircase", "strokes", "style", "thoughts", "ways", "with_query",
]  # fmt: skip
