"""Orders: against loops over pairs and triples, and against every published mean and test of the facts."""

from __future__ import annotations

import numpy as np
from oracles import PAIRS, PATHS, STRAIGHT, scores_of_orders

from cogkit.tiles.metamers import diagnostics
from cogkit.tiles.problems import records
from cogkit.tiles.rules.orders import ORDERS, orders


def test_there_are_as_many_groups_as_the_facts_say():
    assert (len(PAIRS), len(STRAIGHT), len(PATHS)) == (84, 70, 214)


def test_orders_are_the_plain_loops():
    rng = np.random.default_rng(0)
    boards = rng.random((200, 7, 7)) < rng.choice([0.1, 0.5, 0.9], (200, 1, 1))
    scores = orders(boards)
    assert tuple(scores.columns) == ORDERS
    assert scores.to_numpy().tolist() == [scores_of_orders(board.astype(int)) for board in boards]


# § 6 of the facts, of each order: mean of the 25 published boards of the rule, of its 25 published metamers, pooled t
# (df 48) and p.
FACTS = """
copy       -29.64 -29.88 0.17 0.87  38.40 40.16 -0.73 0.47  9.84 10.64 -0.27 0.79  31.04 29.84 0.14 0.89
symmetry   -35.08 -36.52 1.50 0.14  55.28 61.76 -2.16 0.036  28.24 38.56 -2.53 0.015  93.12 122.16 -2.32 0.025
rectangle  -28.68 -33.00 1.63 0.11  54.88 60.00 -1.54 0.13  27.76 30.00 -0.56 0.58  71.04 94.80 -1.49 0.14
connected  -18.04 -19.64 0.78 0.44  35.44 34.80 0.22 0.83  2.48 4.56 -0.62 0.54  -14.16 -12.40 -0.15 0.89
tree       -35.96 -35.16 -0.69 0.49  54.48 54.96 -0.23 0.82  24.24 24.64 -0.14 0.89  77.52 79.36 -0.22 0.83
pyramid    -38.04 -29.96 -3.57 0.0008  63.52 55.44 3.38 0.0015  39.44 27.60 2.97 0.0046  123.28 90.80 2.87 0.006
cross      -34.44 -33.24 -1.32 0.19  43.52 42.24 0.34 0.73  19.84 17.12 0.72 0.48  55.36 50.16 0.49 0.63
zigzag     -38.68 -39.88 1.05 0.3  64.24 65.12 -0.39 0.7  40.32 41.92 -0.50 0.62  124.64 130.40 -0.54 0.59
"""


def test_the_published_boards_have_the_statistics_of_the_facts(use_mirror):
    differences = set()
    for rule, *facts in map(str.split, FACTS.strip().splitlines()):
        boards = [records.items(f"{rule}/{kind}", "published").boards for kind in ("abstract", "metamer")]
        table = diagnostics.compare(*boards)
        assert (table.order.tolist(), set(table.df), set(table.n_a), set(table.n_b)) == ([*ORDERS], {48}, {25}, {25})
        for row, (*numbers, p) in zip(table.itertuples(), np.reshape(facts, (4, 4)), strict=True):
            abstract, metamer, t = map(float, numbers)
            assert (round(row.mean_a, 2), round(row.mean_b, 2)) == (abstract, metamer), rule
            assert abs(row.t - t) <= 0.005 + 1e-9, rule
            # Half of the last digit; a tenth more, as two of the 32 were rounded twice: .8645 stands there as .87.
            assert abs(row.p - float(p)) <= 0.55 * 10 ** -max(2, len(p) - len("0.")), rule
        differences |= {(rule, order) for order in table.order[table.p < 0.05]}
    assert differences == {("pyramid", order) for order in ORDERS} | {("symmetry", order) for order in ORDERS[1:]}
