"""The learners without a network, by name: floors, EPS, E-EPS and the observer, trained on the pairs of a design."""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.equivalence.learners import eps, floors, observers
from cogkit.equivalence.problems.records import Design


@dataclass(frozen=True)
class FloorConfig:
    """A floor on one design.

    Attributes
    ----------
    design : Design
        The design that it remembers.
    undirected : bool
        Whether it remembers a pair in both orders.
    """

    design: Design
    undirected: bool = False


@dataclass(frozen=True)
class ClosureConfig:
    """The ideal observer of one design, whose trained pairs it knows."""

    design: Design


Config = FloorConfig | ClosureConfig | eps.EPSConfig
REFERENCES = {  # they are the same under every preset
    "associative": FloorConfig,
    "associative-undirected": lambda design: FloorConfig(design, undirected=True),
    "eps": lambda design: eps.EPSConfig(design, "none"),
    "e-eps": eps.EPSConfig,
    "closure": ClosureConfig,
}


def trained(config: Config, seed: int) -> floors.Associative | observers.Closure | eps.EPS:
    """Return the learner of a config.

    Examples
    --------
    >>> trained(REFERENCES["associative"](Design("OTM")), seed=0).name
    'associative, directed'
    """
    if isinstance(config, FloorConfig):
        return floors.Associative(config.design, config.undirected)
    return observers.Closure(config.design) if isinstance(config, ClosureConfig) else eps.train(config, seed)
