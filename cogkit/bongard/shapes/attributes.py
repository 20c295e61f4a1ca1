"""Attributes of a shape, computed from its strokes: 25 that people marked for the paper, and one that follows.

People marked by eye; here each attribute is computed from geometry. This needs a few thresholds. They are chosen on
half of the published super classes, and the agreement with the marks is counted on the other half. Tests repeat the
choice and the count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from cogkit.bongard.logo.programs import Program
from cogkit.bongard.shapes.measures import measures
from cogkit.bongard.shapes.planar_graph import SLACK

LINES = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
# Agreement with the published marks, without marks of -1: number of shapes, share of the commoner mark, then agreement
# on the chosen half and on the other half.
ACCURACY: dict[str, list] = json.loads(Path(__file__).with_name("accuracy.json").read_bytes())
ATTRIBUTES = tuple(ACCURACY)  # the 25 of the published table, and one that follows from two of them
MARKED = ATTRIBUTES[:-1]
# Thresholds are chosen on these super classes: every second by name, counted apart for those of several pieces (*).
CHOSEN = (
    "arc", "hexagon", "pentagon", "quasi_sector", "triangle", "heptagon*", "octagon*", "quadrangle*", "triangle*",
)  # fmt: skip
BAR = 0.97  # agreement on the other super classes that an attribute needs for reliable labels
MARGIN = 1.15  # a label is not certain if it changes when the thresholds move by this factor
RIGHT = (1.0, 6.0)  # a label is not certain if it changes when `SLACK` for right angles is these degrees instead


# The value of a measure at which the answer changes. Lengths are in sizes of the shape.
THRESHOLDS = {
    "hollow": 0.00143,  # convex: a single face leaves a smaller share of its convex hull empty
    "balance": 0.534,  # balanced: the smaller of two areas is a larger share of the other
    "mirror": 0.00885,  # symmetric: the image lies nearer to the shape
    "half_turn": 0.0152,  # self-transposed: so does the image after a half turn
    "slim": 0.377,  # thin: the ratio of short to long side of the best-fitting box is smaller,
    "waist": 0.198,  # or the widest circle inside is smaller
    "neck": 1.55,  # necked: both sides of a neck are wider, in widths of the neck
    "regular": 0.0633,  # regular: sides and radii differ by less, as a share of their mean
    "sector": 0.0535,  # sector: so do those of a sector
}
CERTIFIED = tuple(name for name, (*_, held_out) in ACCURACY.items() if held_out >= BAR)


def compute(program: Program) -> dict[str, int]:
    """Return the attributes of a program by geometry: 1 present, 0 absent, -1 not applicable.

    The result has all attributes, `CERTIFIED` or not.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> found = compute((Line(1.0), Line(1.0, 120.0), Line(1.0, 120.0)))
    >>> [name for name, label in found.items() if label == 1][:4]
    ['convex', 'has_straight_line', 'symmetric', 'has_three_straight_lines']
    """
    return _labels(measures(program), THRESHOLDS)


def certain(program: Program) -> dict[str, int]:
    """Return reliable labels of a program: as `compute`, but -1 if not `CERTIFIED` or close to a threshold.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> skewed = (Line(1.0), Line(1.0, 94.0), Line(1.0, 86.0), Line(1.0, 94.0))  # is 94 degrees obtuse to the eye?
    >>> compute(skewed)["has_obtuse_angle"], certain(skewed)["has_obtuse_angle"], certain(skewed)["convex"]
    (1, -1, 1)
    """
    values = measures(program)
    labels = _labels(values, THRESHOLDS)
    for factor, right in zip((1 / MARGIN, MARGIN), RIGHT, strict=True):
        variant = _labels(values, {name: value * factor for name, value in THRESHOLDS.items()}, right)
        labels = {name: label if label == variant[name] else -1 for name, label in labels.items()}
    return {name: label if name in CERTIFIED else -1 for name, label in labels.items()}


def _labels(values: Mapping, thresholds: Mapping[str, float], right: float = SLACK) -> dict[str, int]:
    return derive({name: int(label) for name, label in answers(values, thresholds, right).items()})


def derive(labels: Mapping[str, int]) -> dict[str, int]:
    """Return labels with ``symmetric_transposed``: 1 if both labels are 1, -1 if either is not applicable, else 0."""
    pair = labels["symmetric"], labels["self_transposed"]
    return {**labels, "symmetric_transposed": 1 if pair == (1, 1) else -1 if -1 in pair else 0}


def answers(m: Mapping, t: Mapping[str, float], right: float = SLACK) -> dict:
    """Return each marked attribute, from the measures of one shape or of many; ``right`` stands in for `SLACK`."""
    two = m["parts"] == 2
    return {
        "convex": np.where(m["parts"] == 1, m["hollow"] < t["hollow"], -1),
        "has_curve": m["arcs"] > 0,
        "has_straight_line": m["lines"] > 0,
        "symmetric": m["mirror"] < t["mirror"],
        "self_transposed": m["half_turn"] < t["half_turn"],
        **{
            f"has_{word}_straight_lines": (m["fewest_lines"] <= k) & (k <= m["most_lines"]) for k, word in LINES.items()
        },
        "thin_shape": (m["slim"] < t["slim"]) | (m["waist"] < t["waist"]),
        "closed_shape": m["loose_ends"] == 0,
        "has_acute_angle": m["sharpest"] < 90 - right,
        "has_obtuse_angle": m["widest"] > 90 + right,
        "has_angle": m["angles"] > 0,
        "has_line_crossing": m["crossings"] > 0,
        "has_two_parts": two,
        "balanced_two": two & (m["balance"] > t["balance"]),
        "unbalanced_two": two & (m["balance"] <= t["balance"]),
        "necked": m["neck"] > t["neck"],
        "exist_regular": m["regular"] < t["regular"],
        "exist_triangle": m["triangles"] > 0,
        "exist_quadrangle": m["quadrangles"] > 0,
        "exist_sector": m["sector"] < t["sector"],
    }
