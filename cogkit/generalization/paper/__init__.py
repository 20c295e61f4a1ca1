"""What the paper reports of GR*, computed again; and what else its tasks say."""

from cogkit.generalization.paper import claims, paper_analyses, sensitivity, stress

__all__ = ["claims", "paper_analyses", "sensitivity", "stress"]
