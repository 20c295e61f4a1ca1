"""Figures hold what is in the tables, mark by mark, say so in words, and refuse tables that lack something."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from cogkit.generalization.views import figures, panels
from cogkit.ui.alt import describe

PEOPLE, MACHINES = "human proxies", "machines"
TASKS = {"Linear 0": (0.10, 0.15), "Linear 1": (0.20, 0.35), "Circles 0": (0.05, 0.04), "Iris 0": (0.11, 0.12)}


def scored(values: dict[str, tuple[float, float]]) -> pd.DataFrame:
    """Scores with GR* of proxies and machines by task."""
    sides = [(task, *side) for task, pair in values.items() for side in zip((PEOPLE, MACHINES), pair, strict=True)]
    table = pd.DataFrame(sides, columns=["task", "side", "gr_star"])
    accuracy = np.where(table.side == PEOPLE, 0.8, 0.9)
    return table.assign(family=table.task.str.split().str[0], alignment=0.25, accuracy=accuracy)


def curves(kind: str, accuracies: dict[str, list[float]], place: str = "", first: float = 1) -> pd.DataFrame:
    """Curves at levels 0 and 1 of both sides; GR* is a tenth of accuracy, and ``first`` times that at level 1."""
    table = pd.DataFrame(itertools.product(accuracies, (PEOPLE, MACHINES), (1, 0)), columns=["task", "side", "level"])
    table["accuracy"] = [accuracies[row.task][row.level] for row in table.itertuples()]
    return table.assign(curve=kind, place=place, gr_star=table.accuracy / 10 * np.where(table.level == 1, first, 1))


def marks(figure, axis: str = "x") -> list:
    return [t for t in figure.data if (t.xaxis or "x") == axis and t.type == "scatter" and "markers" in t.mode]


def lines_at(figure, axis: str = "x") -> set[float]:
    """Where upright lines stand in the panel of one x axis."""
    return {shape.x0 for shape in figure.layout.shapes if shape.xref == axis and shape.x0 == shape.x1}


def words(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def spots(figure, axis: str = "x") -> pd.DataFrame:
    """Every mark of a panel: its text, place and symbol, and its interval if it has one."""
    rows = []
    for t in marks(figure, axis):
        texts = [t.hovertemplate.removesuffix("<extra></extra>")] * len(t.x) if t.customdata is None else t.customdata
        ends = np.full((2, len(t.x)), np.nan)
        for error, centre in ((t.error_x, t.x), (t.error_y, t.y)):
            if error.array is not None:
                ends = np.array([centre - error.arrayminus, centre + error.array])
        rows.append(pd.DataFrame({"text": texts, "x": t.x, "y": t.y, "low": ends[0], "high": ends[1]}).assign(
            symbol=t.marker.symbol, dash=t.line.dash))  # fmt: skip
    return pd.concat(rows, ignore_index=True)


def test_the_map_has_a_mark_for_each_task_at_its_two_scores():
    mixed = scored(TASKS).sample(frac=1, random_state=3)  # sides of a task are found by name, not by place
    row = pd.DataFrame({"rho": [0.861], "n": [4], "low": [0.7], "high": [0.9]})
    figure = figures.map_of_tasks(mixed, row)
    cells = spots(figure)
    assert {row.text.split("<br>")[0]: (row.x, row.y) for row in cells.itertuples()} == TASKS
    assert "Linear 1<br>proxies: GR* 0.200, accuracy 0.800<br>machines: GR* 0.350, accuracy 0.900<br>D_align 0.25" in (
        set(cells.text))  # fmt: skip
    assert len({(t.marker.color, t.marker.symbol) for t in figure.data}) == 3
    assert "ρ = 0.86, 95 % [0.70, 0.90], n = 4 tasks" in figure.layout.title.text
    assert "ρ 0.86, 95 % [0.70, 0.90]. Machines score higher in 3 of 4 tasks" in describe(figure)


FAMILIES = pd.DataFrame({"family": ["Linear", "Circles", "Iris"], "n": [2, 1, 1]})
FAMILIES[["difference", "median"]] = [[0.1, 0.1], [-0.01, -0.01], [0.01, 0.01]]
FAMILIES[["low", "high", "p_adjusted"]] = [[0.02, 0.19, 2.1e-5], [np.nan] * 3, [np.nan] * 3]


def test_families_show_every_difference_and_test_no_single_task():
    figure = figures.families(scored(TASKS), FAMILIES)
    table = spots(figure)
    is_mean = table.symbol == "line-ew-open"
    dots = {row.text.split("<br>")[0]: row.y for row in table[~is_mean].itertuples()}
    assert dots == pytest.approx({name: machines - people for name, (people, machines) in TASKS.items()})
    assert table[is_mean][["y", "low", "high"]].to_numpy() == pytest.approx(np.array([[0.1, 0.02, 0.19]]))
    ticks = figure.layout.xaxis.ticktext
    assert ticks[0] == "<b>Linear</b><br>n = 2<br>p = 2.1·10⁻⁵" and all("no test" in tick for tick in ticks[1:])
    assert "Linear mean 0.100, median 0.100, n 2, p 2.1e-05; Circles" in describe(figure)
    assert "Iris mean 0.010, median 0.010, n 1, no inference." in describe(figure)


def test_sweeps_have_a_panel_for_each_constant_with_the_papers_marked():
    values = {"alpha": (0.25, 1, 4), "beta": (0, 0.5, 2), "gamma": (0.5, 1), "tau": (0, 0.2), "c0": (0.05, 0.6)}
    cells = [(name, value, side) for name, row in values.items() for side in (MACHINES, PEOPLE) for value in row[::-1]]
    table = pd.DataFrame(cells, columns=["constant", "value", "side"])
    table = table.assign(rho=1 - table.value / 40 - (table.side == MACHINES) / 100, n=62)
    figure = figures.rank_stability(table)
    axes = ["x", "x2", "x3", "x4", "x5"]
    for row, axis in zip(values.values(), axes, strict=True):
        by_side = {trace.marker.symbol: (list(trace.x), list(trace.y)) for trace in marks(figure, axis)}
        assert by_side["diamond"] == (list(row), pytest.approx([0.99 - value / 40 for value in row]))
        assert by_side["circle-open"] == (list(row), pytest.approx([1 - value / 40 for value in row]))
    assert [lines_at(figure, axis) for axis in axes] == [{1.0}, {0.5}, {1.0}, {0.2}, {0.15}]  # the paper, § 2
    assert "n = 62 tasks" in figure.layout.title.text and "alpha, machines: least ρ 0.890, at 4" in describe(figure)


CORRELATIONS = pd.DataFrame({"side": [PEOPLE, MACHINES], "with_accuracy": [0.71, 0.27], "n": [62, 62]}).assign(
    partial_rank=[0.92, 0.97], partial_linear=[0.81, -0.2], partial_rank_low=[0.9, 0.95], partial_rank_high=[0.93, 0.98]
)


def test_correlations_stand_beside_what_is_printed():
    printed = pd.DataFrame({"side": [MACHINES, PEOPLE], "with_accuracy": [0.54, 0.64], "partial_rank": [0.95, 0.85]})
    figure = figures.beyond_accuracy(CORRELATIONS, printed)
    top_down = spots(figure).sort_values("y", ascending=False)
    is_printed = top_down.symbol == "line-ns-open"
    ours, theirs = top_down[~is_printed], top_down[is_printed]
    assert ours.x.tolist() == [0.71, 0.27, 0.92, 0.97, 0.81, -0.2]
    assert theirs.x.tolist() == [0.64, 0.54, 0.85, 0.95] and theirs.y.tolist() == ours.y.tolist()[:4]
    assert ours[ours.x == 0.97][["low", "high"]].to_numpy() == pytest.approx(np.array([[0.95, 0.98]]))
    assert "GR* with accuracy (Spearman), machines: 0.270, printed 0.54;" in describe(figure)


def test_permutations_pair_tasks_by_name_and_count_p():
    before = scored({"Linear 0": (0, 0.30), "Moons 0": (0, 0.10), "Moons 1": (0, 0.20), "Poly 0": (0, 0.9)})
    after = scored({"Moons 1": (0, 0.02), "Linear 0": (0, 0.01), "Moons 0": (0, 0.03)})
    p = [0.04999, 0.05, 0.5, 0.97, 0.99, 1.0, 0.01]
    figure = figures.permutations(before, after[after.side == MACHINES], pd.DataFrame({"p": p}))
    table = spots(figure)
    pairs, means = table[table.symbol == "diamond"], table[table.symbol == "line-ew-open"]
    tasks = {text: tuple(part.y.dropna()) for text, part in pairs.groupby("text")}
    assert tasks == {"Linear 0": (0.3, 0.01), "Moons 0": (0.1, 0.03), "Moons 1": (0.2, 0.02)}
    half = 4.302653 * 0.1 / math.sqrt(3)  # t(.975; 2), sd .1
    assert means.iloc[0][["y", "low", "high"]].tolist() == pytest.approx([0.2, 0.2 - half, 0.2 + half], abs=1e-6)
    assert means.y.iloc[1] == pytest.approx(0.02)
    (counts,) = (trace for trace in figure.data if trace.type == "bar")
    heights = {round(x - 0.025, 3): y for x, y in zip(counts.x, counts.y, strict=True) if y}
    assert heights == {0.0: 2, 0.05: 1, 0.5: 1, 0.95: 3}
    assert "0.200 with true labels, 0.020 with shuffled ones" in describe(figure)
    assert "median p 0.500, 2 of 7 below .05" in describe(figure)


MATCHED = pd.DataFrame({"side": [PEOPLE, PEOPLE, MACHINES]})
MATCHED[["linear", "poly"]] = [["Linear 0", "Poly 1"], ["Linear 1", "Poly 0"], ["Linear 1", "Poly 0"]]
MATCHED[["accuracy", "alignment", "gr_star"]] = [[0.01, 0.2, 0.1], [-0.03, 0.4, 0.2], [0.0, 0.5, 0.3]]


def test_pairs_run_from_the_linear_to_the_poly_task():
    def slopes(figure, axis):
        return {t.marker.symbol: np.reshape(t.y, (-1, 3))[:, :2].round(6).tolist() for t in marks(figure, axis)}

    figure = figures.matched_pairs(MATCHED, scored({"Linear 0": (0.05, 0.06), "Linear 1": (0.07, 0.08)}))
    assert slopes(figure, "x3") == {"circle-open": [[0.05, 0.15], [0.07, 0.27]]}  # a row a side, the proxies above
    assert slopes(figure, "x6") == {"diamond": [[0.08, 0.38]]}
    half = 12.706205 * 0.1 / 2  # t(.975; 1), sd .1/√2, n 2
    assert f"−{half - 0.15:.3f} to +{0.15 + half:.3f}" in figure.layout.xaxis3.ticktext[1]
    assert "no interval" in figure.layout.xaxis6.ticktext[1]
    assert "D_align, human proxies: mean difference +0.300, 2 pairs" in describe(figure)


def test_stress_is_taken_over_each_tasks_own_start():
    # f(.9) = .36, f(.8) = .16 and f(1) = 1, the paper's Acc (1 - U) by hand
    accuracies = {"Linear 0": [0.9, 0.8], "Linear 1": [0.8, 0.8]}
    table = pd.concat([curves("spurious", accuracies, "last"), curves("spurious", accuracies, "first", 2)])
    table = pd.concat([table, curves("shift", {"Linear 0": [1.0, 0.9], "Linear 1": [1.0, 0.9]}).assign(place=np.nan)])
    figure = panels.stress(table)
    ends = {
        (axis, t.marker.symbol, t.line.dash): round(t.y[1] / t.y[0], 6)
        for axis in ("x", "x2", "x3", "x4", "x5", "x6")
        for t in marks(figure, axis)
    }
    assert len(ends) == 18
    assert ends["x", "circle-open", "dot"] == 0.944444  # (8/9 + 1) / 2
    assert ends["x", "circle-open", "dash"] == 0.722222  # (.16/.36 + 1) / 2
    assert ends["x", "circle-open", "solid"] == 1.888889 and ends["x5", "diamond", "solid"] == 0.944444
    assert ends["x3", "circle-open", "dash"] == ends["x6", "diamond", "dash"] == 0.36
    text = "spurious column, the last, machines, at level 1: accuracy × 0.94, f(accuracy) × 0.72, GR* × 0.94"
    assert "n = 2 tasks" in figure.layout.title.text and text in describe(figure)


STREAM = pd.DataFrame({"level": np.repeat([0.0, 1, 2], 2), "side": [PEOPLE, MACHINES] * 3, "classes": 2})
STREAM["task"] = np.repeat(["Linear 0", "Linear 1", "Linear 2"], 2)
STREAM["gr_star"] = [0.1, 0.15, 0.2, 0.25, 0.12, 0.22]
STREAM["past"] = [np.nan, np.nan, 0.61, 0.68, 0.55, 0.56]


def test_the_stream_shows_both_sides_now_and_before():
    figure = panels.continual(STREAM)
    now, past = ({t.marker.symbol: (list(t.x), list(t.y)) for t in marks(figure, axis)} for axis in ("x", "x2"))
    assert now == {"circle-open": ([1, 2, 3], [0.1, 0.2, 0.12]), "diamond": ([1, 2, 3], [0.15, 0.25, 0.22])}
    assert past == {"circle-open": ([2, 3], [0.61, 0.55]), "diamond": ([2, 3], [0.68, 0.56])}
    (chance,) = figure.layout.shapes
    assert (chance.y0, chance.yref) == (0.5, "y2")
    assert "accuracy on earlier tasks, machines: 0.680, 0.560." in describe(figure)


def test_a_model_at_chance_beats_people_by_f_and_not_by_p():
    named = pd.DataFrame({"name": ["people", "CLIP"], "accuracy": [0.487, 0.208], "classes": 5})
    figure = panels.chance(named.assign(kind=["person", "model"]))
    f, p = ({t.marker.symbol: (t.x[0], t.y[0]) for t in marks(figure, axis)} for axis in ("x", "x2"))
    assert f["diamond"] == (0.208, pytest.approx(0.039, abs=5e-4))
    assert f["circle"] == (0.487, pytest.approx(1.6e-4, abs=2e-5))
    assert p["diamond"][1] < 1e-4 and p["circle"][1] == pytest.approx(0.0452, abs=1e-4)  # A' = .679375, by hand
    assert lines_at(figure, "x") == lines_at(figure, "x2") == {0.2}
    assert "people: accuracy 0.487 of 5 classes, f 0.0002, P 0.0452." in describe(figure)


def test_column_orders_are_a_dot_each_with_the_median():
    rho = np.linspace(0.2, 0.6, 41)
    orders = [(side, r - gap) for side, gap in ((MACHINES, 0.3), (PEOPLE, 0.0)) for r in rho[::-1]]
    figure = panels.column_orders(pd.DataFrame(orders, columns=["side", "rho"]))
    dots = {symbol: part for symbol, part in spots(figure).groupby("symbol")}
    assert sorted(dots["circle-open"].x) == pytest.approx(rho) and sorted(dots["diamond"].x) == pytest.approx(rho - 0.3)
    assert dots["line-ns-open"].iloc[0][["x", "low", "high"]].tolist() == pytest.approx([0.4, 0.21, 0.59])
    assert "machines: median 0.10, 95 % from -0.09 to 0.29, 41 orders" in describe(figure)


def part(who, kind, metric, value, task="all", seed=0, n=9600):
    limits = {"low": value - 0.1, "high": value + 0.2}
    return {"task": task, "who": who, "kind": kind, "metric": metric, "value": value, "seed": seed, "n": n} | limits


def test_components_are_a_row_for_each_player_floors_first():
    rows = [part("recipe", "observer", "A_c", 0.93), part("recipe", "observer", "L", np.nan)]
    rows += [part("random forest", "model", name, 0.5 + k / 10) for k, name in enumerate(("A_c", "P", "S", "L"))]
    rows += [part("random forest", "model", "A_c", 0.55, seed=1), part("random forest", "model", "A_c", 0.1, "Moons")]
    rows += [part("naive Bayes", "proxy", "P", 0.3), part("one column", "floor", "S", 0.2, n=12000)]
    rows += [part("recipe", "observer", "GR*", 0.7), part("recipe", "observer", "accuracy", 0.8)]
    figure = panels.components(pd.DataFrame(rows))
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    players = ["one column", "naive Bayes", "random forest", "recipe"]
    assert [labels[y] for y in sorted(labels, reverse=True)] == players
    column = {"x": "A_c", "x2": "P", "x3": "S", "x4": "L"}
    dots = [(labels[y], column[t.xaxis], round(x, 6)) for t in figure.data for x, y in zip(t.x, t.y, strict=True)]
    visible = [row for row in rows if row["task"] == "all" and row["metric"] in column.values() and row["value"] > 0]
    assert sorted(dots) == sorted((row["who"], row["metric"], round(row["value"], 6)) for row in visible)
    assert sum("not there" in text for text in words(figure)) == 16 - len({dot[:2] for dot in dots})
    assert lines_at(figure, "x4") == {0.5} and "n = 9,600 to 12,000 test rows" in figure.layout.title.text
    assert "random forest: A_c 0.525, P 0.600, S 0.700, L 0.800" in describe(figure)


CLAIMS = pd.DataFrame({"claim": ["Ranks agree: ρ = .86", "Labels matter", "There is an optimum"]}).assign(
    printed=[0.86, 5.04e-15, np.nan], holds=[81, 0, np.nan], n=[263, 20, 0]
)


def test_claims_say_k_of_n_with_wilsons_interval():
    figure = panels.claims_over_seeds(CLAIMS)
    dots = spots(figure)
    assert list(dots.x) == pytest.approx([81 / 263, 0])
    newcombe = [0.2553, 0.3662]  # 1998, Table I
    assert dots.iloc[0][["low", "high"]].tolist() == pytest.approx(newcombe, abs=5e-5)
    assert words(figure)[-3:] == ["81 of 263", "0 of 20", "cannot be tested"]
    assert "Ranks agree: ρ = .86: 81 of 263; " in describe(figure) and "n = 20 to 263 seeds" in figure.layout.title.text


def test_shares_of_recipes_stand_beside_those_of_our_own():
    shares = CLAIMS[["claim"]].assign(holds=[150, 3, 0], n=[200, 12, 0])
    figure = panels.claims_over_recipes(shares, CLAIMS)
    dots = spots(figure)
    assert sorted(dots[dots.symbol != "square-open"].x) == [3 / 12, 150 / 200]
    assert sorted(dots[dots.symbol == "square-open"].x) == pytest.approx([0, 81 / 263])
    assert dots.low.isna().all() and words(figure)[-2:] == ["150 of 200", "3 of 12"]
    assert "n = 12 to 200 recipes" in figure.layout.title.text and "1 claims" not in figure.layout.title.text
    assert "Labels matter: 3 of 12, own recipe 0.00" in describe(figure)
