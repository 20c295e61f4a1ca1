"""The README's sentence on word learners: its shares, tasks and runs are those of the rows, and of no others."""

from __future__ import annotations

import pandas as pd

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
