"""Figures and widgets of the stimulus-equivalence instrument."""

from cogkit.equivalence.views.explorer import Explorer
from cogkit.equivalence.views.matching import MatchingToSample
from cogkit.equivalence.views.training import TrainPanel

__all__ = ["Explorer", "MatchingToSample", "TrainPanel"]
