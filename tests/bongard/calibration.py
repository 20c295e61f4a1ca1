"""The choice of the thresholds behind the attributes of a shape: those that agree best with the marks of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

import numpy as np
import pandas as pd

from cogkit.bongard.shapes.attributes import CHOSEN, Marked, Thresholds, answers, marks_of
from cogkit.bongard.shapes.measures import measures

SERVES = {
    "hollow": ("convex",), "balance": ("balanced_two", "unbalanced_two"), "mirror": ("symmetric",),
    "half_turn": ("self_transposed",), "slim": ("thin_shape",), "waist": ("thin_shape",), "neck": ("necked",),
    "regular": ("exist_regular",), "sector": ("exist_sector",),
}  # fmt: skip


def calibrate(shapes: Iterable[Marked]) -> tuple[Thresholds, pd.DataFrame]:
    """Return the thresholds that agree best with the marks on the chosen half, and a table of the choices.

    Each threshold is the middle of the widest range of best values. ``slim`` is first chosen without ``waist``; then
    both are chosen again, each with the other in use.

    Parameters
    ----------
    shapes : iterable of Shape
        The published shapes, or others with marks in the same super classes.

    Returns
    -------
    thresholds : Thresholds
        Three significant digits each.
    table : DataFrame
        Columns threshold, value, low and high (ends of that range), n, agreement (on the chosen half).
    """
    half = [shape for shape in shapes if shape.super_class in CHOSEN]
    columns, marks = _columns(half), marks_of(half)
    thresholds, rows = Thresholds(waist=0.0), {}
    for name in (*(field.name for field in fields(Thresholds)), "slim", "waist"):
        thresholds, rows[name] = _chosen(name, thresholds, columns, marks)
    return thresholds, pd.DataFrame(rows.values())


def _chosen(name: str, thresholds: Thresholds, values_of: Mapping, marks: Mapping) -> tuple[Thresholds, dict]:
    """Return the thresholds after a new choice of one of them, and its row of the table."""
    mask = np.any([marks[attribute] >= 0 for attribute in SERVES[name]], axis=0)
    values = np.unique(values_of[name][mask])
    values = values[np.isfinite(values)]
    shares = [
        _agreement(SERVES[name], replace(thresholds, **{name: middle}), values_of, marks)
        for middle in (values[1:] + values[:-1]) / 2
    ]
    best = np.flatnonzero(shares == np.max(shares))
    runs = [(values[run[0]], values[run[-1] + 1]) for run in np.split(best, np.flatnonzero(np.diff(best) > 1) + 1)]
    low, high = max(runs, key=lambda run: run[1] - run[0])
    value = float(f"{(low + high) / 2:.3g}")
    row = {"threshold": name, "value": value, "low": low, "high": high, "n": int(mask.sum()), "agreement": max(shares)}
    return replace(thresholds, **{name: value}), row


def _agreement(names: Iterable[str], thresholds: Thresholds, values_of: Mapping, marks: Mapping) -> float:
    """Return the share of marks that the answers agree with, as a mean over attributes."""
    labels = answers(values_of, thresholds)
    return float(np.mean([np.mean((labels[name] == marks[name])[marks[name] >= 0]) for name in names]))


def _columns(shapes: Iterable[Marked]) -> dict[str, np.ndarray]:
    table = pd.DataFrame([measures(shape.program) for shape in shapes])
    return {name: table[name].to_numpy() for name in table}
