"""The paper's results on GR*, computed again, and further analyses of its tasks."""

from cogkit.generalization.paper import claims, multiverse, paper_analyses, recipes, stress

__all__ = ["claims", "multiverse", "paper_analyses", "recipes", "stress"]
