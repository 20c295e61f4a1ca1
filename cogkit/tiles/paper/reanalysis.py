"""Analyses that the paper did not do: the eight rules are the units, and four agent cells are pinned.

The scores of one rule are no independent evidence on rules in general, and the 15 "agents" of a cell are
passes of one network; so the paper's F counts 1,039 units where there are 8. Everything but medians and the
two-stage bootstrap needs the 32 cells only.

Signs: people and agents are abstract minus metamer (z, lower is better); "people - agents" below zero is
what the paper reports, people gaining more from the rule than agents do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
import scipy

from cogkit.stats import cluster_bootstrap, median, mixed_model, paired_t, wilcoxon
from cogkit.tiles.paper.published import cells, scores, unpinned_rules
from cogkit.tiles.paper.reported import headline
from cogkit.tiles.rules import PAPER_RULES

CONTRASTS = ("people", "agents", "people - agents")


def contrasts(centres: pd.DataFrame) -> pd.DataFrame:
    """Return each rule's contrasts of four cells: columns of `CONTRASTS`, indexed by rule.

    ``centres`` has columns rule, kind, who and ``mean`` (or another centre under that name).
    """
    table = centres.set_index(["rule", "who", "kind"])["mean"].unstack("kind")
    gain = (table["abstract"] - table["metamer"]).unstack("who")
    contrast = pd.DataFrame({"people": gain["person"], "agents": gain["agent"]})
    contrast["people - agents"] = contrast["people"] - contrast["agents"]
    return contrast.loc[[rule for rule in PAPER_RULES if rule in contrast.index]]


def pairs(source: str | None = None, rules: Sequence[str] = PAPER_RULES) -> pd.DataFrame:
    """Return the tests with the rule as unit: one pair of cells per rule, by means and, from the scores, by medians.

    ``source`` is as in `published.cells`; medians need the published scores.

    Columns centre ("mean" | "median"), contrast (`CONTRASTS`), estimate, se, t, df, p, low, high, n, wilcoxon_p
    (exact).

    Examples
    --------
    >>> pairs("bundled").t.round(2).tolist()
    [-3.73, 1.05, -1.62]
    """
    table = cells(source)
    centres = {"mean": table}
    if table.source.iloc[0] == "published":
        centres["median"] = scores().groupby(["rule", "kind", "who"]).z.median().reset_index(name="mean")
    rows = []
    for centre, values in centres.items():
        by_rule = contrasts(values).loc[list(rules)]
        for name in CONTRASTS:
            test = paired_t(by_rule[name], np.zeros(len(by_rule))).iloc[0]
            row = test[["se", "t", "df", "p", "low", "high", "n"]].to_dict()
            rows.append({"centre": centre, "contrast": name, "estimate": test.difference} | row | {
                "wilcoxon_p": wilcoxon(by_rule[name]).p.item()
            })  # fmt: skip
    return pd.DataFrame(rows)


def mixed(source: str | None = None, rules: Sequence[str] = PAPER_RULES) -> pd.DataFrame:
    """Return the mixed model in which intercept, performer, task and their interaction vary by rule.

    ``source`` is as in `published.cells`.

    As `stats.mixed_model`. performer is -0.5 for people and 0.5 for agents, task -0.5 for abstract and 0.5 for metamer,
    so that performer:task is "people - agents".

    Notes
    -----
    The normal likelihood of scores depends, within a cell, on their n, mean and sd alone. From the bundled
    cells the model is therefore fitted to stand-ins that have these, with the same result.
    """
    return _mixed(cells(source).source.iloc[0], tuple(rules)).copy()


@cache
def _mixed(source: str, rules: tuple[str, ...]) -> pd.DataFrame:
    if source == "published":
        frame = scores()
    else:
        frame = pd.concat([_stand_ins(cell) for cell in cells(source).itertuples()], ignore_index=True)
    frame = frame[frame.rule.isin(rules)].assign(
        performer=lambda f: np.where(f.who == "person", -0.5, 0.5),
        task=lambda f: np.where(f.kind == "abstract", -0.5, 0.5),
    )
    return mixed_model(frame, "z ~ performer * task", "rule", "1 + performer * task")


def _stand_ins(cell) -> pd.DataFrame:
    """Return evenly spread rows with a cell's n, mean and sd; they replace the scores in the mixed model."""
    spread = np.linspace(-1.0, 1.0, cell.n)
    z = cell.mean + spread * (cell.sd / spread.std(ddof=1))
    return pd.DataFrame({"rule": cell.rule, "kind": cell.kind, "who": cell.who, "z": z})


