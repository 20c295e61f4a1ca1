"""MEWL word learning: five options a question."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from cogkit.generalization.adapters import shares

CHANCE = 1 / 5
WITHOUT_GR_STAR = (
    "on relation a model at chance would get about 240 times the Acc (1 - U) of people, and BERT and GPT-3.5 read "
    "captions of what others have to see"
)


def components(rows: pd.DataFrame, **_) -> Iterator[dict]:
    """Yield accuracy, A_c and P of rows with the metric ``accuracy``."""
    yield from shares.of_accuracy(rows, CHANCE)
