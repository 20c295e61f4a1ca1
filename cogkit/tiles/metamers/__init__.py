"""Metamers: the networks and chains that draw them, and how close they are to the boards of their rule."""

from cogkit.tiles.metamers.diagnostics import chains, compare, means
from cogkit.tiles.metamers.sampling import Conditional, ConditionalConfig, gibbs, load, sample, trace

__all__ = ["Conditional", "ConditionalConfig", "chains", "compare", "gibbs", "load", "means", "sample", "trace"]
