"""What was measured of the authors' problems, counted in ours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from cogkit.bongard.problems.records import Problem


def normal_share(groups: Sequence[Sequence[Problem]]) -> tuple[float, float]:
    """Return the share of normal strokes, and its standard error where strokes of a group go together."""
    counts = []
    for problems in groups:
        pictures = itertools.chain(*(side for problem in problems for side in problem.sides))
        types = [action.type for picture in pictures for placed in picture for action in placed.program]
        counts.append((types.count("normal"), len(types)))
    normal, total = np.array(counts).T
    share = normal.sum() / total.sum()
    return share, math.sqrt(((normal - share * total) ** 2).sum()) / total.sum()
