"""Whether machines prefer metamers: tests over rules against scipy, and verdicts at their limits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from networked import TASKS, result_rows

from cogkit.tiles.paper import preference, published
from cogkit.tiles.problems import splits
from cogkit.tiles.rules import RULES

WHOS = ("EPN", "Transformer")


def scores(gap: np.ndarray, spread: float = 0.2, seed: int = 0):
    """Scores of which abstract minus metamer is ``gap[rule]`` before the spread of networks."""

    def z(who: str, task: str, number: int) -> float:
        rng = np.random.default_rng([seed, number, TASKS.index(task), len(who)])
        rule, kind = task.split("/")
        height = np.cos(3 * RULES.index(rule))  # rules differ by more than their difference
        return height + gap[RULES.index(rule)] * (kind == "abstract") + spread * rng.normal()

    return z


def differences(rows: pd.DataFrame, who, rules=RULES) -> np.ndarray:
    """Return abstract minus metamer of one architecture in each rule, of means over seeds."""
    means = rows[(rows.who == who) & (rows.metric == "z")].groupby("task").value.mean()
    return np.array([means[f"{rule}/abstract"] - means[f"{rule}/metamer"] for rule in rules])


def test_gaps_are_paired_tests_over_rules():
    gap = np.random.default_rng(1).normal(0.4, 1, 8)
    rows = result_rows(scores(gap), WHOS)
    table = preference.gaps(rows, source="bundled").set_index("analysis")
    by_rule = {who: differences(rows, who) for who in WHOS}
    by_rule[preference.TOGETHER] = np.mean(list(by_rule.values()), axis=0)
    people = published.cells("bundled").query("who == 'person'").pivot(index="rule", columns="kind", values="mean")
    people = (people.abstract - people.metamer)[list(RULES)].to_numpy()
    for who, values in (by_rule | {"people": people}).items():
        test, row = scipy.stats.ttest_1samp(values, 0), table.loc[who]
        assert (row.estimate, row.t, row.p) == pytest.approx((values.mean(), test.statistic, test.pvalue))
        limits = test.confidence_interval()
        assert (row.low, row.high, row.df, row.n) == pytest.approx((limits.low, limits.high, 7, 8))
        ends = (0.3, "less"), (-0.3, "greater")
        sides = [scipy.stats.ttest_1samp(values, end, alternative=side).pvalue for end, side in ends]
        assert row.p_equivalent == pytest.approx(max(sides))
    assert table.networks.to_dict()[preference.TOGETHER] == 6 and table.networks["people"] == 0
    # 8 rules as units, as § 7.2 of the facts has it for people.
    assert table.t["people"] == pytest.approx(-3.73, abs=5e-3) and table.p["people"] == pytest.approx(0.007, abs=5e-4)


@pytest.mark.parametrize(
    ("centre", "width", "verdict"),
    [
        (1.0, 0.5, "metamers are easier"), (-1.0, 0.5, "the rule is easier"), (0.0, 0.2, "no difference"),
        (0.15, 0.1, "no difference"), (0.2, 1.0, "cannot be told"), (-0.2, 1.0, "cannot be told"),
    ],
)  # fmt: skip
def test_verdicts_follow_the_interval_and_the_margin(centre, width, verdict):
    spread = np.array([-1.0, 1, -1, 1, -1, 1, -1, 1])
    rows = result_rows(scores(centre + width * spread, spread=0), ["EPN"], seeds=1)
    table = preference.gaps(rows, source="bundled").set_index("analysis")
    assert table.verdict["EPN"] == verdict and table.note["EPN"].startswith(verdict)
    # t.975 of 7 df is 2.365, t.95 is 1.895, and the sd of the spread is 1.069.
    se = width * np.sqrt(8 / 7) / np.sqrt(8)
    within = abs(centre) + 1.895 * se <= 0.3
    assert (verdict == "no difference") == within and (abs(centre) > 2.365 * se or "easier" not in verdict)


FAMILY = {rule: name for name in splits.HELD if (rule := name.partition(", ")[0]) in RULES and "never" not in name}


def above(who: str, rule: str, parts: tuple[float, ...], half: float = 0.1, rung: str = "interpolation"):
    """Rows of as many networks, each so far above memory on the family of a rule, with an interval of one run."""
    row = {"cell": f"tiles/x/{rule}", "kind": "model", "who": who, "metric": "above memory", "split": FAMILY[rule]}
    row |= {"task": f"{rule}/family", "instrument": "tiles", "rung": rung, "n": 120}
    row["interval"] = "95% over items, one run"
    return [row | {"seed": k, "value": v, "low": v - half, "high": v + half} for k, v in enumerate(parts)]


def test_only_learnt_rules_count_where_that_is_asked():
    """Learnt is at least half of the way above memory, with an interval above it, on a rung where that can be told."""
    good = {"EPN": RULES[:3], "Transformer": RULES[2:4], "CoRelNet": RULES[:1]}
    gap = np.random.default_rng(2).normal(0, 1, 8)
    rows = result_rows(scores(gap), good)
    families = [row for who, rules in good.items() for rule in rules for row in above(who, rule, (0.7, 0.8, 0.9))]
    families += above("EPN", RULES[3], (0.4, 0.4, 0.45)) + above("EPN", RULES[4], (0.0, 0.9, 1.8))
    families += above("EPN", RULES[5], (0.9, 0.9, 0.9), rung="orbit") + above("rule learner", RULES[6], (1.0, 1.0, 1.0))
    rows = pd.concat([rows, pd.DataFrame(families)], ignore_index=True)
    table = preference.learnt(rows)
    assert table.who.drop_duplicates().tolist() == ["EPN", "Transformer", "CoRelNet"]
    verdicts = table[table.who == "EPN"].set_index("rule").verdict.to_dict()
    partly = {RULES[3]: "partly", RULES[4]: "not shown", RULES[5]: "not shown"}
    assert verdicts == dict.fromkeys(RULES[:3], "learnt") | partly
    gaps = preference.gaps(rows, only_learnt=True, source="bundled").set_index("analysis")
    for who in ("EPN", "Transformer"):
        test = scipy.stats.ttest_1samp(differences(rows, who, rules=good[who]), 0)
        assert (gaps.t[who], gaps.n[who]) == (pytest.approx(test.statistic), len(good[who]))
    assert gaps.n["CoRelNet"] == 1 and np.isnan(gaps.low["CoRelNet"]) and gaps.verdict["CoRelNet"] == "cannot be told"
    assert gaps.n[preference.TOGETHER] == 4
