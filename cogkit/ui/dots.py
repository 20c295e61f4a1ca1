"""Rows of players in figures of dots: their order, their names, and what stands at the axis of shares."""

from __future__ import annotations

import pandas as pd

BETTER, UP = "share right (better →)", "share right (better ↑)"  # titles of axes
ORDER = ("floor", "model", "proxy", "person", "yours", "you", "observer")  # of rows, from the bottom
QUARTERS = (0, 0.25, 0.5, 0.75, 1)


def standings(
    rows: pd.DataFrame, printed: str | tuple[str, ...], names: pd.Series | None = None, lower: bool = False
) -> pd.DataFrame:
    """Return result rows with columns for `figures.dots`: share, shift, name, line, and printed (from an article).

    Lines are in the order of the kinds of players, and within a kind by their means, the best one on top. The reader is
    a kind of its own, and so are the networks that the reader has trained. Sources that begin with ``printed`` are
    articles. ``names`` are what the lines are called, ``who`` by default. ``lower`` says that lower values are better.
    """
    quoted = rows.source.astype(str).str.startswith(printed) & (rows.kind == "model")
    kinds = rows.kind.mask(rows.who == "you", "you").mask(rows.who.str.startswith("your "), "yours")
    rows = rows.assign(
        kind=kinds, share=rows.value.astype(float), printed=quoted, shift=0.0,
        name=rows.who if names is None else names,
    )  # fmt: skip
    means = rows.groupby(["kind", "name"]).share.mean() * (-1 if lower else 1)
    lines = sorted(means.index, key=lambda line: (ORDER.index(line[0]), means[line]), reverse=True)
    return rows.assign(line=pd.Categorical(rows.name, list(dict.fromkeys(name for _, name in lines))))
