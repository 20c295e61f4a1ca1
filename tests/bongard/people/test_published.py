"""People's rows from trials made by hand: scores, and rows that stand beside machines."""

from __future__ import annotations

import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from cogkit.bongard.people import published as people
from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS

TYPES = ("FF", "BA", "abstract")
OTHER = {"positive": "negative", "negative": "positive"}


def row(sitting, who, task, item, order=0, response="positive", side="positive", query=0, rt_s=1.0, **fields) -> dict:
    base = dict.fromkeys(TRIAL_COLUMNS) | {"instrument": "bongard", "kind": "person", "seed": 5, "profile": "verified"}
    correct = int(response == side)
    extra = {"phase": "answer", "side": side, "query": query, "concept": ["nact9"], "position": order, "done": True}
    base |= {"sitting": sitting, "who": who, "task": task, "item": item, "order": order, "response": response}
    return base | {"correct": correct, "score": float(correct), "rt_s": rt_s, "extra": extra} | fields


def answers(sitting, who, task, right, problems=20, rt_s=1.0) -> list[dict]:
    """Both answers to some problems of a type; ``right`` of the problems are right in both, the others in none."""
    rows = []
    for k in range(problems):
        for query, side in enumerate(("positive", "negative") if k % 2 else ("negative", "positive")):
            item, response = f"{task}_nact9_{k:04d}/{query + 1}", side if k < right else OTHER[side]
            rows.append(row(sitting, who, task, item, 2 * k + query, response, side, query, rt_s))
    return rows


def sitting(name, who, right, rt_s=1.0, read_s=10.0) -> list[dict]:
    """A whole sitting; ``right`` problems of each type."""
    page = {"response": "read", "rt_s": read_s, "correct": None, "score": None, "extra": {"phase": "instructions"}}
    rows = [row(name, who, task, f"instructions/{task}") | page for task in TYPES]
    for task, count in zip(TYPES, right, strict=True):
        rows += answers(name, who, task, count, rt_s=rt_s)
    return rows


def frame(*parts) -> pd.DataFrame:
    return pd.DataFrame([record for part in parts for record in part], columns=list(TRIAL_COLUMNS))


def test_scores_of_one_person():
    table = people.scores(frame(sitting("s", "a", (15, 20, 9), rt_s=2.0, read_s=30.0))).set_index("task")
    assert table.right.to_dict() == table["first"].to_dict() == {"FF": 0.75, "BA": 1.0, "abstract": 0.45}
    assert table.instructions_s.tolist() == [30.0] * 3 and set(table.total_s) == {90 + 120 * 2.0}
    (unclocked,) = set(people.scores(frame(sitting("s", "a", (9,) * 3, rt_s=None))).total_s.isna())
    assert unclocked
    # The first query always right, the second always wrong: what is said of the first is said of the second.
    rows = [row("s", "a", "FF", f"p_{k}/{q + 1}", side=s, query=q) for k in range(8) for q, s in enumerate(OTHER)]
    (line,) = people.scores(frame(rows)).itertuples()
    assert (line.right, line.first, line.problems) == (0.5, 1.0, 8)


def test_half_a_problem_is_left_out_and_a_first_answer_stands():
    rows = answers("s", "a", "FF", 3, problems=4)[:-1]
    (person,) = people.from_trials(frame(rows, [rows[0] | {"response": OTHER[rows[0]["response"]]}]))
    assert len(person.names) == 3 and person.right.all()
    assert person.concepts == (("nact9",),) * 3 and (person.places == 6).all()


def test_other_rows_are_no_part_of_it_and_nobody_has_no_rows():
    begin = row("s", "a", "verified/3", "begin", response="verified/3", extra={"order": [0]})
    strangers = [row("m", "x", "FF", "p/1", kind="model"), row("t", "a", "copy", "p/1", instrument="tiles")]
    table = frame([begin], answers("s", "a", "FF", 2, problems=2), strangers)
    assert [person.who for person in people.from_trials(table)] == ["a"]
    for rows in (strangers, []):
        assert people.scores(frame(rows)).empty and "total_s" in people.scores(frame(rows))
        assert people.rows(frame(rows)).empty and list(people.rows(frame(rows))) == list(RESULT_COLUMNS)


def test_rows_of_people():
    """Of four whole sittings, of 480, 120, 360 and 240 s of answers, which right in 10, 12, 14 and 16 of twenty."""
    seconds = enumerate((4.0, 1.0, 3.0, 2.0))
    four = frame(*(sitting(f"s{k}", f"p{k}", (10 + 2 * k,) * 3, rt_s) for k, rt_s in seconds))
    table = people.rows(four, you="p2")
    assert list(table) == list(RESULT_COLUMNS) and set(table.kind) == {"person"}
    accuracy = table[table.metric == "accuracy"].set_index(["who", "task"])
    assert set(accuracy.index.get_level_values("who")) == {"p0", "p1", "you", "p3"}
    mine = accuracy.loc[("you", "BA")]
    assert mine.value == 0.7 and mine.n == 40 and mine.interval == "95% Wilson, problems"
    assert (mine.low, mine.high) == pytest.approx(proportion_confint(14, 20, method="wilson"))  # both right or none
    seconds = table[table.metric.str.startswith("seconds")].set_index(["who", "metric", "task"]).value
    assert seconds["you", "seconds", "all"] == 30 + 120 * 3.0
    assert seconds["you", "seconds, instructions", "FF"] == 10.0 and len(seconds) == 16
