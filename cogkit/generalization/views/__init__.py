"""Figures and widgets of the GR* instrument: ``figures`` (the paper's panels), ``panels`` (what goes past them)."""

from cogkit.generalization.views.explorer import Explorer

__all__ = ["Explorer"]
