"""People's tables from trials made by hand: who counts, and rows beside machines."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS
from cogkit.core.study import Presentation
from cogkit.mewl.people import published as people
from cogkit.mewl.people import study
from cogkit.mewl.people.study import Plan
from cogkit.study.trials import BEGIN


def sitting(
    name, who="a", task="number", wrong=0, missed=0, checks=(True,), draw=0, answered=12, **fields
) -> list[dict]:
    """A sitting in which so many of ten test items are wrong, and so many of two attention checks."""
    plan = Plan(task, draw, **fields)
    condition, items = plan.condition, study.items(plan.condition)

    def answer(item, right: bool, phase: str, rt_s=None) -> dict:
        option = item.trial.options[(item.episode.answer + (not right)) % 5]
        row = study.answered(Presentation("items", condition, item, item.name, 0, 12), option)
        return row | {"rt_s": rt_s, "extra": row["extra"] | {"phase": phase}}

    page = {"item": f"tutorial/{task}/0", "task": task, "response": "read", "extra": {"phase": "tutorial"}}
    begin = {"item": BEGIN, "task": condition, "response": condition, "extra": {"order": list(range(12))}}
    rows = [begin, page | {"rt_s": 20.0}, *(answer(items[0], right, "check") for right in checks)]
    for k, item in enumerate(items[:answered]):
        rows.append(answer(item, not (k >= 12 - missed or 10 - wrong <= k < 10), "answer", 2.0))
    shared = {"sitting": name, "who": who, "kind": "person", "instrument": "mewl"}
    shared |= {"profile": plan.profile, "seed": draw}
    base = dict.fromkeys(TRIAL_COLUMNS)
    return [base | {k: v for k, v in row.items() if k != "done"} | shared | {"order": n} for n, row in enumerate(rows)]


def frame(*parts) -> pd.DataFrame:
    return pd.DataFrame([row for part in parts for row in part], columns=list(TRIAL_COLUMNS)).astype(
        {"correct": float, "rt_s": float}
    )


# Who counts


def test_every_sitting_has_its_line_and_its_reason():
    trials = frame(
        sitting("s0", "a", wrong=2), sitting("s1", "b", missed=1),
        sitting("s2", "c", checks=(False, False), answered=0), sitting("s3", "d", answered=5),
        sitting("s4", "a", wrong=1, draw=1), sitting("s5", "a", task="shape", wrong=4),
        sitting("s6", "d", wrong=1, draw=1), sitting("s7", "b", draw=3), sitting("s8", "e", feedback=True),
    )  # fmt: skip
    table = people.log(trials).set_index("sitting")
    assert table.reason.to_dict() == {
        "s0": "", "s1": "attention failed", "s2": "tutorial failed", "s3": "not finished", "s4": "sat it before",
        "s5": "", "s6": "", "s7": "sat it before", "s8": "",
    }  # fmt: skip
    assert table.kept.tolist() == [not reason for reason in table.reason]
    assert table.feedback.tolist() == [False] * 8 + [True]
    assert table.right["s0"] == 0.8 and table.attention["s1"] == 0.5 and table.right["s5"] == 0.6
    assert (table.answers["s0"], table.seconds["s0"]) == (10, 20.0 + 12 * 2.0)
    assert table.answers["s2"] == 0 and math.isnan(table.right["s2"]) and table.answers["s3"] == 5

    assert study.failures(trials) == {"s1": "attention failed", "s2": "tutorial failed", "s3": "not finished"}
    once = frame(sitting("once", checks=(False, True)), sitting("both", missed=2, answered=11))
    assert study.failures(once) == {"both": "not finished"}


def test_an_outlier_is_named_within_its_task_and_profile_once():
    sittings = [sitting(f"n{k}", f"p{k}", wrong=k % 2, draw=k) for k in range(8)]
    low = sitting("low", "x", wrong=9, draw=8)
    elsewhere = [sitting(f"t{k}", f"q{k}", "shape", wrong=8, draw=k) for k in range(3)]
    two = [sitting(f"u{k}", f"r{k}", wrong=9 * k, draw=k, profile="as_published") for k in range(2)]
    table = people.log(frame(*sittings, low, *elsewhere, *two)).set_index("sitting")
    assert table.reason[table.reason != ""].to_dict() == {"low": "outlier"}
    right = np.array([0.9 if k % 2 else 1.0 for k in range(8)] + [0.1])
    g = np.abs(right - right.mean()).max() / right.std(ddof=1)
    t = stats.t.isf(0.05 / 18, 7)
    assert g > 8 / 3 * math.sqrt(t**2 / (7 + t**2))  # by hand: it is one at .05
    strict = people.log(frame(*sittings, low), alpha=1e-12)
    assert strict.kept.all()


def test_other_rows_are_no_part_of_it():
    strangers = frame(sitting("m")).assign(kind="model"), frame(sitting("t")).assign(instrument="tiles")
    for trials in (*strangers, pd.DataFrame(columns=TRIAL_COLUMNS)):
        assert people.log(trials).empty and people.rows(trials).empty


# Rows, and errors


def test_rows_of_people_and_of_all_who_count():
    trials = frame(sitting("s0", "a", wrong=2), sitting("s1", "b", wrong=5), sitting("s2", "c", wrong=1, missed=2))
    table = people.rows(trials, you="b")
    assert list(table) == list(RESULT_COLUMNS) and set(table.kind) == {"person"} and set(table.metric) == {"accuracy"}
    rows = table.set_index("who")
    assert rows.value[["a", "you", "c"]].tolist() == [0.8, 0.5, 0.9] and rows.n["a"] == 10
    assert (rows.low["you"], rows.high["you"]) == pytest.approx(proportion_confint(5, 10, method="wilson"))
    assert rows.source["c"] == "sitting, attention failed" and rows.source["a"] == "sitting"
    total = rows.loc["people here"]
    reach = 12.706204736174694 * np.std([0.8, 0.5], ddof=1) / math.sqrt(2)  # t of one degree of freedom, from a table
    assert (total.value, total.n, total.source) == (0.65, 2, "sittings")
    assert (total.low, total.high) == pytest.approx((0.65 - reach, 0.65 + reach))

    trials = frame(sitting("s0", "a", "shape", wrong=4, missed=2), sitting("s1", "b", "shape", wrong=3, draw=1))
    table = people.errors(trials)  # of test items only
    assert table.chosen.sum() == 7 and set(table.errors) == {7} and set(table.task) == {"shape"}
