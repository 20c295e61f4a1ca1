"""Figures and widgets of the MEWL instrument."""

from cogkit.mewl.views.explorer import Explorer
from cogkit.mewl.views.learn import Learn

__all__ = ["Explorer", "Learn"]
