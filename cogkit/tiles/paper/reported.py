"""The paper's statistics of people and agents and its tables S2, S3 and S4, recomputed.

Kumar et al. 2023, "Results" and supplementary tables S2–S4. Everything here needs the 32 cells only, so it
is the same from the published scores and from the bundled statistics.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from cogkit.data.facts import facts
from cogkit.stats import Sample, anova_from_cells, t_test
from cogkit.tiles.paper.published import cells, pinned, sample
from cogkit.tiles.rules import PAPER_RULES

_FACTORS = {"who": "performer", "kind": "task", "rule": "abstraction"}
# The four comparisons of S4, each first minus second: a negative t says that the first did better.
COMPARISONS = {
    "people, abstract - metamer": (("person", "abstract"), ("person", "metamer")),
    "agents, metamer - abstract": (("agent", "metamer"), ("agent", "abstract")),
    "abstract, people - agents": (("person", "abstract"), ("agent", "abstract")),
    "metamer, agents - people": (("agent", "metamer"), ("person", "metamer")),
}
_NUMBERS = dict.fromkeys(["printed", "digit", "printed_df", "printed_df_resid"], float)


def _printed() -> pd.DataFrame:
    """Return the statistics as the text prints them, by effect; ``digit`` is the unit of the last digit."""
    return facts(__file__, "printed").replace("", np.nan).astype(_NUMBERS).set_index("effect")


def anova_table(source: str | None = None) -> pd.DataFrame:
    """Return the three-way ANOVA of table S2, the printed degrees of freedom beside the true ones.

    ``source`` is as in `published.cells`. The paper's F needs sums of squares of type 2.

    The columns of `stats.anova`, then printed_f, printed_df, printed_df_resid (missing where the text prints nothing;
    the supplement itself was not to be had).

    Notes
    -----
    Differs from the paper: 1,036 = 1,040 - 4 and 1,008 = 1,040 - 32 mix two models, and one person is
    missing. The full model of 1,039 scores has 1,039 - 32 = 1,007.

    Examples
    --------
    >>> anova_table("bundled").set_index("term").f["performer:task"].round(6)
    np.float64(888.715683)
    """
    table = anova_from_cells(cells(source).rename(columns=_FACTORS), list(_FACTORS.values()))
    tests = _printed()[["printed", "printed_df", "printed_df_resid"]].dropna().rename(columns={"printed": "printed_f"})
    return table.join(tests, on="term")


def headline(table: pd.DataFrame) -> pd.DataFrame:
    """Return the six statistics that the paper reports, of any table of cells over two rules or more.

    The table is as `published.cells` gives it, or the part of it that holds some of the rules.

    Columns effect, statistic ("F" | "t"), value, df (of the effect; missing for t), df_resid, p, first, second (the
    means compared, pooled over rules; missing for F).

    Notes
    -----
    F: full factorial, Type II. t: one variance, all scores of the rules thrown together.

    Examples
    --------
    >>> headline(cells("bundled")).value.round(3).tolist()
    [888.716, 339.575, -13.814, -4.89, -13.178, -0.953]
    """
    anova = anova_from_cells(table.rename(columns=_FACTORS), list(_FACTORS.values())).set_index("term")
    rows = []
    for term in ("performer:task", "performer:task:abstraction"):
        row = anova.loc[term, ["df", "df_resid", "p"]].to_dict()
        rows.append({"effect": term, "statistic": "F", "value": anova.f[term]} | row)
    for name, (first_cell, second_cell) in COMPARISONS.items():
        first, second = (sample(table, who=who, kind=kind) for who, kind in (first_cell, second_cell))
        test = t_test(first, second).iloc[0]
        rows.append({
            "effect": name, "statistic": "t", "value": test.t, "df_resid": test.df, "p": test.p, "first": first.mean,
            "second": second.mean,
        })  # fmt: skip
    return pd.DataFrame(rows)


def reported(source: str | None = None) -> pd.DataFrame:
    """Return each statistic as printed and as recomputed.

    The columns of `headline`, then printed, printed_df, printed_df_resid, printed_p, agrees (to the last printed digit,
    which the paper sometimes cuts rather than rounds) and df_agrees.

    Examples
    --------
    >>> bool(reported("bundled").agrees.all())
    True
    """
    table = headline(cells(source)).join(_printed(), on="effect")
    table["agrees"] = (table.value - table.printed).abs() < table.pop("digit")
    return table.assign(df_agrees=table.df_resid == table.printed_df_resid)


def interactions(source: str | None = None) -> pd.DataFrame:
    """Return the performer × task interaction within each rule (table S3).

    Columns rule, f, df, df_resid, p, people, agents (each abstract minus metamer, in z), pinned. The paper's direction
    is people < agents.

    Notes
    -----
    Two-way ANOVA of the rule's own scores, Type II: df (1, 126), for copy (1, 125).

    Examples
    --------
    >>> interactions("bundled").f.round(2).tolist()
    [550.39, 17.97, 24.68, 475.36, 9.01, 489.06, 487.36, 56.1]
    """
    stuck = set(pinned(source).rule)
    return within(cells(source)).assign(pinned=lambda table: table.rule.isin(stuck))


def within(table: pd.DataFrame) -> pd.DataFrame:
    """Return `interactions` without ``pinned``, of any table of cells such as `published.cells`."""
    rows = []
    for rule in PAPER_RULES:
        part = table[table.rule == rule]
        test = anova_from_cells(part, ["who", "kind"]).set_index("term").loc["who:kind"]
        mean = part.set_index(["who", "kind"])["mean"]
        people, agents = (mean[who, "abstract"] - mean[who, "metamer"] for who in ("person", "agent"))
        rows.append((rule, test.f, test.df, test.df_resid, test.p, people, agents))
    return pd.DataFrame(rows, columns=["rule", "f", "df", "df_resid", "p", "people", "agents"])


def comparisons(source: str | None = None) -> pd.DataFrame:
    """Return the four comparisons within each rule (table S4), and over all rules under the rule "all".

    ``source`` is as in `published.cells`. The paper's test has one variance.

    Columns rule, comparison, first, second (means), difference, se, t, df, p, low, high, pinned (one of the two cells
    is pinned). A negative t says that the first did better.

    Examples
    --------
    >>> len(comparisons("bundled"))
    36
    """
    stuck = set(pinned(source)[["rule", "who", "kind"]].itertuples(index=False, name=None))
    stuck |= {("all", who, kind) for _, who, kind in stuck}
    table = compared(cells(source))
    marks = [
        any((rule, *cell) in stuck for cell in COMPARISONS[name])
        for rule, name in zip(table.rule, table.comparison, strict=True)
    ]
    return table.assign(pinned=marks)


def compared(table: pd.DataFrame) -> pd.DataFrame:
    """Return `comparisons` without ``pinned``, of any table of cells such as `published.cells`."""
    samples = [((row.rule, row.who, row.kind), Sample(int(row.n), row.mean, row.sd)) for row in table.itertuples()]
    rows = []
    for rule, (name, pair) in product((*PAPER_RULES, "all"), COMPARISONS.items()):
        first, second = (
            Sample.combine(one for (own, *side), one in samples if side == [*which] and rule in (own, "all"))
            for which in pair
        )
        test = t_test(first, second).iloc[0]
        row = {"rule": rule, "comparison": name, "first": first.mean, "second": second.mean}
        rows.append(row | test[["difference", "se", "t", "df", "p", "low", "high"]].to_dict())
    return pd.DataFrame(rows)
