"""Generalization's own rows: components already."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from cogkit.generalization.adapters import shares
from cogkit.generalization.metric.calibrated import COMPONENTS

WITHOUT_GR_STAR = ""


def components(rows: pd.DataFrame, **_) -> Iterator[dict]:
    """Yield rows of A_c, P, S and L as they are; chance is each task's most frequent class, so no one number."""
    for _, row in shares.asked(rows, rows.metric.isin(COMPONENTS), " or ".join(COMPONENTS)).iterrows():
        note = "chance is the most frequent class, task by task"
        yield shares.component(row, row.metric, row.value, (row.low, row.high), row.interval, np.nan, note)
