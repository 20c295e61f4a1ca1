"""What a dask scheduler costs a sweep, and what a second worker brings; the rival is one worker, in the same run."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

from cogkit.app import experiments
from cogkit.core.cost import cpu_seconds
from cogkit.data.results import Store

sys.path.insert(0, str(Path(__file__).parents[1] / "extras" / "cluster"))
from clusters import Cluster, children

_CELLS, _ROUNDS = 8, 2
_BURNING = f"""
import numpy as np
from cogkit.core.instruments import Cell, Instrument

def burn(config, profile, seed):
    rng = np.random.default_rng(seed)
    value = max(float(rng.standard_normal(100_000).max()) for _ in range(3000))  # some seconds
    return [{{"task": "t", "kind": "floor", "who": "w", "inputs": "symbols", "n": 1, "metric": "m", "value": value}}]

class Burning(Instrument):
    name = "burning"

    def cells(self):
        return [Cell(f"burning/{{k}}", burn, {{"quick": {{}}}}) for k in range({_CELLS})]

INSTRUMENT = Burning()
"""


def test_two_workers(tmp_path, monkeypatch, capsys):
    """One and two workers in turn: by the clock, which whatever else runs here disturbs, and by CPU time."""
    (tmp_path / "burning").mkdir()
    (tmp_path / "burning" / "__init__.py").touch()
    (tmp_path / "burning" / "instrument.py").write_text(_BURNING)
    about = tmp_path / "burning-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: burning\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[cogkit.instruments]\nburning = burning\n")
    monkeypatch.syspath_prepend(tmp_path)
    seconds, overhead, worked, within = {1: [], 2: []}, 0.0, 0.0, 0.0
    for again in range(_ROUNDS):
        for n in seconds:
            folder = tmp_path / f"{again}-{n}"
            folder.mkdir()
            with Cluster(folder, str(tmp_path)) as made:  # alone: the processes of another would not rest
                scheduler, workers = made.scheduler().pid, children(made.workers(n))
                for seed in (0, 1):
                    before = [time.process_time() + cpu_seconds(scheduler), sum(map(cpu_seconds, workers))]
                    root, began = folder / str(seed), time.perf_counter()
                    assert experiments.sweep("burning/*", seeds=[seed], root=root, dask=made.address) == []
                    took = time.perf_counter() - began
                    if seed:  # the first time, workers import what cells need
                        seconds[n].append(took)
                        overhead += time.process_time() + cpu_seconds(scheduler) - before[0]
                        worked += sum(map(cpu_seconds, workers)) - before[1]
                        within += sum(run.seconds for run, _ in Store(root).runs())
    efficiency = median(seconds[1]) / (2 * median(seconds[2]))
    with capsys.disabled():
        print(
            f"\n{_CELLS} cells of {within / (2 * _ROUNDS * _CELLS):.1f} CPU-s each, {_ROUNDS} times in turn: "
            f"one worker {median(seconds[1]):.1f} s, two {median(seconds[2]):.1f} s, efficiency {efficiency:.0%}. "
            f"Client and scheduler: {overhead / worked:.2%} of the workers' CPU time; {within / worked:.1%} is in cells"
        )
    assert within / worked > 0.9  # what a client and a scheduler take grows with the hours, not with the work
