"""Trials for PyTorch training loops."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import Dataset

from cogkit.equivalence.problems.records import Trials


class TrialDataset(Dataset):
    """Trials as a PyTorch dataset: the input, and the next token at each place, as in the paper.

    An item is ``inputs`` (4,) and ``targets`` (4,), int64: tokens 1 to 4 (sample and comparisons) and tokens 2 to 5;
    the last target is the answer.

    Examples
    --------
    >>> from cogkit.equivalence.problems import records
    >>> TrialDataset(records.training(records.Design()))[0]
    (tensor([0, 1, 7, 8]), tensor([ 1,  7,  8, 49]))
    """

    def __init__(self, trials: Trials) -> None:
        self.tokens = torch.from_numpy(trials.tokens).long()

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, k: int) -> tuple[Tensor, Tensor]:
        return self.tokens[k, :-1], self.tokens[k, 1:]
