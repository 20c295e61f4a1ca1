"""How close metamers are to the boards of their rule: compared with new boards, and by their network's accuracy."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.data import published
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.diagnostics import compare, share
from cogkit.tiles.problems import records
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import TILES, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, MOST

_TEST_BOARDS = 10_000


def against(rule: str, n: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Return how boards of the rule, and the published metamers, differ from n metamers of the shipped network.

    ``n`` is the number of metamers, and of boards of the rule.

    The columns of `compare`, with the reference as a and the network's metamers as b, after rule and source ("rule", n
    boards; "published", the 25 metamers of the paper). Welch's tests. Where the published boards cannot be had, one
    printed line says so and their rows are missing.

    Examples
    --------
    >>> against("tree", n=200).query("source == 'rule'").n_b.tolist()
    [200, 200, 200, 200]
    """
    metamers = sampling.sample(rule, n, seed)
    sides = {"rule": records.sample(rule, n, seed, "diagnostics")}
    sides |= published.or_else(
        lambda: {"published": records.items(f"{rule}/metamer", "published").boards}, dict,
        "no comparison with the published metamers",
    )  # fmt: skip
    tables = [compare(boards, metamers, "welch").assign(source=source) for source, boards in sides.items()]
    table = pd.concat(tables, ignore_index=True).assign(rule=rule)
    return table[["rule", "source", *table.columns.drop(["rule", "source"])]]


def published_boards() -> dict[str, tuple[np.ndarray, ...]]:
    """Return for each rule the 25 published boards of the rule and the 25 of its metamers, (25, 7, 7) each.

    Without the published files one printed line says so, and the dict is empty.
    """

    def pair(rule: str) -> tuple[np.ndarray, ...]:
        return tuple(records.items(f"{rule}/{kind}", "published").boards for kind in records.KINDS)

    line = "the tests on the published boards are left out"
    return published.or_else(lambda: {rule: pair(rule) for rule in PAPER_RULES}, dict, line)


def published_summary(pairs: dict[str, tuple[np.ndarray, ...]]) -> pd.DataFrame:
    """Return the share of published metamers that satisfy their rule, as `summary` does, with the column rule.

    ``pairs`` are as `published_boards` gives them.
    """
    names = ("rule", "who", "kind", "metric", "value", "low", "high", "n")
    counts = {rule: (int(records.check(rule, boards).sum()), len(boards)) for rule, (_, boards) in pairs.items()}
    rows = [(rule, "published metamers", "printed", "rule pass", *share(*count)) for rule, count in counts.items()]
    return pd.DataFrame(rows, columns=names)


def summary(
    rule: str, network=None, seed: int = 0, *, chains: int = 1000, sweeps: int = sampling.SWEEPS
) -> pd.DataFrame:
    """Return the accuracy of a network and the quality of its chains, one row per share, with Wilson's 95 % interval.

    By default the network is the shipped one. The seed is of boards, masked tiles and chains.

    Columns who, kind, metric, value, low, high, n. Metrics: *accuracy* on masked tiles of 10,000 new draws of the
    rule, beside the floor of always saying blue: nearly all of these boards were drawn in training too, so it says how
    well a network fits its rule, and nothing of boards that it has not seen; *kept*, the share of chains with 3 to 39
    reds; of those, *rule pass*, the share that satisfies the rule (for symmetry also *rule pass, any mirror image*,
    however it could have grown), and *distinct*, the share of different boards. Of no boards there is no share.

    Examples
    --------
    >>> summary("tree", chains=100).metric.tolist()
    ['accuracy', 'accuracy', 'kept', 'rule pass', 'distinct']
    """
    network = network or sampling.load(rule)
    rng = seeding.stream(seed, f"assess/{rule}")
    boards = records.sample(rule, _TEST_BOARDS, seed, "assess").reshape(-1, TILES)
    rows, tiles = np.arange(_TEST_BOARDS), rng.integers(0, TILES, _TEST_BOARDS)
    truth = boards[rows, tiles] == 1
    inputs = boards.astype(np.float32)
    inputs[rows, tiles] = sampling.MASKED
    answers = (network.hidden(inputs) @ network.weights[-1].T + network.biases[-1])[rows, tiles] > 0
    metamers = sampling.gibbs(network, chains, rng, sweeps)
    reds = metamers.sum(axis=(1, 2))
    valid = metamers[(reds >= FEWEST) & (reds <= MOST)]
    counts = [
        ("conditional network", "model", "accuracy", (answers == truth).sum(), _TEST_BOARDS),
        ("always blue", "floor", "accuracy", (~truth).sum(), _TEST_BOARDS),
        ("conditional network", "model", "kept", len(valid), chains),
    ]
    if len(valid):
        passes = {"rule pass": records.check(rule, valid)}
        if rule == "symmetry":
            passes["rule pass, any mirror image"] = records.check(rule, valid, strict=False)
        totals = {metric: passing.sum() for metric, passing in passes.items()}
        totals["distinct"] = len(np.unique(to_bits(valid)))
        counts += [("conditional network", "model", metric, count, len(valid)) for metric, count in totals.items()]
    columns = ("who", "kind", "metric", "value", "low", "high", "n")
    return pd.DataFrame([(*names, *share(int(count), n)) for *names, count, n in counts], columns=columns)
