"""Figures of architectures draw what is in their tables, and say it in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from networked import TASKS, result_rows

from cogkit.core.contracts import RESULT_COLUMNS, InputError
from cogkit.tiles.paper import architectures, preference
from cogkit.tiles.rules import RULES
from cogkit.tiles.views import architecture_figures, figures
from cogkit.ui.alt import describe


def z(who: str, task: str, seed: int) -> float:
    return -len(who) + TASKS.index(task) / 4 + 0.3 * (seed - 1) * (1 + TASKS.index(task) % 3)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return result_rows(z, ["EPN", "CoRelNet"])


def placed(figure) -> dict:
    """Return the drawn traces by panel and row."""
    axes = {axis.plotly_name[1:].replace("axis", ""): axis for axis in figure.select_yaxes()}
    first = next(iter(axes.values()))
    found = {}
    for trace in figure.data:
        axis = axes[trace.yaxis[1:]] if axes[trace.yaxis[1:]].ticktext else first
        names = dict(zip(axis.tickvals, axis.ticktext, strict=True))
        for x, y in zip(trace.x, trace.y, strict=True):
            found.setdefault((trace.yaxis, names[round(y)]), []).append((x, trace.marker.symbol, trace))
    return found


def test_fig_s7_has_both_kinds_of_boards_of_people_and_architectures(rows):
    table = architectures.means(rows, "bundled")
    figure = architecture_figures.architectures(table)
    assert [note.text for note in figure.layout.annotations[:8]] == list(RULES)
    drawn = placed(figure)
    assert len(drawn) == 8 * 3 and sum(map(len, drawn.values())) == len(table) == 48
    for row in table.itertuples():
        panel = RULES.index(row.rule)
        marks = drawn["y" if panel == 0 else f"y{panel + 1}", row.who]
        hollow = row.kind == "metamer"
        (value, symbol, trace), = [mark for mark in marks if str(mark[1]).endswith("-open") == hollow]  # fmt: skip
        assert value == row.value and symbol.startswith("circle" if row.who == "people" else "diamond")
        assert trace.error_x.array[0] == pytest.approx(row.high - row.value)
    assert "49–50 people and 3 networks" in figure.layout.title.text
    assert f"EPN: copy rule {z('EPN', 'copy/abstract', 1):.2f}, copy metamers" in describe(figure)


def test_fig_4_has_a_t_for_each_rule_and_for_all(rows):
    table = architectures.comparisons(rows, "bundled")
    drawn = placed(architecture_figures.preferences(table))
    for who in ("people", "EPN", "CoRelNet"):
        part, marks = table[table.who == who], drawn["y", who]
        assert [mark[0] for mark in marks] == part.t.tolist()
        large = [mark[0] for mark in marks if mark[2].marker.size > 5]
        assert large == [part.t[part.rule == "all"].item()]
    figure = architecture_figures.preferences(table)
    assert list(figure.layout.yaxis.ticktext) == ["people", "EPN", "CoRelNet"]
    assert "people: copy 7.06" in describe(figure) and "all rules 13.81" in describe(figure)  # as the paper's tests


def test_a_rule_without_a_test_has_no_mark_in_fig_4():
    table = architectures.comparisons(result_rows(z, ["EPN"], seeds=1), "bundled")
    figure = architecture_figures.preferences(table)
    assert sum(len(trace.x) for trace in figure.data) == 10 and np.isfinite([t.x[0] for t in figure.data]).all()


def logged(who: str, shift: float, seed: int = 0) -> pd.DataFrame:
    cells = [
        (task, f"blue, click {clicks}", 20.0 - 5 * k + shift + TASKS.index(task) / 10)
        for task in TASKS for k, clicks in enumerate((100_000, 1_000_000))
    ]  # fmt: skip
    table = pd.DataFrame(cells, columns=["task", "metric", "value"])
    return table.assign(who=who, kind="model", seed=seed).reindex(columns=list(RESULT_COLUMNS))


def test_fig_s4_has_a_panel_for_each_architecture_and_a_line_for_each_task(rows):
    logs = pd.concat([logged("EPN", 0), logged("EPN", 2, seed=1), logged("LSTM", -4)])
    figure = architecture_figures.curves(pd.concat([rows[rows.kind == "floor"], logs]))
    assert [note.text for note in figure.layout.annotations[:2]] == ["LSTM", "EPN"]
    for axis, shift in (("y", -4), ("y2", 1)):  # seeds are averaged
        thin, thick = (
            [t for t in figure.data if t.yaxis == axis and (t.line.width == 1) == one] for one in (True, False)
        )
        assert len(thin) == 16 and len(thick) == 2
        for trace in thin:
            task = next(task for task in TASKS if f", {task}<" in trace.hovertemplate)
            expected = [20 + shift + TASKS.index(task) / 10, 15 + shift + TASKS.index(task) / 10]
            assert list(trace.x) == [0.1, 1.0] and list(trace.y) == pytest.approx(expected)
            assert trace.line.dash == ("solid" if task.endswith("abstract") else "dot")
        # Abstract tasks are at places 0, 2, …, 14 of the list: their mean place is 7, that of metamers 8.
        assert [list(t.y) for t in thick] == [pytest.approx([20 + shift + m, 15 + shift + m]) for m in (0.7, 0.8)]
    assert {shape.y0 for shape in figure.layout.shapes} == {12.5} and "EPN, rule: 16.70" in describe(figure)
    with pytest.raises(InputError, match="training curve"):
        architecture_figures.curves(rows[rows.metric == "z"])


def test_the_mean_of_curves_is_drawn_where_all_tasks_were_measured():
    one = logged("EPN", 0)
    late = pd.DataFrame({"task": ["copy/abstract"], "metric": "blue, click 2000000", "value": 1.0, "who": "EPN"})
    figure = architecture_figures.curves(pd.concat([one, late.assign(kind="model", seed=0)]))
    thick = [t for t in figure.data if t.line.width == 2.5]
    assert [list(t.x) for t in thick] == [[0.1, 1.0]] * 2 and not figure.layout.shapes


def test_fig_s8_is_the_matrix_with_its_diagonal_boxed():
    pairs = [(a, b) for a in TASKS for b in TASKS]
    table = pd.DataFrame(pairs, columns=["trained", "tested"])
    table = table.assign(value=[TASKS.index(a) - 3.0 * (a == b) for a, b in pairs], who="LSTM", n=25)
    figure = architecture_figures.matrix(table.sample(frac=1, random_state=0))
    heat, boxes = figure.data
    order = [*TASKS[::2], *TASKS[1::2]]  # rules, then metamers
    assert np.array_equal(heat.z, [[TASKS.index(a) - 3.0 * (a == b) for b in order] for a in order])
    assert list(figure.layout.xaxis.ticktext) == list(figure.layout.yaxis.ticktext) == [
        task.replace("/abstract", "").replace("/", " ") for task in order
    ]  # fmt: skip
    assert heat.customdata[8][0] == "trained on copy metamer, tested on copy" and heat.reversescale
    corners = np.array([boxes.x, boxes.y], float).T.reshape(16, 6, 2)[:, :5]
    assert np.array_equal(corners.mean(axis=1).round(), np.repeat(np.arange(16)[:, None], 2, axis=1))
    assert "LSTM" in figure.layout.title.text and "own task 4.50, on another's 7.50" in describe(figure)
    # Without the diagonal each row has its own number, so that the text gives it less 3/16.
    assert "copy metamer: 0.81" in describe(figure)


def test_preferences_can_be_drawn_as_a_forest(rows):
    table = preference.gaps(rows, source="bundled")  # ours have no spread, and no interval
    figure, drawn = figures.gaps(table), table.dropna(subset="estimate")
    assert list(figure.data[0].x) == drawn.estimate.tolist() and len(drawn) == 4 < len(table)
    # A gap is the rule minus its metamers, and fewer blue tiles are better: people, left of zero, find the rule easier.
    assert figure.layout.xaxis.title.text.startswith("z, rule minus metamers") and "rule easier ←" in str(figure.layout)
    assert drawn[drawn.analysis == "people"].estimate.item() < -1


def test_ceilings_tell_points_from_boards_and_more_clicks_from_few():
    cells = [  # rule, taught, clicks, symbol
        ("copy", "points", 2_000_000, "diamond"), ("copy", "points", 24_576_000, "star-diamond"),
        ("copy", "boards", 1_999_872, "diamond-open"), ("zigzag", "points", 2_000_000, "diamond"),
    ]  # fmt: skip
    rows = [
        (who, rule, taught, clicks, k / 10 - 0.2, k / 10 - 0.4, k / 10 + 0.1, 3, symbol)
        for k, (who, (rule, taught, clicks, symbol)) in enumerate(
            (w, c) for w in ("convolutional", "EPN") for c in cells
        )
    ]
    table = pd.DataFrame(rows, columns=["who", "rule", "taught", "clicks", "value", "low", "high", "n", "symbol"])
    figure = architecture_figures.ceilings(table.drop(columns="symbol").sample(frac=1, random_state=0))
    assert [note.text for note in figure.layout.annotations[:2]] == ["EPN", "convolutional"]  # the order of the house
    drawn = placed(figure)
    assert sum(map(len, drawn.values())) == len(table)
    heights = {}
    for row in table.itertuples():
        marks = drawn["y" if row.who == "EPN" else "y2", row.rule]
        (found,) = [mark for mark in marks if mark[1] == row.symbol]
        assert found[0] == row.value and found[2].error_x.array[0] == pytest.approx(row.high - row.value)
        heights[row.who, row.rule, row.symbol] = found[2].y[list(found[2].x).index(row.value)]
    assert len(set(heights.values())) == 4  # no mark of a row hides another
    assert "EPN, shown the boards, 2.0 million clicks: copy 0.40" in describe(figure)
    assert {shape.x0 for shape in figure.layout.shapes} == {0, 1}
