"""The paper's statements about people and agents, in our words, beside the results from the published scores."""

from __future__ import annotations

import pandas as pd

from cogkit.tiles.paper.reported import COMPARISONS, comparisons, interactions
from cogkit.tiles.rules import RULES

_ALPHA = 0.05


def claims(source: str | None = None) -> pd.DataFrame:
    """Return the paper's statements about these statistics, each with the result from the scores.

    ``source`` is as in `published.cells`.

    Columns claim, found, holds (by the paper's own tests, at .05, including pinned cells).

    Examples
    --------
    >>> claims("bundled").holds.value_counts().to_dict()
    {True: 9, False: 2}
    """
    within = interactions(source).set_index("rule")
    significant = set(within.index[within.p < _ALPHA])
    alike = set(within.index[within.people < within.agents])
    tests = comparisons(source).set_index(["comparison", "rule"])
    people, agents, abstract, metamer = (_Verdict(tests.loc[name]) for name in COMPARISONS)
    every, all_but_cross = set(RULES), set(RULES) - {"cross"}
    tree = f"differ in {len(significant)} of 8 rules; in tree, F = {within.f['tree']:.2f}, p = {within.p['tree']:.2g}"
    rows = [
        ("People and agents gain differently from the rule in each of the eight rules.", tree, significant == every),
        ("Later in the paper: they do so in seven of the eight rules, but not in tree.", tree,
         significant == every - {"tree"}),
        ("People gain more from the rule than agents do in seven of the eight rules, but not in cross.",
         f"people gain more in: {_list(alike)}", alike == all_but_cross),
        ("Over all rules, people do better on abstract boards than on metamers.", people.overall,
         people.all == "better"),
        ("People do equally well on both kinds of boards in symmetry alone.", people.by_rule,
         people.level == {"symmetry"}),
        ("Over all rules, agents do better on metamers than on abstract boards.", agents.overall,
         agents.all == "better"),
        ("Agents are better on abstract boards only in rectangle and cross.", agents.by_rule,
         agents.worse == {"rectangle", "cross"}),
        ("Over all rules, people beat agents on abstract boards.", abstract.overall, abstract.all == "better"),
        ("People beat agents on abstract boards in seven of the eight rules, but not in cross.", abstract.by_rule,
         abstract.better == all_but_cross),
        ("Over all rules, agents do not beat people on metamers.", metamer.overall, metamer.all == "level"),
        ("Agents beat people on metamers in seven of the eight rules, but not in cross.", metamer.by_rule,
         metamer.better == all_but_cross),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["claim", "found", "holds"])


class _Verdict:
    """One comparison, sorted: the rules on which the first side is better, level or worse, and all together."""

    def __init__(self, tests: pd.DataFrame) -> None:
        verdict = {
            rule: "level" if test.p >= _ALPHA else "better" if test.t < 0 else "worse"
            for rule, test in tests.iterrows()
        }
        self.all = verdict.pop("all")
        self.better, self.level, self.worse = (
            {rule for rule, outcome in verdict.items() if outcome == name} for name in ("better", "level", "worse")
        )
        self.overall = f"t = {tests.t['all']:.2f}, p = {tests.p['all']:.2g}"
        self.by_rule = f"better in: {_list(self.better)}; equal in: {_list(self.level)}; worse in: {_list(self.worse)}"


def _list(rules: set[str]) -> str:
    return ", ".join(rule for rule in RULES if rule in rules) or "none"
