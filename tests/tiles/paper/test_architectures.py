"""The architectures beside the paper's: against statsmodels and scipy on every score, and the numbers of the text."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from networked import TASKS, result_rows
from raw_anova import anova

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


def scores_of(rows: pd.DataFrame, who: str) -> pd.DataFrame:
    mine = rows[(rows.who == who) & (rows.metric == "z")]
    scores = pd.DataFrame({"z": mine.value, "who": "agent"})
    scores[["rule", "kind"]] = [task.split("/") for task in mine.task]
    return scores


def people(rule: str = "all") -> pd.DataFrame:
    scores = published.scores().query("who == 'person'")
    return scores if rule == "all" else scores[scores.rule == rule]


def test_what_is_not_run_says_so():
    table = architectures.printed(NOTHING, "bundled")
    assert set(table.note) == {"not run"} and table.ours.isna().all() and not table.n.any()


def test_ours_are_the_statistics_of_every_score(use_mirror):
    seeds = 3
    rows = result_rows(scattered(1), ["EPN", "CoRelNet"], seeds)
    table = architectures.printed(rows, "published").set_index(["architecture", "effect"])
    for who in ("EPN", "CoRelNet"):
        scores = scores_of(rows, who)
        tests = anova(pd.concat([people(), scores]), "z", ["who", "kind", "rule"]).set_index("term")
        for effect, term in (("performer:task", "who:kind"), ("performer:task:abstraction", "who:kind:rule")):
            test, row = tests.loc[term], table.loc[who, effect]
            assert row.ours == pytest.approx(test.f, rel=1e-6) and row.p == pytest.approx(test.p, abs=1e-9)
            assert row.df == f"{test.df:.0f}, {test.df_resid:.0f}" and row.n == 16 * seeds
            assert test.df_resid == 399 + 400 + 16 * seeds - 32
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
    for rule in (*RULES, "all"):
        tasks = [f"{rule}/{{}}"] if rule != "all" else [f"{r}/{{}}" for r in RULES]
        mine = [np.concatenate([z[t.format(kind)] for t in tasks]) for kind in ("metamer", "abstract")]
        theirs = [people(rule).query("kind == @kind").z for kind in ("metamer", "abstract")]
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
    rows = result_rows(scattered(6), ["Transformer"])
    table = architectures.interactions(rows, "published").set_index("rule")
    assert set(table.who) == {"Transformer"} and architectures.interactions(NOTHING, "bundled").empty
    for rule in ("copy", "tree"):
        scores = scores_of(rows, "Transformer").query("rule == @rule")
        test = anova(pd.concat([people(rule), scores]), "z", ["who", "kind"]).set_index("term").loc["who:kind"]
        assert (table.f[rule], table.p[rule]) == (pytest.approx(test.f), pytest.approx(test.p))
        means = scores.groupby("kind").z.mean()
        assert table.agents[rule] == pytest.approx(means["abstract"] - means["metamer"])
