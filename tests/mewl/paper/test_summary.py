"""What our networks reach: shares, tasks and runs are those of the rows, and of no others."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.mewl.paper import summary


def test_a_network_reaches_the_mean_of_its_runs_and_the_best_comes_first():
    common = {"metric": "accuracy", "inputs": "true slots", "supervision": "answers", "n": 600}
    words = common | {"cell": "mewl/slot-word-learner/number", "who": "slot word learner"}
    whole = common | {"cell": "mewl/slot-transformer/together", "who": "slot transformer, all tasks"}
    other = common | {"cell": "mewl/slot-transformer/shape", "who": "slot transformer"}
    part = common | {"cell": "mewl/parts/data", "who": "slot word learner, all tasks, a tenth of the episodes"}
    rows = [
        whole | {"task": "number", "seed": 0, "value": 0.21},
        words | {"task": "number", "seed": 0, "value": 0.9}, words | {"task": "number", "seed": 1, "value": 0.8},
        words | {"task": "train/number", "seed": 0, "value": 1.0},
        words | {"task": "train/number", "seed": 1, "value": 0.9},
        words | {"task": "number", "seed": 0, "value": 0.1, "metric": "above text alone"},
        whole | {"task": "shape", "seed": 0, "value": 0.99}, other | {"task": "shape", "seed": 0, "value": 0.98},
        part | {"task": "number", "seed": 0, "value": 0.5},
    ]  # fmt: skip
    table = summary.reached(pd.DataFrame(rows), "number")
    assert table.who.tolist() == ["slot word learner", "slot transformer, all tasks"]
    assert table.runs.tolist() == [2, 1]
    assert table.value.tolist() == pytest.approx([0.85, 0.21]) and table.training[0] == pytest.approx(0.95)
    assert pd.isna(table.training[1])
    # Two runs: a quarter of the resamples has the first alone, and a quarter the second.
    assert table.low[0] < 0.8 < 0.9 < table.high[0] and table.low[1] < 0.21 < table.high[1]
    assert summary.reached(pd.DataFrame(rows), "object").empty
