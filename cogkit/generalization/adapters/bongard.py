"""Bongard-LOGO: two sides, and two groups of six people who are never pooled."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from cogkit.core.contracts import InputError
from cogkit.generalization.adapters import shares

CHANCE = 1 / 2
WITHOUT_GR_STAR = (
    "nothing tells how relevant each feature of an image is, so that D_align and D̃, both made of that, are undefined"
)
_EVERYBODY = ("human", "humans", "people", "person", "persons")


def components(rows: pd.DataFrame, **_) -> Iterator[dict]:
    """Yield accuracy, A_c and P of rows with the metric ``accuracy``; `InputError` where people are pooled."""
    pooled = rows[(rows.kind == "person") & rows.who.str.lower().isin(_EVERYBODY)]
    if len(pooled):
        raise InputError(f"people called {pooled.who.iloc[0]!r}", "experts and amateurs apart, each group by its name")
    yield from shares.of_accuracy(rows, CHANCE)
