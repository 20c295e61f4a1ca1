"""Figures and widgets of the GR* instrument: the namespace ``figures`` of its front door."""

from cogkit.generalization.views.comparisons import away_from_the_mean, psychometric_curves, shared_errors
from cogkit.generalization.views.explorer import Explorer
from cogkit.generalization.views.figures import (
    beyond_accuracy,
    families,
    map_of_tasks,
    matched_pairs,
    permutations,
    rank_stability,
)
from cogkit.generalization.views.panels import (
    chance,
    claims_over_recipes,
    claims_over_seeds,
    column_orders,
    components,
    continual,
    stress,
)
from cogkit.ui.live import live
from cogkit.ui.panel import TrainPanel
from cogkit.ui.tables import claims_table, folded, readable

__all__ = [
    "Explorer", "TrainPanel", "away_from_the_mean", "beyond_accuracy", "chance", "claims_over_recipes",
    "claims_over_seeds", "claims_table", "column_orders", "components", "continual", "families", "folded", "live",
    "map_of_tasks", "matched_pairs", "permutations", "psychometric_curves", "rank_stability", "readable",
    "shared_errors", "stress",
]  # fmt: skip
