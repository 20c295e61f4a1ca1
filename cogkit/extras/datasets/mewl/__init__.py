"""The dataset of this instrument: written and audited."""

from cogkit.extras.datasets.dataset import Dataset
from cogkit.extras.datasets.mewl import datasets

OPTIONS = {
    "n": "episodes in all, 1 to 1,000,000; by default 4,200 for each task, as published",
    "seed": "seed of the episodes",
    "profile": "which rules: verified or as_published",
    "only": "one task alone, such as shape; by default all nine",
    "images": "pictures of this quality, browse or final; by default there are none",
    "open_hypotheses": "one option is right even if a word may be about any attribute, for shape, color and material",
    "jobs": "parallel processes; by default one for each core",
}
DATASETS = {"mewl": Dataset(datasets.make, datasets.looks_like, datasets.audit, OPTIONS)}
