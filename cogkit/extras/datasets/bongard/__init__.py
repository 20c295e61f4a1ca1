"""The dataset of this instrument: written, read back and audited."""

from cogkit.extras.datasets.bongard import auditing, datasets
from cogkit.extras.datasets.dataset import Dataset

DATASETS = {"bongard": Dataset(datasets.make, datasets.looks_like, auditing.audit)}
