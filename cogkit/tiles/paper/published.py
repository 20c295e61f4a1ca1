"""The published people and agents: one z-score per person or agent pass, and their cells.

Kumar et al. 2023, "Results". A score is the mean over the 25 held-out boards of (blue tiles - mean of
the nearest neighbour) / its sd; lower is better. The 15 "agents" of a cell are 15 passes of one trained network, not
15 networks.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.data import published, readers, results
from cogkit.data.facts import facts
from cogkit.stats import Sample, mean_interval, t_test
from cogkit.tiles.rules import PAPER_RULES

FILE = "abstract_neural_metamers/data/performancedata.csv"
KINDS = ("abstract", "metamer")
WHO = ("person", "agent")
ROWS = 1039
SOURCES = ("published", "bundled")

_COLUMNS = ["", "abstraction", "condition", "member", "performance"]
_KIND = {"Abstract": "abstract", "Metamer": "metamer"}
_WHO = {"Human": "person", "Agent": "agent"}


def scores(path: str | Path | None = None) -> pd.DataFrame:
    """Return the published scores, one row per person or agent pass, in the file's order.

    ``path`` is a copy of ``performancedata.csv``; by default it is the published file, fetched and checked.

    Columns rule, kind ("abstract" | "metamer"), who ("person" | "agent"), z; 1,039 rows.

    Raises
    ------
    InputError
        Not that file: its columns, row count, names, numbers or cell sizes differ. `published.Unavailable`
        without a path, a mirror, a cached copy and a network.
    """
    path = Path(path) if path is not None else published.fetch(FILE)
    table = readers.table(path)
    columns = ["" if name.startswith("Unnamed") else name for name in table.columns]
    if columns != _COLUMNS or table.iloc[:, 0].tolist() != [str(k) for k in range(ROWS)]:
        raise InputError(f"{columns}, {len(table)} rows in {path}", f"columns {_COLUMNS}, {ROWS} rows numbered from 0")
    numbers = pd.to_numeric(table["performance"], errors="coerce")
    names = {"abstraction": PAPER_RULES, "condition": _KIND, "member": _WHO}
    good = {name: table[name].isin(list(known)) for name, known in names.items()}
    good["performance"] = np.isfinite(numbers)
    for name, is_good in good.items():
        if not is_good.all():
            row = int((~is_good).to_numpy().argmax())
            wanted = f"one of {', '.join(names[name])}" if name in names else "a finite number"
            raise InputError(f"{table[name].iloc[row]!r} in row {row} of {path}", f"{name}: {wanted}")
    frame = pd.DataFrame({
        "rule": table["abstraction"], "kind": table["condition"].map(_KIND), "who": table["member"].map(_WHO),
        "z": table["performance"].astype(float),
    })  # fmt: skip
    sizes = frame.groupby(["rule", "kind", "who"]).size()
    for key in _keys():
        n = 15 if key[2] == "agent" else 50 - (key == ("copy", "metamer", "person"))
        if sizes.get(key, 0) != n:
            raise InputError(f"{sizes.get(key, 0)} rows of {' '.join(key)} in {path}", f"{n} of them, as published")
    return frame


def _keys() -> list[tuple[str, str, str]]:
    return [(rule, kind, who) for rule in PAPER_RULES for kind in KINDS for who in WHO]


def cells(source: str | None = None) -> pd.DataFrame:
    """Return the 32 cells by their sufficient statistics.

    Columns rule, kind, who, n, mean, sd (n - 1 below the line), source; rules in the order of `PAPER_RULES`.

    Parameters
    ----------
    source : {"published", "bundled"}, optional
        From the published file, or from the statistics that come with cogkit; both give the same numbers. By
        default the published file, and the bundled ones, with a line on stderr, where it is not to be had.

    Examples
    --------
    >>> cells("bundled").n.sum()
    np.int64(1039)
    """
    if source is None:
        line = "bundled n, mean and sd stand in for the published scores"
        return published.or_else(lambda: cells("published"), lambda: cells("bundled"), line)
    if presets.choose(source, SOURCES, "source of cells") == "bundled":
        # Through text: pandas' own number parser is off by one unit in the last place now and then.
        table = facts(__file__, "published_cells", str).replace({"condition": _KIND, "member": _WHO})
        table.columns = ["rule", "kind", "who", "n", "mean", "sd"]
        table = table.astype({"n": int, "mean": float, "sd": float})
        return table.assign(source="bundled")
    summary = scores().groupby(["rule", "kind", "who"]).z.agg(n="size", mean="mean", sd="std")
    return summary.loc[_keys()].reset_index().assign(source="published")


def sample(table: pd.DataFrame, **where: str) -> Sample:
    """Return the `Sample` of all scores of the cells that match, such as ``kind="abstract", who="agent"``.

    Examples
    --------
    >>> sample(cells("bundled"), who="agent").n
    240
    """
    selection = table
    for column, value in where.items():
        selection = selection[selection[column] == value]
    return Sample.combine(
        Sample(int(n), m, s) for n, m, s in zip(selection.n, selection["mean"], selection.sd, strict=True)
    )


def pinned(source: str | None = None) -> pd.DataFrame:
    """Return the cells in which most rows are one constant: the score of leaving all 25 boards unfinished.

    Differs from the paper: it does not mention them. Three of the four are abstract cells, all are the agent's. The
    bundled ones are as found in the published file when cogkit was written.

    Columns rule, kind, who, n, pinned (rows at the constant), constant, others (the remaining scores in order; empty
    from bundled).

    Examples
    --------
    >>> pinned("bundled").pinned.tolist()
    [14, 14, 10, 15]
    """
    if cells(source).source.iloc[0] == "bundled":
        table = facts(__file__, "pinned", str).astype({"n": int, "pinned": int, "constant": float})
        return table.assign(others=[()] * len(table))
    rows = []
    for key, z in scores().groupby(["rule", "kind", "who"]).z:
        value, count = z.mode().iloc[0], int((z == z.mode().iloc[0]).sum())
        if count > len(z) / 2:
            rows.append((*key, len(z), count, float(value), tuple(z[z != value].tolist())))
    rows.sort(key=lambda row: PAPER_RULES.index(row[0]))
    return pd.DataFrame(rows, columns=["rule", "kind", "who", "n", "pinned", "constant", "others"])


def unpinned_rules(source: str | None = None) -> list[str]:
    """Return the rules without a pinned cell.

    Examples
    --------
    >>> unpinned_rules("bundled")
    ['symmetry', 'rectangle', 'tree', 'zigzag']
    """
    stuck = set(pinned(source).rule)
    return [rule for rule in PAPER_RULES if rule not in stuck]


def differences(source: str | None = None) -> pd.DataFrame:
    """Return abstract minus metamer for each rule and group, with 95 % Welch intervals (inset of Fig. 3A).

    Columns rule, who, difference, low, high, pinned (one of the two cells is pinned); 16 rows.

    Examples
    --------
    >>> len(differences("bundled"))
    16
    """
    table, stuck = cells(source), set(pinned(source)[["rule", "who"]].itertuples(index=False, name=None))
    rows = []
    for rule in PAPER_RULES:
        for who in WHO:
            abstract, metamer = (sample(table, rule=rule, kind=kind, who=who) for kind in KINDS)
            test = t_test(abstract, metamer, "welch").iloc[0]
            rows.append((rule, who, test.difference, test.low, test.high, (rule, who) in stuck))
    return pd.DataFrame(rows, columns=["rule", "who", "difference", "low", "high", "pinned"])


def rows(source: str | None = None) -> pd.DataFrame:
    """Return the published cells as result rows (`records.RESULT_COLUMNS`), to stand beside other players.

    The interval is over people, or over the 15 passes of one network: the latter says nothing of other
    networks.

    Examples
    --------
    >>> rows("bundled").kind.value_counts().tolist()
    [16, 16]
    """
    out = []
    for cell in cells(source).itertuples():
        low, high = mean_interval(Sample(int(cell.n), cell.mean, cell.sd))
        name, kind = ("people", "person") if cell.who == "person" else ("lstm", "model")
        task = f"{cell.rule}/{cell.kind}"
        out.append({
            "cell": f"tiles/{name}/{task}", "instrument": "tiles", "profile": "as_published",
            "preset": "paper", "task": task, "kind": kind, "who": f"{name} (Kumar et al. 2023)",
            "inputs": "board", "seed": 0, "metric": "z", "value": cell.mean, "low": low, "high": high,
            "interval": "95% t", "n": cell.n, "source": f"Kumar et al. 2023, {cell.source} scores",
            "supervision": "rewards" if kind == "model" else "",
        })  # fmt: skip
    return results.table(out)
