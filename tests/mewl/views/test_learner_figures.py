"""Figures of learners show the numbers that they are given, tell who is who, and say so in words."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.app.experiments import compare
from cogkit.core.contracts import InputError
from cogkit.mewl import scoring
from cogkit.mewl.learners import ablation
from cogkit.mewl.learners import floors as references
from cogkit.mewl.paper import reported
from cogkit.mewl.problems import making, patterns
from cogkit.mewl.views import figures, learner_figures
from cogkit.ui import theme

pytestmark = pytest.mark.usefixtures("one_thread")


def test_growth_has_a_line_each_and_two_observers_can_be_told_apart():
    learners = references.reference("ideal-learner"), ablation.told("shape"), references.reference("text-alone")
    table = ablation.growth(learners, making.episodes_of("shape", n=20))
    rows = table[table.who == "text alone"].assign(who="your network", kind="yours")
    you = rows.tail(1).assign(who="you", kind="you", value=0.75, n=4)
    figure = learner_figures.growth(pd.concat([table, rows, you]))
    stored = [*dict.fromkeys(table.who), "your network"]
    names = ["ideal observer", "ideal observer told: shape", "text alone", "your network", "you"]
    assert [trace.name for trace in figure.data] == names
    for trace, who in zip(figure.data, stored, strict=False):
        lines = pd.concat([table, rows])
        assert list(trace.y) == lines.value[lines.who == who].tolist()
        assert list(trace.x) == list(range(7))
    first, second, text, network, star = figure.data
    assert (first.line.dash, text.line.dash) == ("dot", "dash") and second.line.dash not in ("dot", "dash")
    assert (list(star.x), list(star.y), star.marker.symbol) == ([6], [0.75], "star")  # you saw all six
    assert network.line.color == theme.WHO["yours"].colour and network.marker.symbol == "diamond"
    names = [note.text for note in figure.layout.annotations]
    assert "····· ideal observer" in names and "★ you" in names and "◆ your network" in names
    title = figure.layout.title.text.replace("<br>", " ")
    assert "n = 20 episodes" in title and "on 4 episodes of your own" in title
    many = pd.concat([table[table.who == "text alone"].assign(who=f"floor {k}") for k in range(6)])
    with pytest.raises(InputError, match="of the kind floor"):
        learner_figures.growth(many)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    names = ["elimination", "text-alone", "query-alone", "ideal-learner", "associative-learner", "literal-listener"]
    table = compare(*[f"mewl/{name}" for name in names], episodes=20)
    floors = table[table.kind.isin(["floor", "observer"])].assign(profile="as_published")
    floors = floors.assign(value=floors.value.where(floors.kind != "floor", floors.value + 0.1))
    you = table[(table.who == "ideal learner") & (table.task == "shape") & (table.metric == "accuracy")]
    you = you.assign(who="you", kind="person", inputs="pixels", value=0.7)
    return pd.concat([table, floors, you, reported.result_rows()], ignore_index=True)


def marks(figure) -> dict:
    """Return what stands where: column and line to pairs of who and share."""
    lines = {
        value: text for value, text in zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True)
    }
    points = {}
    for trace in figure.data:
        column = int((trace.xaxis or "x").removeprefix("x") or 1) - 1
        who = trace.hovertemplate.partition("<br>")[0]
        for x, y in zip(trace.x, trace.y, strict=True):
            points.setdefault((column, lines[y].replace("&nbsp;", "")), set()).add((who, round(float(x), 6)))
    return points


def test_everybody_stands_under_what_they_are_given_with_the_floors_of_their_own_episodes(rows):
    figure = figures.by_inputs(rows)
    names = [name.replace("&nbsp;", "") for name in figure.layout.yaxis.ticktext]
    heads = [name for name in names if name.startswith("<b>")]
    assert heads == [
        "<b>look at pictures</b>", "<b>slots found by a network</b>", "<b>read captions</b>",
        "<b>given scenes as they are</b>",
    ]  # fmt: skip
    assert names[1:3] == ["people", "you"] and "elimination" not in names
    changed = rows[rows.who == "ideal learner"].assign(who="slot word learner, all tasks, a tenth of the episodes")
    more = pd.concat([rows, changed.assign(kind="model")])  # these stand in a table of their own
    assert figures.by_inputs(more).layout.yaxis.ticktext == figure.layout.yaxis.ticktext
    assert marks(figures.one_task(more, "shape")) == marks(figures.one_task(rows, "shape"))
    assert names.index("BERT") > names.index("<b>read captions</b>") > names.index("Aloe")
    value = rows[rows.metric == "accuracy"].set_index(["who", "profile", "task"]).value
    points = marks(figure)
    shares = {share for who, share in points[0, "you"]}
    assert shares == {0.7, round(value["text alone", "verified", "shape"], 6), 1.0}
    shares = {share for who, share in points[0, "BERT"]}
    assert shares == {0.948, round(value["text alone", "as_published", "shape"], 6), 1.0}
    relation = {who: share for who, share in points[5, "associative learner"]}
    assert relation["query alone"] == round(value["query alone", "verified", "relation"], 6)  # the best shortcut there


def test_one_task_has_shares_and_how_far_above_text_alone_they_are(rows):
    points = marks(figures.one_task(rows, "shape"))
    text = rows[(rows.who == "text alone") & (rows.task == "shape") & (rows.metric == "accuracy")]
    floor = text.set_index("profile").value
    (above,) = points[1, "people"]
    assert above == ("people", round((0.924 - floor["as_published"]) / (1 - floor["as_published"]), 6))
    assert ("text alone", round(floor["verified"], 6)) in points[0, "associative learner"]
    assert not any("elimination" in line or "random" in line for _, line in points)  # no more than text alone
    assert (2, "associative learner") not in points
    pairs = marks(figures.one_task(rows, "composite"))
    assert any(column == 2 for column, _ in pairs)
    assert "literal listener" in {line for _, line in marks(figures.one_task(rows, "pragmatic"))}


def test_wrong_names_of_several_stand_side_by_side():
    episodes = making.episodes_of("shape", n=60)
    tables = []
    for name in ("propose-but-verify", "associative-learner"):
        answers = scoring.judge(references.reference(name), episodes)
        tables.append(patterns.errors(episodes, answers.choices.tolist()).assign(who=answers.who))
    figure = figures.wrong(pd.concat(tables))
    assert [note.text for note in figure.layout.annotations[:2]] == ["propose-but-<br>verify", "associative<br>learner"]
    traces = [trace for trace in figure.data if trace.marker.symbol == "circle"]
    assert [list(trace.x) for trace in traces] == [table.share.tolist() for table in tables]


def test_nothing_to_show_is_told(rows):
    with pytest.raises(InputError, match="no accuracy of anybody"):
        figures.by_inputs(rows[rows.kind == "floor"])
    with pytest.raises(InputError, match="no accuracy of anybody"):
        figures.one_task(rows[rows.task != "shape"], "shape")


def test_what_networks_reach_is_a_table_of_names_that_people_read():
    common = {"metric": "accuracy", "inputs": "true slots", "supervision": "answers", "n": 600, "seed": 0}
    row = common | {"cell": "mewl/slot-word-learner/shape", "who": "slot word learner"}
    rows = pd.DataFrame([row | {"task": "shape", "value": 0.98}, row | {"task": "train/shape", "value": 1.0}])
    table = learner_figures.reached(rows, "shape")
    assert table.frame.columns.tolist() == [
        "who", "supervision", "runs", "value", "low", "high", "training"
    ]  # fmt: skip
    text = table._repr_html_()
    assert "slot word learner" in text and "0.98" in text and "learns from" in text
