"""Figures and widgets of the Bongard-LOGO instrument."""

from cogkit.bongard.views.browser import Browser
from cogkit.bongard.views.builder import Builder
from cogkit.bongard.views.solve import Solve
from cogkit.bongard.views.training import TrainPanel
from cogkit.bongard.views.turtle import Turtle

__all__ = ["Browser", "Builder", "Solve", "TrainPanel", "Turtle"]
