"""Do machines prefer metamers? The rules are the units, and networks of other seeds vary within them.

The paper asks it of all its agents, whether or not they have learnt to play. Here it is asked of all networks, and
then of those alone that have learnt the rule.

Everything is abstract minus metamer. The margins below were fixed before the results on equal terms were known.

Arguments are as in `paper.architectures`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.stats import mixed_model, paired_t, tost
from cogkit.tiles.paper.architectures import ARCHITECTURES, EQUAL, PEOPLE, balanced, missing
from cogkit.tiles.paper.published import cells
from cogkit.tiles.rules import PAPER_RULES

MARGINS = {"z": 0.3, "saved": 0.05}
"""The largest difference that counts as none.

z: even the nearest neighbour itself differs by so much between two sets of 25 boards that it plays once, for the
standard error of that difference is √(2/25) = .28. saved: one in twenty of the nearest neighbour's blue tiles, which is
about as much: blue tiles that cost .3 z are 2 % (copy) to 9 % (pyramid) of the way from its play to none at all.
"""
LEARNT = 0.8
"""The skill from which a rule counts as learnt: 0 plays as the nearest neighbour does, 1 as the ideal observer."""
TOGETHER = "all on equal terms"

_WORDS = ("the rule is easier", "metamers are easier")  # below 0 and above 0, where lower is better


def learnt(rows: pd.DataFrame) -> pd.DataFrame:
    """Return which rules each architecture has learnt.

    Columns who, rule, skill (on held-out boards, mean over seeds), networks (how many), learnt (skill is `LEARNT` or
    more).

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> learnt(shipped("tiles")).rule.tolist()[:2]
    ['copy', 'symmetry']
    """
    abstract = balanced(rows).query("kind == 'abstract'")
    table = abstract.groupby(["who", "rule"]).skill.agg(skill="mean", networks="size").reset_index()
    table = table.assign(learnt=table.skill.round(9) >= LEARNT)  # a mean of .7, .8 and .9 may fall just below .8
    order = {name: k for k, name in enumerate((*ARCHITECTURES, *PAPER_RULES))}
    return table.sort_values(["who", "rule"], key=lambda column: column.map(order), ignore_index=True)


def gaps(rows: pd.DataFrame, measure: str = "z", only_learnt: bool = False, source: str | None = None) -> pd.DataFrame:
    """Return abstract minus metamer of each architecture, of all on equal terms together, and of people (z alone).

    Parameters
    ----------
    measure : {"z", "saved"}
        As in `architectures.networks`. Lower z is better, and so is a higher share of blue tiles saved.
    only_learnt : bool
        Whether to keep only the rules that an architecture has learnt (`learnt`). The choice looks at the abstract side
        alone, and so leans towards rules on which that side went well. A preference for metamers that is still there
        is therefore safe; a preference for the rule is weaker evidence.

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
    words = _WORDS if presets.choose(measure, MARGINS, "measure") == "z" else (_WORDS[1], _WORDS[0])
    table = _tests(rows, _of_networks(rows, measure, only_learnt), MARGINS[measure], words)
    if measure == "z":
        people = _row(PEOPLE, _of_people(source), MARGINS["z"], words, "") | {"networks": 0}
        table = pd.concat([table, pd.DataFrame([people])], ignore_index=True)
    return table


