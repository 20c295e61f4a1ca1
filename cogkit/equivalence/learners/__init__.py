"""Floors, observers and networks, and how networks are trained; torch comes at the first use of ``training``."""

from typing import TYPE_CHECKING

from cogkit.core import door

if TYPE_CHECKING:
    from cogkit.equivalence.learners import agents, training

__all__ = ["agents", "training"]
__getattr__, __dir__ = door.lazy(__name__, {"agents": "agents:", "training": "training:"})
