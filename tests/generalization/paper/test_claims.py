"""Claims are judged by what the rows hold: made-up seeds whose answers are plain, and the shipped ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.generalization.learners import rows
from cogkit.generalization.paper import claims
from cogkit.generalization.suites import GENERATED


def stream(rho_rows) -> pd.DataFrame:
    """Rows of a continual cell: GR* and accuracy on earlier tasks at each level, both sides."""
    data = []
    for side, kind in (("human proxies", "proxy"), ("machines", "model")):
        for level, (gr, past) in enumerate(rho_rows):
            for metric, value in (("GR*", gr), ("accuracy on earlier tasks", past)):
                data.append({"task": f"continual/{level}", "who": side, "kind": kind, "metric": metric, "value": value})
    return pd.DataFrame(data).assign(cell="generalization/continual", seed=0)


def curve(kind: str, place: str, values: dict[float, tuple[float, float, float]]) -> pd.DataFrame:
    data = []
    for level, numbers in values.items():
        for metric, value in zip(("GR*", "accuracy", "f(accuracy)"), numbers, strict=True):
            task = "/".join(filter(None, [kind, place, f"{level:g}"]))
            data.append({"task": task, "who": "machines", "kind": "model", "metric": metric, "value": value})
    return pd.DataFrame(data).assign(cell=f"generalization/{kind}", seed=0)


def held(result_rows: pd.DataFrame, words: str) -> list[tuple[int, int]]:
    table = claims.claims(result_rows)
    part = table[table.claim.str.contains(words, regex=False)]
    return list(zip(part.holds, part.n, strict=True))


def test_a_stream_must_go_with_the_past_and_not_be_the_same():
    for gr_star, past, holds in (([1, 2, 3, 4], [5, 6, 5, 7], 1), ([4, 3, 2], [5, 6, 7], 0), ([1, 2, 3], [5, 6, 7], 0)):
        pairs = [(first / 10, second / 10) for first, second in zip(gr_star, past, strict=True)]
        assert held(stream(pairs), "Along a stream") == [(holds, 1)]


def test_a_warning_comes_while_accuracy_stands():
    # accuracy stands (98 %) at .2 and not at .4
    early = curve("shift", "", {0.0: (0.2, 0.9, 0.36), 0.2: (0.15, 0.89, 0.34), 0.4: (0.1, 0.8, 0.2)})
    assert held(early, "GR* drops before accuracy under a shift") == [(1, 1)]
    assert held(early, "f(accuracy), which is no news of accuracy, under a shift") == [(1, 1)]
    late = curve("shift", "", {0.0: (0.2, 0.9, 0.36), 0.2: (0.188, 0.89, 0.34), 0.4: (0.1, 0.8, 0.2)})
    assert held(late, "GR* drops before accuracy under a shift") == [(1, 1)]  # .94 of its first value, and .989
    assert held(late, "f(accuracy), which is no news of accuracy, under a shift") == [(0, 1)]  # .94, as f has


def test_seeds_without_the_cell_do_not_count():
    once = stream([(0.1, 0.5), (0.2, 0.6), (0.3, 0.55)])
    both = pd.concat([once, once.assign(seed=7)])
    assert held(both, "Along a stream") == [(2, 2)]
    assert held(both, "Both sides rank")[0] == (0, 0)
    table = claims.claims(both)
    assert table.n.iloc[-1] == 0 and "not testable" in table.claim.iloc[-1]


def test_statistics_are_those_of_the_rows(small):
    frame = pd.DataFrame(list(rows.of_sides(small))).assign(cell="generalization/repro62", seed=3)
    table = claims.statistics(frame)
    wide = frame[frame.metric == "GR*"].pivot(index="task", columns="who", values="value")
    assert table.index.tolist() == [3]
    assert table.loc[3, "agreement"] == pytest.approx(wide.rank().corr().iloc[0, 1])
    for family in GENERATED:
        part = wide[wide.index.str.startswith(family)]
        gap = part["machines"] - part["human proxies"]
        assert table.loc[3, f"Δ {family}"] == pytest.approx(gap.mean())
        assert table.loc[3, f"spread {family}"] == pytest.approx(np.std(gap, ddof=1))


def test_printed_numbers_are_the_papers():
    # § 2 and § 4 of the text
    assert claims.printed()["agreement"] == 0.86 and claims.printed()["p label shuffle"] == 5.04e-15
    assert claims.printed_relations().set_index("side").loc["machines"].tolist() == [0.54, 0.95]
