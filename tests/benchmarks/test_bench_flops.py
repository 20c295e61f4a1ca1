"""How near each learner is to what a core can do: its useful floating-point operations beside the best matrix product.

Not part of the test run. One process and one thread, processor time; each step is timed with a product before it::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_flops.py

Useful are the operations of the products and convolutions of a step, forward and back, as torch counts them. A share of
.5 is near the limit, and under .2 there is work to do.
"""

from __future__ import annotations

import time

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from cogkit import bongard, equivalence, mewl, tiles
from cogkit.learning import Fit, run

_ROUNDS, _SIZES = 5, (256, 512, 1024)
LEARNERS = {
    "tiles, LSTM": lambda: tiles.train("lstm", "rectangle/abstract", "lab"),
    "tiles, convolutional": lambda: tiles.train("convolutional", "rectangle/abstract", "lab"),
    "tiles, EPN": lambda: tiles.train("epn", "rectangle/abstract", "lab"),
    "tiles, Transformer": lambda: tiles.train("transformer", "rectangle/abstract", "lab"),
    "tiles, CoRelNet": lambda: tiles.train("corelnet", "rectangle/abstract", "lab"),
    "Bongard-LOGO, ProtoNet": lambda: bongard.train("protonet", preset="lab", problems=400, validated=20),
    "MEWL, slot transformer": lambda: mewl.train("slot-transformer", "shape", "lab", episodes=400, validated=20),
    "MEWL, slot word learner": lambda: mewl.train("slot-word-learner", "shape", "lab", episodes=400, validated=20),
    "stimulus equivalence, GPT": lambda: equivalence.train("gpt", preset="lab"),
    "stimulus equivalence, feed-forward": lambda: equivalence.train("feed-forward", preset="lab"),
}
pytestmark = pytest.mark.usefixtures("one_thread")


def best_product() -> float:
    """Return the operations a second of the fastest product of two square matrices."""
    rates = []
    for size in _SIZES:
        left, right = torch.randn(2, size, size)
        began = time.process_time()
        for _ in range(rounds := 2_000_000_000 // (2 * size**3) + 1):
            left @ right
        rates.append(rounds * 2 * size**3 / (time.process_time() - began))
    return max(rates)


def seconds(fit: Fit, steps: int) -> float:
    """Return the processor time of a step."""
    fit.steps += steps
    began = time.process_time()
    run(fit)
    return (time.process_time() - began) / steps


@pytest.mark.parametrize("name", LEARNERS)
def test_share_of_the_best_product(name, capsys):
    fit = LEARNERS[name]()
    fit._evaluate, fit.steps = None, 2
    run(fit)
    with FlopCounterMode(display=False) as counter:
        seconds(fit, 1)
    operations = counter.get_total_flops()
    steps = max(1, int(0.5 / seconds(fit, 1)))
    shares = sorted(operations / seconds(fit, steps) / best_product() for _ in range(_ROUNDS))
    with capsys.disabled():
        print(f"\n{name}: {operations / 1e6:,.1f} million operations a step, {shares[_ROUNDS // 2]:.2f} of the best "
              f"matrix product ({shares[0]:.2f} to {shares[-1]:.2f})")  # fmt: skip
    assert operations > 0
