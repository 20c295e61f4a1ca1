"""The dataset of this instrument: written, read back and audited."""

from cogkit.extras.datasets.dataset import Dataset
from cogkit.extras.datasets.equivalence import datasets

OPTIONS = {"n": "random trials for each pair and class; by default all trials", "seed": "seed of the draw"}
DATASETS = {"mts": Dataset(datasets.make, datasets.looks_like, datasets.audit, OPTIONS)}
