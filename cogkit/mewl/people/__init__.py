"""The study that a person sits, and what people are published to have done."""

from cogkit.mewl.people import published, study

__all__ = ["published", "study"]
