"""The printed numbers against a second transcription of them, and our rows beside them by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cogkit.app import scale
from cogkit.bongard.paper import reported
from cogkit.bongard.paper.reported import beside, published, result_rows
from cogkit.core.contracts import KINDS, RESULT_COLUMNS, InputError
from cogkit.data import results

TASKS = ("train", "FF", "BA", "CM", "NV")
FACTS = """
| SNAIL | 59.2 | 56.3 | 60.2 | 60.1 | 61.3 |
| ProtoNet | 73.3 | 64.6 | 72.4 | 62.4 | 65.4 |
| MetaOptNet | 75.9 | 60.3 | 71.7 | 61.7 | 63.3 |
| ANIL | 69.7 | 56.6 | 59.0 | 59.6 | 61.0 |
| Meta-Baseline-SC | 75.4 | 66.3 | 73.3 | 63.5 | 63.9 |
| Meta-Baseline-MoCo | 81.2 | 65.9 | 72.2 | 63.9 | 64.7 |
| WReN-Bongard | 78.7 | 50.1 | 50.9 | 53.8 | 54.3 |
| CNN-Baseline | 61.4 | 51.9 | 56.6 | 53.6 | 57.6 |
| Meta-Baseline-PS | 85.2 | 68.2 | 75.7 | 67.4 | 71.5 |
"""  # a transcription made before this one, by another hand
ALONE = {  # Table 2 in the same transcription, train / test
    "SNAIL": "74.4/65.2", "ProtoNet": "90.5/68.5", "MetaOptNet": "91.5/66.9", "ANIL": "77.8/63.2",
    "Meta-Baseline-SC": "92.4/70.8", "Meta-Baseline-MoCo": "95.8/72.5", "WReN-Bongard": "96.4/74.5",
    "CNN-Baseline": "79.9/49.8",
}  # fmt: skip
SPREADS = {  # ± of the article's text, per method and task
    ("SNAIL", "CM"): 3.1, ("SNAIL", "NV"): 0.8, ("MetaOptNet", "BA"): 2.5, ("MetaOptNet", "NV"): 1.9,
    ("WReN-Bongard", "FF"): 0.1, ("CNN-Baseline", "CM"): 2.0, ("Meta-Baseline-PS", "NV"): 0.5,
    ("experts", "BA"): 1.9, ("amateurs", "BA"): 11.7, ("amateurs", "abstract"): 9.6, ("experts", "FF"): 7.0,
    ("WReN-Bongard", "free-form only/FF"): 4.0, ("CNN-Baseline", "free-form only/train"): 6.2,
}  # fmt: skip
T2, T5 = 4.302652729911275, 2.570581835636314  # 97.5 % points of Student's t, from a printed table


def printed() -> pd.Series:
    return published().set_index(["who", "task"]).value


def test_every_number_of_methods_is_that_of_the_other_transcription():
    values, count = printed(), 0
    for line in FACTS.strip().splitlines():
        who, *percents = (part.strip() for part in line.strip("|").split("|"))
        for task, percent in zip(TASKS, percents, strict=True):
            assert values[who, task] == pytest.approx(float(percent) / 100, abs=1e-9)
            count += 1
    for who, pair in ALONE.items():
        for task, percent in zip(("train", "FF"), pair.split("/"), strict=True):
            assert values[who, f"free-form only/{task}"] == pytest.approx(float(percent) / 100, abs=1e-9)
            count += 1
    people, rest = 6, 4 + 4  # of people; of the backbone, and of what came later
    assert count + people + rest == len(values) and values.index.is_unique


def test_people_backbone_and_later_work():
    values = printed()
    people = {"experts": (0.921, 0.993, 0.907), "amateurs": (0.880, 0.900, 0.710)}
    for who, shares in people.items():
        assert values[who].to_dict() == dict(zip(("FF", "BA", "abstract"), shares, strict=True))
    assert values["ResNet-15"].tolist() == [0.987, 0.97, 0.98, 0.971]
    assert values["SVM-Mimic"].tolist() == [0.7333, 0.8385, 0.6975, 0.7453]
    assert values["SVM-Mimic"].mean() == pytest.approx(0.7537, abs=1e-4)  # as its README says


def test_spreads_and_how_many():
    table = published().set_index(["who", "task"])
    for cell, spread in SPREADS.items():
        assert table.sd[cell] == pytest.approx(spread / 100)
    assert set(table.n[table.kind == "person"]) == {6}
    assert set(table.n[(table.kind == "model") & table.sd.notna()]) == {3} and set(table.n[table.sd.isna()]) == {0}
    assert table.loc["Meta-Baseline-PS"].table.unique().tolist() == ["Table 3"]


def test_an_unknown_table_is_refused():
    with pytest.raises(InputError, match="did you mean 'Table 1'"):
        published("table 1")


def test_result_rows_are_whole_and_limits_are_students():
    rows = result_rows()
    assert list(rows) == list(RESULT_COLUMNS) and set(rows.kind) <= set(KINDS) and rows.cell.str.match("bongard/").all()
    table = rows.set_index(["who", "task"])
    cell = table.loc[("ProtoNet", "FF")]
    reach = T2 * 0.009 / math.sqrt(3)
    assert (cell.low, cell.high) == pytest.approx((0.646 - reach, 0.646 + reach)) and cell.interval == "95% t, runs"
    assert cell.n == 1200  # 75 batches of eight problems, two queries each
    cell = table.loc[("experts", "BA")]
    assert cell.low == pytest.approx(0.993 - T5 * 0.019 / math.sqrt(6)) and cell.high == 1
    assert (cell.n, cell.interval) == (6, "95% t, people")
    assert math.isnan(table.loc[("SVM-Mimic", "FF"), "low"]) and table.loc[("SVM-Mimic", "FF"), "n"] == 0


def test_the_metric_of_generalization_reads_them():
    table = scale.components(result_rows("Table 1"))
    accuracy = table[table.component == "accuracy"].set_index(["who", "task"])
    assert accuracy.value["experts", "abstract"] == 0.907 and accuracy.value["amateurs", "abstract"] == 0.71
    assert accuracy.low.notna().all() and len(accuracy) == 51


def row(value, seed=0, who="ProtoNet", task="FF", **fields) -> dict:
    base = dict.fromkeys(RESULT_COLUMNS) | {"instrument": "bongard", "profile": "verified", "preset": "lab"}
    return (
        base | {"who": who, "task": task, "metric": "accuracy", "kind": "model", "value": value, "seed": seed} | fields
    )


def ours(*rows: dict, **where) -> pd.DataFrame:
    table = beside(pd.DataFrame(rows, columns=list(RESULT_COLUMNS)))
    return table[(table.who == "ProtoNet") & (table.task == "FF")]


def test_three_seeds_have_a_mean_and_limits_for_one_more_run():
    line = ours(*(row(value, seed) for seed, value in enumerate((0.60, 0.62, 0.64)))).iloc[0]
    reach = T2 * 0.02 * math.sqrt(4 / 3)
    assert (line.ours, line.seeds, line.published, line.published_sd) == (pytest.approx(0.62), 3, 0.646, 0.009)
    assert (line.low, line.high) == pytest.approx((0.62 - reach, 0.62 + reach))
    assert line.gap == pytest.approx(-0.026) and line.within


def test_what_lies_outside_and_what_one_run_cannot_say():
    far = ours(*(row(value, seed) for seed, value in enumerate((0.500, 0.501, 0.502)))).iloc[0]
    assert not far.within
    one = ours(row(0.646)).iloc[0]
    assert one.seeds == 1 and one.within is pd.NA and np.isnan(one.low)
    none = ours(row(0.9, task="FF/nact9"), row(0.9, who="pixel prototype"), row(0.9, metric="accuracy, as published"))
    assert none.seeds.tolist() == [0] and none.ours.isna().all()


def test_profiles_and_presets_stay_apart_and_names_are_read_loosely():
    table = ours(row(0.6), row(0.7, who="protonet", preset="paper"), row(0.8, profile="as_published"))
    assert table.set_index(["profile", "preset"]).ours.to_dict() == {
        ("verified", "lab"): 0.6, ("verified", "paper"): 0.7, ("as_published", "lab"): 0.8,
    }  # fmt: skip


def test_the_other_evaluation_and_the_other_table():
    rows = pd.DataFrame([row(0.5, metric="accuracy, as published"), row(0.7, task="free-form only/FF")])
    table = beside(rows, metric="accuracy, as published")
    assert table[table.seeds > 0][["who", "task", "ours"]].values.tolist() == [["ProtoNet", "FF", 0.5]]
    table = beside(rows, ["Table 2"])
    assert table[table.seeds > 0][["published", "ours"]].values.tolist() == [[0.685, 0.7]]


def test_nothing_beside_it_is_the_printed_table():
    table = beside(results.table([]))
    assert len(table) == len(reported.published("Table 1")) and (table.seeds == 0).all()
