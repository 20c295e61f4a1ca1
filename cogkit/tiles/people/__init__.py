"""What a reader does with boards, as data: the study, the blind trial, and the choice scenarios."""

from cogkit.tiles.people import blind, scenarios, study

__all__ = ["blind", "scenarios", "study"]
