"""How long a notebook may take on this processor."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

CPU_SECONDS = 90
# CPU-seconds of `yardstick` where the costs that notebooks tell were measured: a slower processor may take longer.
YARDSTICK = 0.24


@pytest.fixture(scope="module")
def allowed_cpu_s() -> float:
    """Return the CPU-seconds that a notebook may take at `quick`: more on a slower processor, busy as it is."""
    return CPU_SECONDS * max(1.0, sorted(yardstick() for _ in range(5))[2] / YARDSTICK)


def yardstick() -> float:
    """Return the CPU-seconds of a fixed work of the kinds that notebooks do: products, sorting, words and JSON."""
    before, rng = time.process_time(), np.random.default_rng(0)
    matrix = rng.random((300, 300), dtype=np.float32)
    for _ in range(60):
        matrix = np.tanh(matrix @ matrix.T / 300)
    np.sort(rng.random(2_000_000))
    words: dict[str, int] = {}
    for k in range(600_000):
        words[str(k % 5000)] = words.get(str(k % 4999), 0) + k
    json.loads(json.dumps(20 * list(words.items())))
    return time.process_time() - before
