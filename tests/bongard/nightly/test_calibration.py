"""The thresholds behind the attributes of a shape are those that agree best with the marks of people, found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.attributes import ATTRIBUTES, CHOSEN, THRESHOLDS, answers
from cogkit.bongard.shapes.measures import measures

SERVES = {
    "hollow": ("convex",), "balance": ("balanced_two", "unbalanced_two"), "mirror": ("symmetric",),
    "half_turn": ("self_transposed",), "slim": ("thin_shape",), "waist": ("thin_shape",), "neck": ("necked",),
    "regular": ("exist_regular",), "sector": ("exist_sector",),
}  # fmt: skip


def calibrate(shapes: Iterable[inventory.Shape]) -> dict[str, float]:
    """Return the thresholds that agree best with the marks on the chosen half.

    Each threshold is the middle of the widest range of best values. ``slim`` is first chosen without ``waist``; then
    both are chosen again, each with the other in use.
    """
    half = [shape for shape in shapes if shape.super_class in CHOSEN]
    columns = pd.DataFrame([measures(shape.program) for shape in half])
    marks = {name: np.array([shape.attributes[name] for shape in half]) for name in ATTRIBUTES}
    thresholds = THRESHOLDS | {"waist": 0.0}
    for name in (*THRESHOLDS, "slim", "waist"):
        mask = np.any([marks[attribute] >= 0 for attribute in SERVES[name]], axis=0)
        values = np.unique(columns[name][mask])
        values = values[np.isfinite(values)]
        middles = (values[1:] + values[:-1]) / 2
        shares = [agreement(name, thresholds | {name: middle}, columns, marks) for middle in middles]
        best = np.flatnonzero(shares == np.max(shares))
        runs = [(values[run[0]], values[run[-1] + 1]) for run in np.split(best, np.flatnonzero(np.diff(best) > 1) + 1)]
        low, high = max(runs, key=lambda run: run[1] - run[0])
        thresholds |= {name: float(f"{(low + high) / 2:.3g}")}
    return thresholds


def agreement(name: str, thresholds: Mapping[str, float], columns: pd.DataFrame, marks: Mapping) -> float:
    """Return the share of marks that the answers agree with, as a mean over the attributes that a threshold serves."""
    labels = answers({column: columns[column].to_numpy() for column in columns}, thresholds)
    return float(np.mean([np.mean((labels[one] == marks[one])[marks[one] >= 0]) for one in SERVES[name]]))


def test_calibration_finds_the_thresholds_again_and_looks_at_the_chosen_half_only(shape_set):
    """Marks of the other half turned over change nothing; of the chosen half they do."""

    def turned_over(chosen: bool):
        for shape in shape_set:
            if (shape.super_class in CHOSEN) == chosen:
                marks = {name: 1 - label if label >= 0 else -1 for name, label in shape.attributes.items()}
                yield replace(shape, attributes=marks)
            else:
                yield shape

    assert calibrate(shape_set) == calibrate(turned_over(chosen=False)) == THRESHOLDS
    assert calibrate(turned_over(chosen=True)) != THRESHOLDS
