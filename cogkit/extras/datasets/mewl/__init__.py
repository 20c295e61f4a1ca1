"""The dataset of this instrument: written, read back and audited."""

from cogkit.extras.datasets.dataset import Dataset
from cogkit.extras.datasets.mewl import datasets

DATASETS = {"mewl": Dataset(datasets.make, datasets.looks_like, datasets.audit)}
