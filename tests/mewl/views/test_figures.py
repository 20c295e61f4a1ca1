"""Figures show the numbers that they are given, every player where it belongs, and say so in words."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.app.experiments import compare
from cogkit.core.contracts import InputError
from cogkit.mewl import scoring
from cogkit.mewl.learners import floors
from cogkit.mewl.paper import reported
from cogkit.mewl.problems import making, patterns
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.views import figures
from cogkit.ui import theme


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    table = compare("mewl/text-alone", "mewl/literal-listener", "mewl/ideal-learner", episodes=20)
    you = table[(table.who == "ideal learner") & (table.task == "shape")].assign(who="you", kind="person", value=0.7)
    return pd.concat([table, reported.result_rows(), you], ignore_index=True)


def test_everybody_stands_in_a_row_with_a_mark_a_task(rows):
    figure = figures.everybody(rows)
    assert [note.text for note in figure.layout.annotations[:9]] == list(TASKS)
    names = figure.layout.yaxis.ticktext
    assert names[0] == "ideal observer" and names[-1] == "text alone"  # observers above, floors below
    assert "BERT (captions)" in names and "people" in names and "you" in names
    marks = {}
    for trace in figure.data:
        column = int((trace.xaxis or "x").removeprefix("x") or 1) - 1
        for x, label in zip(trace.x, trace.customdata, strict=True):
            marks[label.rpartition(", n ")[0], TASKS[column]] = x
    accuracy = rows[(rows.metric == "accuracy") & rows.task.isin(TASKS)]
    assert len(marks) == len(accuracy)
    for row in accuracy.itertuples():
        name = f"{row.who} ({row.inputs})" if row.kind == "model" else row.who.replace("learner", "observer")
        assert marks[name, row.task] == row.value
    symbols = {label.rpartition(", n ")[0]: trace.marker for trace in figure.data for label in trace.customdata}
    assert symbols["you"].symbol == theme.WHO["you"].symbol and symbols["people"].symbol == "circle"
    assert symbols["BERT (captions)"].symbol == "circle-open"
    text = figure.layout.meta["alt"]
    assert "people: shape 0.924" in text and "one in five" in figure.layout.title.text


def test_wrong_names_stand_beside_what_chance_would_choose():
    episodes = making.episodes_of("shape", n=60)
    choices = scoring.judge(floors.reference("propose-but-verify"), episodes).choices
    table = patterns.errors(episodes, choices.tolist())
    figure = figures.wrong(table)
    marks, chance = figure.data
    assert list(marks.x) == table.share.tolist() and list(chance.x) == table.at_random.tolist()
    assert marks.marker.symbol == "circle" and chance.marker.symbol == "line-ns-open"  # ○ is for printed values
    assert list(figure.layout.yaxis.ticktext) == table.kind.tolist()


def test_nothing_to_show_is_told(rows):
    with pytest.raises(InputError, match="no accuracy on a task"):
        figures.everybody(rows[rows.metric != "accuracy"])
    with pytest.raises(InputError, match="no wrong answer"):
        figures.wrong(patterns.errors([], []))
