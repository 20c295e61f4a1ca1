"""Statistics that every instrument uses. Functions take and return tables, draw no figures, and take their random
generators as arguments.

``Sample`` describes a group of scores by n, mean and sd. Tests that need no more accept a `Sample` or the scores.
"""

from cogkit.stats.agreement import error_consistency_table
from cogkit.stats.anova import anova_from_cells
from cogkit.stats.bootstrap import cluster_bootstrap, draw_counts, weighted_mean, weighted_median
from cogkit.stats.convergence import convergence
from cogkit.stats.correlation import correlations, partial_correlation, spearman
from cogkit.stats.effects import median, paired_t, standardised_difference, t_test, tost, wilcoxon
from cogkit.stats.intervals import chance_limit, mean_interval, mean_of_rows, mean_over_runs, wilson
from cogkit.stats.mixed import mixed_model
from cogkit.stats.mixed_logistic import mixed_logistic
from cogkit.stats.psychometric import psychometric
from cogkit.stats.robustness import effective_robustness, worst_group
from cogkit.stats.samples import Sample, grubbs

__all__ = [
    "Sample", "anova_from_cells", "chance_limit", "cluster_bootstrap", "convergence", "correlations", "draw_counts",
    "effective_robustness", "error_consistency_table", "grubbs", "mean_interval", "mean_of_rows", "mean_over_runs",
    "median", "mixed_logistic", "mixed_model", "paired_t", "partial_correlation", "psychometric", "spearman",
    "standardised_difference", "t_test", "tost", "weighted_mean", "weighted_median", "wilcoxon", "wilson",
    "worst_group",
]  # fmt: skip
