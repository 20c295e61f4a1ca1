"""What our networks reach: shares, tasks and runs are those of the rows, and of no others."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.mewl.paper import summary


def test_the_sentence_says_the_least_and_the_most_of_the_runs_with_a_task_of_their_own():
    common = {"cell": "mewl/slot-word-learner/shape", "task": "shape", "metric": "accuracy", "seed": 0, "n": 600}
    rows = [
        common | {"value": 0.957}, common | {"seed": 1, "value": 0.5, "metric": "skill"},
        common | {"seed": 1, "value": 0.991}, common | {"task": "train/shape", "value": 0.1},
        common | {"task": "number", "cell": "mewl/slot-word-learner/number", "value": 0.8333},
        common | {"cell": "mewl/slot-word-learner/together", "value": 0.2},
        common | {"cell": "mewl/slot-transformer/shape", "value": 0.3},
    ]  # fmt: skip
    words = summary.sentence(pd.DataFrame(rows))
    assert "get 83 to 99 % of the names right" in words
    assert "(2 tasks, 3 runs, 600 new episodes; a guess: 20 %)" in words


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
