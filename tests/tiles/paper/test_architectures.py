"""The architectures beside the paper's: against statsmodels and scipy on every score, and the numbers of the text."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from networked import TASKS, result_rows

from cogkit.data import results
from cogkit.tiles.paper import architectures, published
from cogkit.tiles.rules import RULES

NOTHING = results.table([])


def scattered(seed: int):
    """Scores that differ by network, rule, kind and seed; the same for the same arguments."""

    def z(who: str, task: str, number: int) -> float:
        rng = np.random.default_rng([seed, number, TASKS.index(task), architectures.ARCHITECTURES.index(who)])
        return -2.0 + 0.4 * task.endswith("metamer") * (TASKS.index(task) - 6) / 4 + rng.normal(0, 0.5)

    return z


def test_what_is_not_run_says_so():
    table = architectures.printed(NOTHING, "bundled")
    assert set(table.note) == {"not run"} and table.ours.isna().all() and not table.n.any()


def test_ours_are_the_statistics_of_every_score(use_mirror):
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    seeds = 3
    rows = result_rows(scattered(1), ["EPN", "CoRelNet"], seeds)
    table = architectures.printed(rows, "published").set_index(["architecture", "effect"])
    for who in ("EPN", "CoRelNet"):
        mine = rows[(rows.who == who) & (rows.metric == "z")]
        scores = pd.DataFrame({"z": mine.value, "who": "agent"})
        scores[["rule", "kind"]] = [task.split("/") for task in mine.task]
        people = published.scores().query("who == 'person'")
        fit = smf.ols("z ~ C(who, Sum) * C(kind, Sum) * C(rule, Sum)", pd.concat([people, scores])).fit()
        anova = anova_lm(fit, typ=2)
        for effect, term in (("performer:task", ""), ("performer:task:abstraction", ":C(rule, Sum)")):
            test = anova.loc[f"C(who, Sum):C(kind, Sum){term}"]
            row = table.loc[who, effect]
            assert row.ours == pytest.approx(test.F, rel=1e-6) and row.p == pytest.approx(test["PR(>F)"], abs=1e-9)
            assert row.df == f"{test.df:.0f}, {fit.df_resid:.0f}" == f"{test.df:.0f}, {399 + 400 + 16 * seeds - 32}"
            assert row.n == 16 * seeds
        metamer, abstract = (scores.z[scores.kind == kind] for kind in ("metamer", "abstract"))
        row, t = table.loc[who, "agents, metamer - abstract"], scipy.stats.ttest_ind(metamer, abstract)
        assert (row.ours, row.p, row.df) == (pytest.approx(t.statistic), pytest.approx(t.pvalue), f"{16 * seeds - 2}")
    assert table.note["EPN", "performer:task"] == "3 networks a task"
    assert table.note["Transformer", "performer:task"] == "not run"


def test_an_architecture_that_lacks_tasks_says_how_many():
    rows = pd.concat([
        result_rows(scattered(2), ["EPN"], tasks=TASKS[:14]),
        result_rows(scattered(2), ["Transformer"], seeds=1),
        result_rows(scattered(2), ["Transformer"], seeds=3, tasks=TASKS[:1]).query("seed > 0"),
    ])  # fmt: skip
    table = architectures.printed(rows, "bundled").set_index("architecture")
    assert set(table.note["EPN"]) == {"not run on 2 of 16 tasks"} and table.ours["EPN"].isna().all()
    assert set(table.n["Transformer"]) == {16}  # two more networks of one task would weigh more than the others
    assert set(architectures.balanced(rows).who) == {"Transformer"}


def test_comparisons_and_means_are_those_of_the_scores(use_mirror):
    rows = result_rows(scattered(4), ["convolutional"])
    z = rows[(rows.metric == "z") & (rows.who == "convolutional")].set_index("task").value
    table = architectures.comparisons(rows, "published").set_index(["who", "rule"])
    people = published.scores().query("who == 'person'")
    for rule in (*RULES, "all"):
        tasks = [f"{rule}/{{}}"] if rule != "all" else [f"{r}/{{}}" for r in RULES]
        mine = [np.concatenate([z[t.format(kind)] for t in tasks]) for kind in ("metamer", "abstract")]
        theirs = people if rule == "all" else people[people.rule == rule]
        theirs = [theirs.z[theirs.kind == kind] for kind in ("metamer", "abstract")]
        for who, (metamer, abstract) in (("convolutional", mine), ("people", theirs)):
            test, row = scipy.stats.ttest_ind(metamer, abstract), table.loc[who, rule]
            assert (row.t, row.p) == (pytest.approx(test.statistic), pytest.approx(test.pvalue))
            assert row.difference == pytest.approx(metamer.mean() - abstract.mean())
            limits = test.confidence_interval()
            assert (row.low, row.high) == (pytest.approx(limits.low), pytest.approx(limits.high))
            assert row.n == len(metamer) + len(abstract)
    # The t over all rules that the paper prints for people, with the sign of Fig. 4.
    assert table.t["people", "all"] == pytest.approx(13.813, abs=1e-3)
    means = architectures.means(rows, "published").set_index(["who", "rule", "kind"])
    cell = means.loc["convolutional", "tree", "metamer"]
    assert cell.value == pytest.approx(z["tree/metamer"].mean()) and (cell.n, cell.player) == (3, "model")
    half = scipy.stats.t.ppf(0.975, 2) * z["tree/metamer"].std() / math.sqrt(3)
    assert (cell.low, cell.high) == (pytest.approx(cell.value - half), pytest.approx(cell.value + half))
    assert len(means) == 32


def test_interactions_within_rules_are_those_of_the_scores(use_mirror):
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    rows = result_rows(scattered(6), ["Transformer"])
    table = architectures.interactions(rows, "published").set_index("rule")
    people = published.scores().query("who == 'person'")
    assert set(table.who) == {"Transformer"} and architectures.interactions(NOTHING, "bundled").empty
    for rule in ("copy", "tree"):
        mine = rows[(rows.metric == "z") & rows.task.str.startswith(f"{rule}/")]
        scores = pd.DataFrame({"z": mine.value, "who": "agent", "kind": mine.task.str.partition("/")[2]})
        fit = smf.ols("z ~ C(who, Sum) * C(kind, Sum)", pd.concat([people[people.rule == rule], scores])).fit()
        test = anova_lm(fit, typ=2).loc["C(who, Sum):C(kind, Sum)"]
        assert (table.f[rule], table.p[rule]) == (pytest.approx(test.F), pytest.approx(test["PR(>F)"]))
        means = scores.groupby("kind").z.mean()
        assert table.agents[rule] == pytest.approx(means["abstract"] - means["metamer"])
