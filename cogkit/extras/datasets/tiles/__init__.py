"""The dataset of this instrument: written, read back and audited."""

from cogkit.extras.datasets.dataset import Dataset
from cogkit.extras.datasets.tiles import datasets

DATASETS = {"tiles": Dataset(datasets.make, datasets.looks_like, datasets.audit)}
