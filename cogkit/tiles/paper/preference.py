"""Do machines prefer metamers? The rules are the units, and networks of other seeds vary within them.

The paper asks it of all its agents, whether or not they have learnt to play. Here it is asked of all networks, and
then of those alone whose kind has learnt the rule, by boards that memory cannot play.

Everything is abstract minus metamer. The margin below was fixed before the results on equal terms were known.

Arguments are as in `paper.architectures`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.stats import paired_t, tost
from cogkit.tiles.learners.ladder import climbed
from cogkit.tiles.paper.architectures import ARCHITECTURES, EQUAL, PEOPLE, balanced, missing
from cogkit.tiles.paper.published import cells
from cogkit.tiles.rules import PAPER_RULES

MARGIN = 0.3
"""The largest difference in z that counts as none.

Even the nearest neighbour itself differs by so much between two sets of 25 boards that it plays once, for the standard
error of that difference is √(2/25) = .28.
"""
TOGETHER = "all on equal terms"

_WORDS = ("the rule is easier", "metamers are easier")  # below 0 and above 0, where lower is better


def learnt(rows: pd.DataFrame) -> pd.DataFrame:
    """Return which rules each architecture has learnt, on boards for which memory does not suffice.

    Such boards are of a family that training never held: other networks of the same kind were trained without it.
    ``rows`` are those of `data.results.shipped`, since ``tiles.results()`` leaves families out. Rows and
    columns are those of `ladder.climbed`, of the paper's rules alone.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> learnt(shipped("tiles")).rule.tolist()[:2]
    ['symmetry', 'rectangle']
    """
    table = climbed(rows)
    table = table[table.who.isin(ARCHITECTURES) & table.rule.isin(PAPER_RULES)]
    order = {name: k for k, name in enumerate((*ARCHITECTURES, *PAPER_RULES))}
    return table.sort_values(["who", "rule"], key=lambda column: column.map(order), ignore_index=True)


def gaps(rows: pd.DataFrame, only_learnt: bool = False, source: str | None = None) -> pd.DataFrame:
    """Return z on abstract boards minus z on metamers, of each architecture, of all on equal terms, and of people.

    Parameters
    ----------
    only_learnt : bool
        Whether to keep only the rules that an architecture has learnt (`learnt`). Other networks of the same kind say
        so, on other boards, so that the choice does not lean towards either side.

    Returns
    -------
    DataFrame
        Columns analysis (who), estimate, se, t, df, p, low, high (95 % t), n (rules), networks (of a task),
        p_equivalent, verdict, note. For ``figures.estimates`` leave out rows without an estimate.

    Notes
    -----
    A rule's difference is that of two means over seeds, and the test is a paired t over rules. In balanced data this is
    the test of a mixed model in which intercept and task vary by rule, with the right degrees of freedom (`mixed`).
    For all together, a rule's difference is the mean of the architectures'. ``p_equivalent`` is that of two one-sided
    tests against the margin: at .05 or less, the verdict is that there is no difference. If there is one, its interval
    leaves out 0. Else it cannot be told.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table = gaps(shipped("tiles"), source="bundled").set_index("analysis")
    >>> table.verdict["people"], table.estimate["people"].round(2)
    ('the rule is easier', np.float64(-1.69))
    """
    runs = balanced(rows)
    networks = runs[runs.who.isin(ARCHITECTURES)].groupby("who").seed.nunique()
    networks[TOGETHER] = networks[networks.index.isin(EQUAL)].sum()
    out = []
    for who, gap in _of_networks(rows, only_learnt).items():
        n = int(networks.get(who, 0))
        row = _row(who, gap, "" if n else missing(rows, who) or "not run")
        row["note"] += f", {n} network{'s' * (n != 1)} a task" * (n > 0)
        out.append(row | {"networks": n})
    people = _row(PEOPLE, _of_people(source), "") | {"networks": 0}
    return pd.DataFrame([*out, people])


def _of_people(source: str | None) -> pd.Series:
    """Return people's difference in each rule."""
    table = cells(source)
    means = table[table.who == "person"].pivot(index="rule", columns="kind", values="mean")
    return means.abstract - means.metamer


def _of_networks(rows: pd.DataFrame, only_learnt: bool) -> dict[str, pd.Series]:
    """Return the difference in each rule, of each architecture and of all on equal terms."""
    means = balanced(rows).pivot_table(index=["who", "rule"], columns="kind", values="z")
    means = means.reindex(columns=["abstract", "metamer"])
    gap = (means.abstract - means.metamer).dropna()
    if only_learnt:
        table = learnt(rows).query("verdict == 'learnt'")
        gap = gap[gap.index.isin(pd.MultiIndex.from_frame(table[["who", "rule"]]))]
    parts = {who: gap[gap.index.get_level_values("who") == who].droplevel("who") for who in ARCHITECTURES}
    together = gap[gap.index.get_level_values("who").isin(EQUAL)]
    return parts | {TOGETHER: together.groupby(level="rule").mean()}


def _row(who: str, gap: pd.Series, unrun: str) -> dict:
    row = {"analysis": who, "estimate": gap.mean() if len(gap) else np.nan}
    row |= dict.fromkeys(["se", "t", "df", "p", "low", "high"], np.nan)
    row |= {"n": len(gap), "p_equivalent": np.nan, "verdict": unrun or "cannot be told"}
    if gap.nunique() > 1:  # without any spread there is no test
        zero = np.zeros(len(gap))
        row |= paired_t(gap, zero).iloc[0][["se", "t", "df", "p", "low", "high"]].to_dict()
        row["p_equivalent"] = tost(gap, zero, low=-MARGIN, high=MARGIN).p.item()
        if row["p_equivalent"] <= 0.05:
            row["verdict"] = "no difference"
        elif not row["low"] <= 0 <= row["high"]:
            row["verdict"] = _WORDS[int(row["estimate"] > 0)]
    rules = f"{len(gap)} rule{'s' * (len(gap) != 1)}"
    return row | {"note": unrun or f"{row['verdict']}; {rules}"}