def mixed(rows: pd.DataFrame, measure: str = "z") -> pd.DataFrame:
    """Return the mixed model of each architecture, and of all on equal terms: intercept and task vary by rule.

    ``measure`` is as in `gaps`.

    Columns who, estimate (abstract minus metamer), se, z, p, low, high, by_rule (standard deviation of that difference
    between rules), by_network (between networks of one task), n (networks), warnings, note. One network a task
    cannot tell the two apart.

    Notes
    -----
    ``score ~ task + (1 + task | rule)``, and of all together ``score ~ architecture + task + (1 + task | rule)``.
    A seed has no effect of its own within a rule: networks of one seed on two tasks share their first weights alone.
    With eight rules, the normal test gives p-values that are too small; those of `gaps` are right.
    """
    table = balanced(rows).rename(columns={measure: "score"})
    table = table.assign(task=np.where(table.kind == "abstract", 0.5, -0.5))
    parts = {who: table[table.who == who] for who in ARCHITECTURES} | {TOGETHER: table[table.who.isin(EQUAL)]}
    out = []
    for who, part in parts.items():
        several = part.who.nunique() > 1
        if part.empty or (part.seed.nunique() < 2 and not several):
            note = "one network a task" if len(part) else missing(rows, who) or "not run"
            out.append({"who": who, "n": len(part), "warnings": "", "note": note})
            continue
        fit = mixed_model(part, "score ~ C(who) + task" if several else "score ~ task", "rule", "1 + task")
        fit = fit.set_index(["part", "term"])
        fixed = fit.loc[("fixed", "task"), ["estimate", "se", "z", "p", "low", "high", "n", "warnings"]].to_dict()
        spread = {"by_rule": fit.estimate["random", "task"], "by_network": fit.estimate["residual", "residual"]}
        out.append({"who": who, **fixed, **spread, "note": ""})
    columns = ["who", "estimate", "se", "z", "p", "low", "high", "by_rule", "by_network", "n", "warnings", "note"]
    return pd.DataFrame(out, columns=columns)


def _of_people(source: str | None) -> pd.Series:
    """Return people's difference in each rule."""
    table = cells(source)
    means = table[table.who == "person"].pivot(index="rule", columns="kind", values="mean")
    return means.abstract - means.metamer


def _of_networks(rows: pd.DataFrame, measure: str, only_learnt: bool) -> dict[str, pd.Series]:
    """Return the difference in each rule, of each architecture and of all on equal terms."""
    means = balanced(rows).pivot_table(index=["who", "rule"], columns="kind", values=measure)
    means = means.reindex(columns=["abstract", "metamer"])
    gap = (means.abstract - means.metamer).dropna()
    if only_learnt:
        table = learnt(rows).set_index(["who", "rule"]).learnt
        gap = gap[table.reindex(gap.index).to_numpy(dtype=bool)]
    parts = {who: gap[gap.index.get_level_values("who") == who].droplevel("who") for who in ARCHITECTURES}
    together = gap[gap.index.get_level_values("who").isin(EQUAL)]
    return parts | {TOGETHER: together.groupby(level="rule").mean()}


def _tests(
    rows: pd.DataFrame, differences: Mapping[str, pd.Series], margin: float, words: tuple[str, str]
) -> pd.DataFrame:
    """Return the rows of `gaps`; the words are the verdicts for a difference below zero, and above it."""
    table = balanced(rows)
    networks = table[table.who.isin(ARCHITECTURES)].groupby("who").seed.nunique()
    networks[TOGETHER] = networks[networks.index.isin(EQUAL)].sum()
    out = []
    for who, gap in differences.items():
        n = int(networks.get(who, 0))
        row = _row(who, gap, margin, words, "" if n else missing(rows, who) or "not run")
        row["note"] += f", {n} network{'s' * (n != 1)} a task" * (n > 0)
        out.append(row | {"networks": n})
    return pd.DataFrame(out)


def _row(who: str, gap: pd.Series, margin: float, words: tuple[str, str], unrun: str) -> dict:
    row = {"analysis": who, "estimate": gap.mean() if len(gap) else np.nan}
    row |= dict.fromkeys(["se", "t", "df", "p", "low", "high"], np.nan)
    row |= {"n": len(gap), "p_equivalent": np.nan, "verdict": unrun or "cannot be told"}
    if gap.nunique() > 1:  # without any spread there is no test
        zero = np.zeros(len(gap))
        row |= paired_t(gap, zero).iloc[0][["se", "t", "df", "p", "low", "high"]].to_dict()
        row["p_equivalent"] = tost(gap, zero, low=-margin, high=margin).p.item()
        if row["p_equivalent"] <= 0.05:
            row["verdict"] = "no difference"
        elif not row["low"] <= 0 <= row["high"]:
            row["verdict"] = words[int(row["estimate"] > 0)]
    rules = f"{len(gap)} rule{'s' * (len(gap) != 1)}"
    return row | {"note": unrun or f"{row['verdict']}; {rules}"}