def bootstrap(
    rng: np.random.Generator, source: str | None = None, rules: Sequence[str] = PAPER_RULES, resamples: int = 10_000
) -> pd.DataFrame:
    """Return cluster bootstrap intervals of the three contrasts, rules resampled.

    From the published scores people and passes are resampled too, within each drawn rule's cells; from the
    bundled cells rules alone (``stages`` says which; the first stage carries nearly all of the spread).

    Columns contrast, stages (2 | 1), then those of `stats.cluster_bootstrap`. Eight clusters give intervals that are
    somewhat too short.

    Examples
    --------
    >>> bootstrap(np.random.default_rng(0), "bundled").estimate.round(2).tolist()
    [-1.69, 3.18, -4.87]
    """
    table = cells(source)
    two_stages = table.source.iloc[0] == "published"
    units = scores() if two_stages else table.rename(columns={"mean": "z"})
    units = units[units.rule.isin(rules)]
    sign = np.where(units.kind == "abstract", 1.0, -1.0)
    person = (units.who == "person").to_numpy()
    size = units.groupby(["rule", "kind", "who"]).z.transform("size")
    # Cells keep their size in a resample, so a mean over drawn rules of differences of cell means is linear in counts.
    share = (sign * units.z / size / len(rules)).to_numpy()
    weights = np.column_stack([share * person, share * ~person, share * np.where(person, 1, -1)])
    intervals = cluster_bootstrap(
        lambda counts: counts @ weights, units.rule, rng, strata=units.kind + units.who, within=two_stages,
        resamples=resamples,
    )  # fmt: skip
    intervals.insert(0, "contrast", CONTRASTS)
    intervals.insert(1, "stages", 2 if two_stages else 1)
    return intervals


def unpinned(source: str | None = None) -> pd.DataFrame:
    """Return the paper's six statistics on the four rules without a pinned cell, as `reported.headline`.

    ``source`` is as in `published.cells`.

    Examples
    --------
    >>> unpinned("bundled").value.round(2).tolist()
    [80.28, 6.26, -9.88, 0.97, -0.94, -7.45]
    """
    table = cells(source)
    return headline(table[table.rule.isin(unpinned_rules(source))])


def medians(rng: np.random.Generator, resamples: int = 2000) -> pd.DataFrame:
    """Return the median of each published cell with a bootstrap interval, and how many scores lie far out.

    Columns rule, kind, who, n, mean, median, low, high, above_2 (scores over z = 2: people who opened nearly
    everything, and agents that finished nothing), highest. Needs the published scores.
    """
    rows = []
    frame = scores()
    for cell in cells("published").itertuples():
        z = frame.z[(frame.rule == cell.rule) & (frame.kind == cell.kind) & (frame.who == cell.who)]
        middle = median(z, rng, resamples=resamples).iloc[0]
        rows.append((*cell[1:6], middle.estimate, middle.low, middle.high, int((z > 2).sum()), z.max()))
    columns = ["rule", "kind", "who", "n", "mean", "median", "low", "high", "above_2", "highest"]
    return pd.DataFrame(rows, columns=columns)


def estimates(rng: np.random.Generator, source: str | None = None) -> pd.DataFrame:
    """Return "people - agents" under each analysis, with 95 % intervals, from the paper's own to the most careful.

    Columns analysis, estimate, low, high, note.

    Examples
    --------
    >>> len(estimates(np.random.default_rng(0), "bundled"))
    7
    """
    table, rows = cells(source), []
    for rules, label in ((PAPER_RULES, "all eight rules"), (unpinned_rules(source), "the four unpinned rules")):
        rows.append((f"every score a unit, {label}", *_every_score(table[table.rule.isin(rules)])))
        test = pairs(source, rules).set_index(["centre", "contrast"]).loc[("mean", "people - agents")]
        note = f"t({test.df:.0f}) = {test.t:.2f}, p = {test.p:.2g}"
        rows.append((f"rules as units, {label}", test.estimate, test.low, test.high, note))
        fit = mixed(source, rules).set_index(["part", "term"]).loc[("fixed", "performer:task")]
        note = f"z = {fit.z:.2f}, p = {fit.p:.2g}" + ("; near-singular" if fit.warnings else "")
        rows.append((f"mixed model, {label}", fit.estimate, fit.low, fit.high, note))
    boot = bootstrap(rng, source).iloc[2]
    rows.insert(3, ("cluster bootstrap, all eight rules", boot.estimate, boot.low, boot.high, "rules resampled"))
    table = pd.DataFrame(rows, columns=["analysis", "estimate", "low", "high", "note"])
    return table.assign(note=table.note.str.replace("= -", "= −"))


def _every_score(table: pd.DataFrame) -> tuple:
    """Return the contrast of unweighted cell means with the ANOVA's residual error, as the paper counts units."""
    df = int(table.n.sum() - len(table))
    mse = float(((table.n - 1) * table.sd**2).sum() / df)
    estimate = float(contrasts(table)["people - agents"].mean())
    se = float(np.sqrt(mse * (1 / table.n).sum())) / table.rule.nunique()
    half = scipy.stats.t.ppf(0.975, df) * se
    return estimate, estimate - half, estimate + half, f"t({df}) = {estimate / se:.2f}"
