"""Floors, observers and networks, and the training of networks; torch is imported when ``training`` is first used."""

from typing import TYPE_CHECKING

from cogkit.core import door

if TYPE_CHECKING:
    from cogkit.equivalence.learners import agents, training

__all__ = ["agents", "training"]
__getattr__, __dir__ = door.lazy(__name__, {"agents": "agents:", "training": "training:"})
