"""The dataset of this instrument: written and audited."""

from cogkit.extras.datasets.bongard import datasets
from cogkit.extras.datasets.dataset import Dataset

OPTIONS = {
    "n": "problems in all, 1 to 12,000",
    "seed": "seed of the problems",
    "profile": "which rules: verified or as_published",
    "only": "ff, the free-form set of the ablation; by default all three kinds",
    "size": "pixels a side of the pictures, 16 to 2048",
    "jobs": "parallel processes; by default one for each core",
}
DATASETS = {"bongard": Dataset(datasets.make, datasets.looks_like, datasets.audit, OPTIONS)}
