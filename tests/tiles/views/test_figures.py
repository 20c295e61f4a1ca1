"""Each figure draws the numbers of its table, each in the right place, and says them in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from networked import TASKS, result_rows

from cogkit.core.records import RESULT_COLUMNS
from cogkit.tiles.paper import architectures, preference
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.orders import ORDERS
from cogkit.tiles.views import agent_figures, architecture_figures, figures, metamer_figures
from cogkit.ui.alt import describe

KINDS = ("abstract", "metamer")


def panels(figure) -> dict[tuple[str, str], list]:
    """Return the drawn (x, symbol) by panel and by the name of the row that stands at its height."""
    axes = {axis.plotly_name[1:].replace("axis", ""): axis for axis in figure.select_yaxes()}
    first = next(iter(axes.values()))
    points = {}
    for trace in figure.data:
        axis = axes[trace.yaxis[1:]] if axes[trace.yaxis[1:]].ticktext else first
        names = dict(zip(axis.tickvals, axis.ticktext, strict=True))
        for x, y in zip(trace.x, trace.y, strict=True):
            points.setdefault((trace.yaxis, names[round(y)]), []).append((x, str(trace.marker.symbol)))
    return points


def panel(number: int) -> str:
    return "y" if number == 0 else f"y{number + 1}"


# --- people and players ---------------------------------------------------------------------------------------------


def test_people_and_agents_are_a_dot_each_and_every_cell_has_its_mean_and_the_reader_a_star():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame([
        {"rule": rule, "kind": kind, "who": who, "z": rng.normal()}
        for rule in RULES for kind in KINDS for who, n in (("person", 6), ("agent", 3)) for _ in range(n)
    ])  # fmt: skip
    cells = frame.groupby(["rule", "kind", "who"]).z.agg(n="size", mean="mean", sd="std").reset_index()
    you = pd.DataFrame([{"task": "tree/metamer", "metric": m, "value": v} for m, v in (("z", -2.5), ("blue", 3.0))])
    pinned = pd.DataFrame([{"rule": "copy", "kind": "abstract"}])
    figure = figures.people_and_agents(cells, frame, you=you, pinned=pinned)
    dots = np.concatenate([np.asarray(t.y) for t in figure.data if t.mode == "markers" and t.marker.opacity == 0.45])
    assert sorted(dots) == sorted(frame.z)
    means = np.concatenate([np.asarray(t.y, float) for t in figure.data if t.name.startswith("mean of")])
    assert sorted(means) == pytest.approx(sorted(cells["mean"]))
    assert len([t for t in figure.data if str(t.marker.symbol).endswith("-open")]) == 2  # its dots and its mean
    assert "1 agent cells are pinned" in describe(figure)
    stars = [t for t in figure.data if t.marker.symbol == "star" and len(t.y)]
    assert [(list(t.x), list(t.y)) for t in stars] == [([1], [-2.5])]
    nobody = figures.people_and_agents(cells, you=you[:0])  # a reader who has played no board yet
    assert not [t for t in nobody.data if t.marker.symbol == "star"]


def test_everybody_stands_in_a_labelled_row_and_the_star_is_the_reader_alone():
    rows = [
        ("random", "floor", 8.0, ""), ("LSTM", "model", -3.0, ""), ("you", "person", -2.0, ""),
        ("Bayes-greedy", "observer", -6.0, ""), ("lstm (Kumar et al. 2023)", "model", 6.2, "Kumar et al. 2023"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["who", "kind", "value", "source"])
    table = table.assign(task="copy/abstract", metric="z", low=-9.0, high=9.0, n=25)
    figure = figures.players(pd.concat([table, table.assign(metric="blue", value=99.0)]))
    assert panels(figure) == {
        ("y", "you"): [(-2.0, "star")], ("y", "LSTM"): [(-3.0, "diamond"), (6.2, "circle-open")],
        ("y", "random"): [(8.0, "line-ns-open")], ("y", "ideal observer"): [(-6.0, "line-ns-open")],
    }  # fmt: skip
    assert "LSTM: copy/abstract -3.00" in describe(figure) and "LSTM (paper): copy/abstract 6.20" in describe(figure)
    eight = pd.concat([table[:1].assign(task=f"{rule}/abstract", value=k) for k, rule in enumerate(RULES)])
    assert panels(figures.players(eight)) == {(panel(k), "random"): [(k, "line-ns-open")] for k in range(8)}


def test_boards_and_blue_counts():
    boards = {rule: np.stack([np.eye(7), np.tri(7)]) for rule in RULES[:3]}
    sheet = np.asarray(figures.gallery(boards, "t").data[0].z, float)
    assert (sheet[:7, :7] == np.eye(7)).all() and (sheet[18:25, 9:16] == np.tri(7)).all()
    figure = figures.blue_counts(np.array([1, 1, 3, 3]), ideal=0.5, you=2)
    assert list(figure.data[0].y) == [0, 0.5, 0, 0.5]
    assert "ideal observer 0.5" in describe(figure) and "★ you 2.0" in describe(figure)


def test_differences_estimates_and_gaps_are_one_mark_a_row():
    table = pd.DataFrame([
        {"rule": r, "who": w, "difference": d, "low": d - 1, "high": d + 1, "pinned": r == "copy"}
        for w, d in (("person", -1.0), ("agent", 1.0)) for r in RULES
    ])  # fmt: skip
    assert sorted(y for t in figures.differences(table).data for y in t.y) == [-1.0] * 8 + [1.0] * 8
    table = pd.DataFrame({"analysis": ["a", "b"], "estimate": [1.0, 2.0], "low": [0, 1], "high": [2, 3], "note": ""})
    assert list(figures.estimates(table).data[0].x) == [1.0, 2.0]
    table = preference.gaps(result_rows(scattered, ["EPN", "CoRelNet"]), source="bundled")
    figure, drawn = figures.gaps(table), table.dropna(subset="estimate")
    assert list(figure.data[0].x) == drawn.estimate.tolist() and len(drawn) == 4 < len(table)
    # A gap is the rule minus its metamers, and fewer blue tiles are better: people, left of zero, find the rule easier.
    assert figure.layout.xaxis.title.text.startswith("z, rule minus metamers") and "rule easier ←" in str(figure.layout)
    assert drawn[drawn.analysis == "people"].estimate.item() < -1


# --- agents ---------------------------------------------------------------------------------------------------------


def test_learning_curves_draw_both_kinds_of_boards_and_the_levels():
    clicks = np.array([1e5, 2e5, 3e5])
    logs = {
        name: pd.DataFrame({"clicks": clicks, "blue": [20, 10, 5 + k], "validation": [np.nan, 12, 7 + k]})
        for k, name in enumerate(("seed 0", "yours"))
    }
    figure = agent_figures.learning_curves(logs, {"floor": 11.85, "observer": 2.27}, "rectangle/abstract")
    drawn = [(list(line.x), list(line.y)) for line in figure.data]  # where both were taken
    assert drawn == [([0.2, 0.3], y) for y in ([10, 5], [12, 7], [10, 6], [12, 8])]
    assert sorted(shape.y0 for shape in figure.layout.shapes) == [2.27, 11.85]
    assert "yours ends at 6.00 blue tiles on training boards and 8.00" in describe(figure)
    for steps in (0, 2):  # stopped before its first validation
        short = pd.DataFrame({"clicks": clicks[:2], "blue": [30.0, 28.0]}).head(steps)
        drawn = agent_figures.learning_curves({"yours": short}, {}).data
        assert [list(line.y) for line in drawn][:1] == [[30.0, 28.0]][: steps // 2]


def test_pinned_cells_have_a_panel_each():
    tasks = ["copy/abstract", "cross/metamer"]
    pinned = pd.DataFrame({"rule": ["copy", "cross"], "kind": KINDS, "constant": [6.2, 8.8]})
    never = pd.DataFrame({"task": tasks, "metric": "z", "value": [6.1, 8.9]})
    profiles = ["as_published", "verified"] * 2
    ours = pd.DataFrame({"task": np.repeat(tasks, 2), "profile": profiles, "z": [6.0, -5.7, 8.7, -3.1]})
    drawn = panels(agent_figures.stuck(pinned, never, ours))
    for axis, values in (("y", [-5.7, 6.0, 6.1, 6.2]), ("y2", [-3.1, 8.7, 8.8, 8.9])):
        assert sorted(marks[0][0] for (where, _), marks in drawn.items() if where == axis) == values
    assert drawn["y", "our network, corrected test"] == [(-5.7, "diamond")]


def test_transfer_draws_agents_on_both_kinds_of_boards():
    rows = [
        ("EPN", rule, trained, tested, k - 4.0, k - 5.0, k - 2.5, 25)
        for k, (rule, trained, tested) in enumerate((r, a, b) for r in ("copy", "tree") for a in KINDS for b in KINDS)
    ]
    table = pd.DataFrame(rows, columns=["who", "rule", "trained", "tested", "value", "low", "high", "n"])
    drawn, words = panels(agent_figures.transfer(table)), {"abstract": "rule", "metamer": "metamers"}
    for row in table.itertuples():
        mark = "diamond" + "-open" * (row.trained == "metamer")
        name = f"{words[row.trained]} → {words[row.tested]}"
        assert drawn[panel(int(row.rule == "tree")), name] == [(row.value, mark)]
    assert "metamers → rule: copy -2.00, tree 2.00" in describe(agent_figures.transfer(table))


# --- architectures --------------------------------------------------------------------------------------------------


def scattered(who: str, task: str, seed: int) -> float:
    return -len(who) + TASKS.index(task) / 4 + 0.3 * (seed - 1) * (1 + TASKS.index(task) % 3)


def test_fig_s7_and_fig_4_hold_the_means_and_the_tests_of_people_and_architectures():
    rows = result_rows(scattered, ["EPN", "CoRelNet"])
    table = architectures.means(rows, "bundled")
    figure = architecture_figures.architectures(table)
    drawn = panels(figure)
    assert sum(map(len, drawn.values())) == len(table) == 48
    for row in table.itertuples():
        symbol = ("circle" if row.who == "people" else "diamond") + "-open" * (row.kind == "metamer")
        assert (row.value, symbol) in drawn[panel(RULES.index(row.rule)), row.who], row
    assert f"EPN: copy rule {scattered('EPN', 'copy/abstract', 1):.2f}, copy metamers" in describe(figure)
    table = architectures.comparisons(rows, "bundled")
    figure = architecture_figures.preferences(table)
    for who, part in table.groupby("who"):
        assert [x for x, _ in panels(figure)["y", who]] == part.t.tolist()
    assert "people: copy 7.06" in describe(figure) and "all rules 13.81" in describe(figure)  # as the paper's tests


def logged(who: str, shift: float, seed: int = 0) -> pd.DataFrame:
    cells = [
        (task, f"blue, click {clicks}", 20.0 - 5 * k + shift + TASKS.index(task) / 10)
        for task in TASKS for k, clicks in enumerate((100_000, 1_000_000))
    ]  # fmt: skip
    table = pd.DataFrame(cells, columns=["task", "metric", "value"])
    return table.assign(who=who, kind="model", seed=seed).reindex(columns=list(RESULT_COLUMNS))


def test_fig_s4_has_a_panel_for_each_architecture_and_a_line_for_each_task():
    rows = result_rows(scattered, ["EPN"])
    logs = pd.concat([logged("EPN", 0), logged("EPN", 2, seed=1), logged("LSTM", -4), logged("EPN, all rules", 9)])
    figure = architecture_figures.curves(pd.concat([rows[rows.kind == "floor"], logs]))
    for axis, shift in (("y", -4), ("y2", 1)):  # seeds are averaged
        lines = [(t.line.width == 1, list(t.y)) for t in figure.data if t.yaxis == axis]
        starts = sorted(start for thin, y in lines if thin for start in y[::3])  # a line's two points, and a gap
        assert starts == pytest.approx([20 + shift + k / 10 for k in range(16)])
        # Abstract tasks are at places 0, 2, …, 14 of the list: their mean place is 7, that of metamers 8.
        thick = [y[:2] for thin, y in lines if not thin]
        assert sorted(thick) == [pytest.approx([20 + shift + m, 15 + shift + m]) for m in (0.7, 0.8)]
    assert {shape.y0 for shape in figure.layout.shapes} == {12.5} and "EPN, rule: 16.70" in describe(figure)
    assert [title.text for title in figure.layout.annotations[:3]] == ["LSTM", "EPN", "EPN, all rules"]


def test_fig_s8_is_the_matrix_with_its_diagonal_boxed():
    pairs = [(a, b) for a in TASKS for b in TASKS]
    table = pd.DataFrame(pairs, columns=["trained", "tested"])
    table = table.assign(value=[TASKS.index(a) - 3.0 * (a == b) for a, b in pairs], who="LSTM", n=25)
    figure = architecture_figures.matrix(table.sample(frac=1, random_state=0))
    order = [*TASKS[::2], *TASKS[1::2]]  # rules, then metamers
    assert np.array_equal(figure.data[0].z, [[TASKS.index(a) - 3.0 * (a == b) for b in order] for a in order])
    assert figure.data[0].customdata[8][0] == "trained on copy metamer, tested on copy<br>z 1.00"
    assert "own task 4.50, on another's 7.50" in describe(figure)


def test_teaching_tells_points_from_boards_and_more_clicks_from_few():
    rows = [
        ("EPN", "copy", "points", 2_000_000, -0.2, "diamond"),
        ("EPN", "copy", "boards", 2_000_000, 0.4, "diamond-open"),
        ("convolutional", "copy", "points", 24_576_000, 0.6, "star-diamond"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["who", "rule", "taught", "clicks", "value", "symbol"])
    figure = architecture_figures.teaching(table.assign(low=table.value - 0.2, high=table.value + 0.3, n=3))
    for row in table.itertuples():  # the order of the house: EPN, convolutional
        assert (row.value, row.symbol) in panels(figure)[panel(int(row.who == "convolutional")), row.rule]
    assert "EPN, taught by boards, 2.0 million clicks: copy 0.40" in describe(figure)


# --- metamers -------------------------------------------------------------------------------------------------------


def test_the_strip_shows_each_second_sweep_with_its_reds():
    rng = np.random.default_rng(21)
    chain = rng.integers(0, 2, (21, 7, 7)).astype(np.uint8)
    chain[16] = 0  # chains may come to a board without a red tile
    figure = metamer_figures.strip(chain, "pyramid")
    sheet = np.asarray(figure.data[0].z, float)
    for place in range(11):
        assert (sheet[:, 9 * place : 9 * place + 7] == chain[2 * place]).all()
    assert f"{chain[20].sum()} after sweep 20" in describe(figure)


def test_quality_has_a_panel_a_share_and_a_row_a_rule():
    rows = [
        ("conditional network", "model", "accuracy", 0.9), ("always blue", "floor", "accuracy", 0.8),
        ("conditional network", "model", "kept", 0.4), ("conditional network", "model", "rule pass", 0.2),
        ("published metamers", "printed", "rule pass", 0.08), ("conditional network", "model", "distinct", 0.6),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["who", "kind", "metric", "value"]).assign(rule="copy", n=400)
    figure = metamer_figures.quality(table.assign(low=table.value - 0.05, high=table.value + 0.05))
    assert {(trace.xaxis, trace.marker.symbol, *trace.x) for trace in figure.data} == {
        ("x", "diamond", 0.9), ("x", "line-ns-open", 0.8), ("x2", "diamond", 0.4), ("x3", "diamond", 0.2),
        ("x3", "circle-open", 0.08), ("x4", "diamond", 0.6),
    }  # fmt: skip
    assert "conditional network, copy: kept 0.400" in describe(figure)


def test_orders_and_convergence_draw_means_and_intervals():
    table = pd.DataFrame([
        {"rule": rule, "kind": kind, "order": order, "mean": mean, "low": mean - 1, "high": mean + 2, "n": 1000}
        for k, order in enumerate(ORDERS) for i, kind in enumerate(KINDS) for j, rule in enumerate(RULES[::-1])
        for mean in [100.0 * k + 10 * i + j]
    ])  # fmt: skip
    figure = metamer_figures.orders(table)
    for trace, (order, kind) in zip(figure.data, [(o, k) for o in ORDERS for k in KINDS], strict=True):
        part = table[(table.order == order) & (table.kind == kind)].set_index("rule")["mean"]
        assert dict(zip(trace.x, trace.y, strict=True)) == part.to_dict() and set(trace.error_y.array) == {2}
    assert "second, pyramid: boards of the rule 102.0, its metamers 112.0" in describe(figure)
    table = pd.DataFrame([
        {"sweep": sweep, "statistic": name, "mean": k + sweep, "low": k + sweep - 0.5, "high": k + sweep + 1,
         "rhat": np.nan if sweep < 2 else 1 + 1 / sweep, "ess_bulk": 100.0}
        for k, name in enumerate(("reds", "first")) for sweep in range(5)
    ])  # fmt: skip
    figure = metamer_figures.convergence(table, "pyramid")
    marks = [trace for trace in figure.data if trace.mode != "none"]
    for k, axis in enumerate(("x", "x3")):
        assert [list(trace.y) for trace in marks if trace.xaxis == axis] == [[k + sweep for sweep in range(5)]]
    for axis in ("x2", "x4"):
        assert [list(trace.y) for trace in marks if trace.xaxis == axis] == [[1.5, 1 + 1 / 3, 1.25]]
    assert "reds 4.00, R̂ 1.250; first 5.00, R̂ 1.250" in describe(figure)


def test_equivalent_different_and_undecided_differ_in_shape_and_colour():
    rows = [
        ("copy", 0.05, 0.01, 0.09, True), ("symmetry", 0.8, 0.5, 1.1, False), ("tree", 0.1, -0.4, 0.6, False),
        ("pyramid", -0.9, -1.2, -0.6, False),
    ]  # fmt: skip
    table = pd.DataFrame([
        {"rule": rule, "order": order, "d": d, "low": low, "high": high, "margin": 0.2, "equivalent": same}
        for order in ORDERS for rule, d, low, high, same in rows
    ])  # fmt: skip
    assert metamer_figures.verdicts(table)[:4].tolist() == ["equivalent", "different", "undecided", "different"]
    figure = metamer_figures.equivalence(table)
    for column in range(4):
        marks = figure.data[3 * column : 3 * column + 3]
        assert [list(trace.x) for trace in marks] == [[0.05], [0.8, -0.9], [0.1]]
        assert len({trace.marker.symbol for trace in marks}) == len({trace.marker.color for trace in marks}) == 3
    assert "pyramid first -0.90 (different)" in describe(figure)
