"""From a share of right answers to the common scale: closed forms, chance by task, and what counts as a count."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cogkit.core.errors import InputError
from cogkit.stats import scale


def table(*rows: dict) -> pd.DataFrame:
    common = {"kind": "model", "who": "a", "inputs": "symbols", "seed": 0, "source": "", "metric": "accuracy"}
    return pd.DataFrame([common | {"low": math.nan, "high": math.nan, "interval": "", "n": 600} | row for row in rows])


def test_counts_are_told_from_means():
    table = (
        (0.208, 600, 3, 125),
        (0.924, 240, 3, None),  # 222 of 240 are .925
        (0.25, 30_240, 3, None),  # 7,560, but 15 counts either side print alike
        (7560 / 30_240, 30_240, 16, 7560),
        (1 / 3, 600, 16, 200),
        (0.3334, 600, 16, None),
        (1.0, 40, 3, 40),
        (math.nan, 40, 3, None),
    )
    assert [row for *row, right in table if scale.count(*row) != right] == []


def test_chance_may_be_a_function_of_the_task():
    rows = table({"task": "two", "value": 0.8}, {"task": "four", "value": 0.7}, {"task": "all", "value": 0.75})
    parts = pd.DataFrame(scale.of_accuracy(rows, chance=lambda task: {"two": 1 / 2, "four": 1 / 4}[task]))
    parts = parts.set_index(["task", "component"])
    for task, chance in (("two", 0.5), ("four", 0.25)):
        assert (parts.loc[task, "chance"] == chance).all()
        assert parts.loc[(task, "A_c"), "value"] == pytest.approx(0.6)  # .3 of .5, and .45 of .75
        assert parts.loc[(task, "P"), "value"] == pytest.approx(0.16)  # .8 (1 - 2 √(.8 × .2))
    mean = parts.loc["all"]
    assert mean.value.isna().tolist() == [False, True, True] and mean.chance.isna().all()


def test_p_of_two_classes_is_the_papers_formula():
    accuracy = np.linspace(0.5, 1, 11)
    paper = accuracy * (1 - 2 * np.sqrt(accuracy * (1 - accuracy)))
    assert scale.performance(scale.above_chance(accuracy, 0.5)) == pytest.approx(paper)


def test_rows_without_the_metric_are_refused():
    with pytest.raises(InputError, match="metric accuracy, got rows of z"):
        list(scale.of_accuracy(table({"task": "two", "value": 0.8, "metric": "z"}), chance=0.5))
