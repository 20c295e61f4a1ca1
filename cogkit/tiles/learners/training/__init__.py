"""Learning in place: the networks behind the metamers, and the agents that play."""

from cogkit.tiles.learners.agents import checkpoint, config
from cogkit.tiles.learners.training.a2c import agent_fit, assess_agent, run_agent, ship_agent, to_agent
from cogkit.tiles.learners.training.conditional import (
    assess,
    conditional_fit,
    run_conditional,
    ship_conditional,
)

__all__ = [
    "agent_fit", "assess", "assess_agent", "checkpoint", "conditional_fit", "config", "run_agent", "run_conditional",
    "ship_agent", "ship_conditional", "to_agent",
]  # fmt: skip
