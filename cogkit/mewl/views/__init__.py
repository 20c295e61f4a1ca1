"""Figures and widgets of the MEWL instrument."""

from cogkit.mewl.views.explorer import Explorer
from cogkit.mewl.views.learn import Learn
from cogkit.mewl.views.training import TrainPanel

__all__ = ["Explorer", "Learn", "TrainPanel"]
