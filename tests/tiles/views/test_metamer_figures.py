"""Figures of metamers draw what their tables hold, and say it in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.core.contracts import InputError
from cogkit.tiles.metamers import sampling
from cogkit.tiles.rules import RULES
from cogkit.tiles.views import metamer_figures
from cogkit.ui.alt import describe

ORDERS = ("first", "second", "third straight", "third paths")


def boards(n: int) -> np.ndarray:
    return np.random.default_rng(n).integers(0, 2, (n, 7, 7)).astype(np.uint8)


def test_the_strip_shows_each_second_sweep_with_its_reds():
    chain = boards(21)
    chain[16] = 0  # chains may come to a board without a red tile
    figure = metamer_figures.strip(chain, "pyramid")
    sheet = np.asarray(figure.data[0].z, float)
    assert sheet.shape == (7, 11 * 9 - 2)
    for place in range(11):
        assert (sheet[:, 9 * place : 9 * place + 7] == chain[2 * place]).all()
    labels = [f"{2 * place}<br>{chain[2 * place].sum()} red" for place in range(11)]
    assert list(figure.layout.xaxis.ticktext) == labels and list(figure.layout.xaxis.tickvals)[1] == 12
    assert figure.layout.width is None and f"{chain[20].sum()} after sweep 20" in describe(figure)


def test_the_strip_of_many_chains_is_refused():
    with pytest.raises(InputError, match="one chain"):
        metamer_figures.strip(boards(6).reshape(3, 2, 7, 7), "pyramid")


def test_the_strip_of_a_recorded_chain_stops_at_the_ends_of_sweeps():
    rng = np.random.default_rng(1)
    tiles = np.stack([rng.permutation(49) for _ in range(4)])
    chances, uniforms = rng.random((2, 4, 49)).astype(np.float32)
    chain = sampling.Chain(rng.integers(0, 2, 49).astype(np.uint8), tiles, chances, uniforms)
    last = np.zeros(49)
    last[tiles[3]] = uniforms[3] < chances[3]  # a sweep draws every tile once
    sheet = np.asarray(metamer_figures.strip(chain, "pyramid", every=4).data[0].z, float)
    assert (sheet[:, :7].ravel() == chain.start).all() and (sheet[:, 9:].ravel() == last).all()


def shares() -> pd.DataFrame:
    """Rows as `metamer_quality.summary` gives them, of two rules, and one of a published set."""
    columns = ("rule", "who", "kind", "metric", "value", "low", "high", "n")
    rows = [
        (rule, who, kind, metric, value, value - 0.1, value + 0.05, n)
        for rule, shift in (("pyramid", 0.0), ("copy", 0.02))
        for who, kind, metric, value, n in (
            ("conditional network", "model", "accuracy", 0.9 + shift, 10_000),
            ("always blue", "floor", "accuracy", 0.8 + shift, 10_000),
            ("conditional network", "model", "kept", 0.4 + shift, 1000),
            ("conditional network", "model", "rule pass", 0.2 + shift, 400),
            ("conditional network", "model", "rule pass, any mirror image", 0.3, 400),
            ("conditional network", "model", "distinct", 0.6 + shift, 400),
        )
    ]  # fmt: skip
    return pd.DataFrame(
        [*rows, ("copy", "published metamers", "printed", "rule pass", 0.08, 0.02, 0.25, 25)], columns=columns
    )


def test_quality_has_a_panel_a_share_and_a_row_a_rule():
    figure = metamer_figures.quality(shares())
    drawn = {(trace.xaxis, trace.marker.symbol): dict(zip(trace.y, trace.x, strict=True)) for trace in figure.data}
    assert list(figure.layout.yaxis.ticktext) == ["pyramid", "copy"]  # rows at 0 and -1
    assert drawn == {
        ("x", "diamond"): {0: 0.9, -1: 0.92}, ("x", "line-ns-open"): {0: 0.8, -1: pytest.approx(0.82)},
        ("x2", "diamond"): {0: 0.4, -1: pytest.approx(0.42)}, ("x3", "diamond"): {0: 0.2, -1: pytest.approx(0.22)},
        ("x3", "circle-open"): {-1: 0.08}, ("x4", "diamond"): {0: 0.6, -1: pytest.approx(0.62)},
    }  # fmt: skip
    assert "n = 25 to 10,000" in figure.layout.title.text and "┃ always blue" in figure.layout.title.text
    assert "conditional network, pyramid: kept 0.400" in describe(figure)


def test_the_readers_network_has_a_mark_of_its_own():
    table = shares().replace({"kind": {"model": "yours"}}).assign(loss="hidden tile")
    figure = metamer_figures.quality(table[table.rule == "pyramid"], "loss", "Two losses")
    colours = {trace.marker.color for trace in figure.data if trace.marker.symbol == "diamond"}
    assert colours == {"#CC79A7"} and not any(trace.marker.symbol == "star" for trace in figure.data)
    assert "your network" in figure.layout.title.text and "always blue" in figure.layout.title.text


def test_orders_are_bars_with_their_intervals():
    rng = np.random.default_rng(0)
    table = pd.DataFrame([
        {"rule": rule, "kind": kind, "order": order, "mean": mean, "low": mean - 1, "high": mean + 2, "n": 1000}
        for rule in RULES[::-1] for kind in ("abstract", "metamer") for order in ORDERS for mean in [rng.normal()]
    ])  # fmt: skip
    figure = metamer_figures.orders(table)
    assert len(figure.data) == 8
    for trace, (order, kind) in zip(
        figure.data, [(o, k) for o in ORDERS for k in ("abstract", "metamer")], strict=True
    ):
        part = table[(table.order == order) & (table.kind == kind)].set_index("rule")["mean"]
        assert dict(zip(trace.x, trace.y, strict=True)) == part.to_dict() and list(trace.x) == list(RULES)
        assert list(trace.error_y.arrayminus) == pytest.approx([1] * 8)
        assert list(trace.error_y.array) == pytest.approx([2] * 8)
    assert "n = 1,000 a bar" in figure.layout.title.text
    pair = table[(table.rule == "pyramid") & (table.order == "second")].set_index("kind")["mean"]
    assert f"pyramid {pair.abstract:.1f} and {pair.metamer:.1f}" in describe(figure)


def test_convergence_draws_means_bands_and_rhat():
    table = pd.DataFrame([
        {"sweep": sweep, "statistic": name, "mean": k + sweep, "low": k + sweep - 0.5, "high": k + sweep + 1,
         "rhat": np.nan if sweep < 2 else 1 + 1 / sweep}
        for k, name in enumerate(("reds", "first")) for sweep in range(5)
    ])  # fmt: skip
    figure = metamer_figures.convergence(table, "pyramid")
    assert len(figure.data) == 6
    for k in range(2):
        band, mean, rhat = figure.data[3 * k : 3 * k + 3]
        assert list(mean.y) == [k + sweep for sweep in range(5)] and list(mean.x) == list(range(5))
        assert sorted(band.y) == sorted([k + s - 0.5 for s in range(5)] + [k + s + 1 for s in range(5)])
        assert list(rhat.y)[2:] == [1.5, 1 + 1 / 3, 1.25]
    assert "reds 4.00, R̂ 1.250; first 5.00, R̂ 1.250" in describe(figure)
    assert any("R̂ 1.250" in label.text for label in figure.layout.annotations)


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
    assert len(figure.data) == 12
    for column in range(4):
        same, apart, open_ = figure.data[3 * column : 3 * column + 3]
        assert (list(same.x), list(apart.x), list(open_.x)) == ([0.05], [0.8, -0.9], [0.1])
        assert list(apart.customdata) == ["symmetry", "pyramid"] and list(apart.error_x.array) == pytest.approx(
            [0.3, 0.3]
        )
        looks = {(trace.marker.symbol, trace.marker.color) for trace in (same, apart, open_)}
        assert len({symbol for symbol, _ in looks}) == len({colour for _, colour in looks}) == 3
        ticks = figure.layout.yaxis.ticktext
        assert [ticks[place] for place in apart.y] == ["symmetry", "pyramid"] and ticks[-1] == "copy"
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(bands) == 16 and {(band.x0, band.x1) for band in bands} == {(-0.2, 0.2)}
    assert "● equivalent (4)" in figure.layout.title.text.replace("</span>", "").replace(
        "<span style='color:#222222'>", ""
    )
    assert "pyramid first -0.90 (different)" in describe(figure)


@pytest.mark.parametrize("name", ["strip", "quality", "equivalence"])
def test_figures_fit_a_page(name):
    table = pd.DataFrame([
        {"rule": rule, "order": order, "d": 0.1, "low": 0.0, "high": 0.2, "margin": 0.3, "equivalent": True}
        for rule in RULES for order in ORDERS
    ])  # fmt: skip
    figure = {
        "strip": lambda: metamer_figures.strip(boards(21), "pyramid"),
        "quality": lambda: metamer_figures.quality(pd.concat([shares().assign(rule=rule) for rule in RULES])),
        "equivalence": lambda: metamer_figures.equivalence(table),
    }[name]()
    assert figure.layout.height <= 750 and figure.layout.width is None
