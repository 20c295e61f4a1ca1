"""The dataset of this instrument: written and audited."""

from cogkit.extras.datasets.dataset import Dataset
from cogkit.extras.datasets.tiles import datasets

OPTIONS = {"n": "boards in each file, 1 to 98", "seed": "seed of the boards"}
DATASETS = {"tiles": Dataset(datasets.make, datasets.looks_like, datasets.audit, OPTIONS)}
