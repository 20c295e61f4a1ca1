"""The paper's results on GR*, computed again, and further analyses of its tasks."""

from cogkit.generalization.paper import claims, paper_analyses, stress

__all__ = ["claims", "paper_analyses", "stress"]
