"""Names and weights of the columns of the rows that a user brings."""

from __future__ import annotations

import numpy as np

NAMES = ["age", "size", "weight", "height", "income", "tenure"]
WEIGHTS = np.array([3.0, 2.0, 1.0, 0.0, 0.0, 0.0])
