"""The printed numbers against a second transcription of them, and our rows beside them by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cogkit.app import scale
from cogkit.bongard.paper.reported import beside, published, result_rows
from cogkit.core.records import KINDS, RESULT_COLUMNS
from cogkit.data import results

TASKS = ("train", "FF", "BA", "CM", "NV")
PRINTED = {  # a transcription made before ours, by another hand: Table 1 by task, then Table 2, train and test
    "SNAIL": (59.2, 56.3, 60.2, 60.1, 61.3, 74.4, 65.2), "ProtoNet": (73.3, 64.6, 72.4, 62.4, 65.4, 90.5, 68.5),
    "MetaOptNet": (75.9, 60.3, 71.7, 61.7, 63.3, 91.5, 66.9), "ANIL": (69.7, 56.6, 59.0, 59.6, 61.0, 77.8, 63.2),
    "Meta-Baseline-SC": (75.4, 66.3, 73.3, 63.5, 63.9, 92.4, 70.8),
    "Meta-Baseline-MoCo": (81.2, 65.9, 72.2, 63.9, 64.7, 95.8, 72.5),
    "WReN-Bongard": (78.7, 50.1, 50.9, 53.8, 54.3, 96.4, 74.5),
    "CNN-Baseline": (61.4, 51.9, 56.6, 53.6, 57.6, 79.9, 49.8),
    "Meta-Baseline-PS": (85.2, 68.2, 75.7, 67.4, 71.5),
}  # fmt: skip
PEOPLE = {"experts": (92.1, 99.3, 90.7), "amateurs": (88.0, 90.0, 71.0)}
OTHERS = {"ResNet-15": [0.987, 0.97, 0.98, 0.971], "SVM-Mimic": [0.7333, 0.8385, 0.6975, 0.7453]}
SPREADS = {  # ± of the article's text, per method and task
    ("SNAIL", "CM"): 3.1, ("SNAIL", "NV"): 0.8, ("MetaOptNet", "BA"): 2.5, ("MetaOptNet", "NV"): 1.9,
    ("WReN-Bongard", "FF"): 0.1, ("CNN-Baseline", "CM"): 2.0, ("Meta-Baseline-PS", "NV"): 0.5,
    ("experts", "BA"): 1.9, ("amateurs", "BA"): 11.7, ("amateurs", "abstract"): 9.6, ("experts", "FF"): 7.0,
    ("WReN-Bongard", "free-form only/FF"): 4.0, ("CNN-Baseline", "free-form only/train"): 6.2,
}  # fmt: skip
T2, T5 = 4.302652729911275, 2.570581835636314  # 97.5 % points of Student's t, from a printed table


def test_every_number_is_that_of_the_other_transcription():
    table = published().set_index(["who", "task"])
    tasks = (*TASKS, "free-form only/train", "free-form only/FF")
    wanted = {(who, task): value for who, row in PRINTED.items() for task, value in zip(tasks, row, strict=False)}
    wanted |= {(w, t): v for w, row in PEOPLE.items() for t, v in zip(("FF", "BA", "abstract"), row, strict=True)}
    accuracies = table.value[~table.index.get_level_values("who").isin(OTHERS)]
    assert accuracies.index.is_unique
    assert accuracies.to_dict() == pytest.approx({key: value / 100 for key, value in wanted.items()})
    assert {who: table.value[who].tolist() for who in OTHERS} == OTHERS
    assert table.value["SVM-Mimic"].mean() == pytest.approx(0.7537, abs=1e-4)  # as its README says
    assert table.sd[[*SPREADS]].to_dict() == pytest.approx({key: value / 100 for key, value in SPREADS.items()})
    assert set(table.n[table.kind == "person"]) == {6}
    assert set(table.n[(table.kind == "model") & table.sd.notna()]) == {3} and set(table.n[table.sd.isna()]) == {0}


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
    accuracy = scale.components(result_rows("Table 1")).query("component == 'accuracy'").set_index(["who", "task"])
    assert accuracy.value["experts", "abstract"] == 0.907 and accuracy.low.notna().all() and len(accuracy) == 51


def row(value, seed=0, who="ProtoNet", task="FF", **fields) -> dict:
    base = dict.fromkeys(RESULT_COLUMNS) | {"instrument": "bongard", "profile": "verified", "preset": "lab"}
    base |= {"who": who, "task": task, "metric": "accuracy", "kind": "model", "value": value, "seed": seed}
    return base | fields


def ours(*rows: dict) -> pd.DataFrame:
    table = beside(pd.DataFrame(rows, columns=list(RESULT_COLUMNS)))
    return table[(table.who == "ProtoNet") & (table.task == "FF")]


def test_three_seeds_have_a_mean_and_limits_for_one_more_run():
    line = ours(*(row(value, seed) for seed, value in enumerate((0.60, 0.62, 0.64)))).iloc[0]
    reach = T2 * 0.02 * math.sqrt(4 / 3)
    assert (line.ours, line.seeds, line.published, line.published_sd) == (pytest.approx(0.62), 3, 0.646, 0.009)
    assert (line.low, line.high) == pytest.approx((0.62 - reach, 0.62 + reach))
    assert line.gap == pytest.approx(-0.026) and line.within
    assert not ours(*(row(value, seed) for seed, value in enumerate((0.500, 0.501, 0.502)))).iloc[0].within
    one = ours(row(0.646)).iloc[0]
    assert one.seeds == 1 and one.within is pd.NA and np.isnan(one.low)
    none = ours(row(0.9, task="FF/nact9"), row(0.9, who="pixel prototype"), row(0.9, metric="accuracy, as published"))
    assert none.seeds.tolist() == [0] and none.ours.isna().all()


def test_profiles_presets_tables_and_evaluations_stay_apart():
    table = ours(row(0.6), row(0.7, who="protonet", preset="paper"), row(0.8, profile="as_published"))
    assert table.set_index(["profile", "preset"]).ours.to_dict() == {
        ("verified", "lab"): 0.6, ("verified", "paper"): 0.7, ("as_published", "lab"): 0.8,
    }  # fmt: skip
    rows = pd.DataFrame([row(0.5, metric="accuracy, as published"), row(0.7, task="free-form only/FF")])
    table = beside(rows, metric="accuracy, as published")
    assert table[table.seeds > 0][["who", "task", "ours"]].values.tolist() == [["ProtoNet", "FF", 0.5]]
    table = beside(rows, ["Table 2"])
    assert table[table.seeds > 0][["published", "ours"]].values.tolist() == [[0.685, 0.7]]
    table = beside(results.table([]))
    assert len(table) == len(published("Table 1")) and (table.seeds == 0).all()
