"""The paper's statements about people and agents, in our words, tested on the published scores and on our networks.

Kumar et al. 2023, "Results". The tests are the paper's own, at .05.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pandas as pd

from cogkit.data.results import shipped
from cogkit.stats.claims import Claim, Evidence, Missing, judge, survey
from cogkit.tiles.learners import transfer
from cogkit.tiles.paper import architecture_claims, architectures
from cogkit.tiles.paper.architecture_claims import POWER, RNN
from cogkit.tiles.paper.published import cells
from cogkit.tiles.paper.reported import COMPARISONS, compared, within
from cogkit.tiles.rules import PAPER_RULES

_ALPHA = 0.05
_SIDES = ("people", "agents", "abstract", "metamer")  # the comparisons, in the order of `reported.COMPARISONS`
_PASSES = 15  # of an agent, which are the paper's units


def claims(source: str | None = None) -> pd.DataFrame:
    """Return the paper's statements about these statistics, each with the result from the scores.

    ``source`` is as in `published.cells`.

    Columns claim, section, found, holds (by the paper's own tests, at .05, including pinned cells).

    Examples
    --------
    >>> int(claims("bundled").holds.sum())
    9
    """
    return judge(_CLAIMS, _Tests.of(cells(source)), str)


def verdicts(source: str | None = None) -> pd.DataFrame:
    """Return what the published scores and our networks say to each claim, those of architectures among them.

    Columns are those of `stats.claims.survey`.

    Notes
    -----
    Differs from the paper: under ``verified`` an agent is a network of its own seed, and not a pass of one network, and
    no cell is pinned. The people are the published ones. A difference that is not significant refutes a statement only
    if its interval leaves out the paper's difference; a few networks cannot tell how many rules have one.

    Examples
    --------
    >>> table = verdicts("bundled").set_index("claim")
    >>> table.by["People do equally well on both kinds of boards in symmetry alone."]
    'as_published'
    """
    rows = shipped("tiles")
    ours = architectures.cells_of(rows, source)
    networks = ours[RNN]
    units = int(networks.n.iloc[0])
    table = pd.concat([ours[architectures.PEOPLE], networks], ignore_index=True)
    own = survey(
        _CLAIMS, str,
        as_published=Evidence(_Tests.of(cells(source)), n="the published scores", units=_PASSES, people=True),
        verified=Evidence(_Tests.of(table), n=f"{units} networks a task, the published people", units=units),
    )  # fmt: skip
    return pd.concat([own, architecture_claims.verdicts(transfer.stored(rows), source)], ignore_index=True)


@dataclass(frozen=True)
class _Tests:
    """The interaction within each rule, indexed by rule, and the four comparisons in their order."""

    within: pd.DataFrame
    people: _Comparison
    agents: _Comparison
    abstract: _Comparison
    metamer: _Comparison

    @classmethod
    def of(cls, table: pd.DataFrame) -> _Tests:
        """Return the tests of a table of cells."""
        tests = compared(table).set_index(["comparison", "rule"])
        return cls(within(table).set_index("rule"), *(_Comparison(tests.loc[name]) for name in COMPARISONS))

    def conclusive(self, name: str) -> _Comparison:
        """Return a comparison that is significant over all rules, or whose interval leaves out the paper's difference.

        Raises
        ------
        Missing
            It is neither: there are too few scores.
        """
        comparison: _Comparison = getattr(self, name)
        low, high = comparison.limits
        if comparison.all == "level" and low <= _differences()[name] <= high:
            raise Missing(f"{comparison.overall}: too few to tell")
        return comparison

    @property
    def differing(self) -> set[str]:
        """The rules in which people and agents gain differently."""
        return set(self.within.index[self.within.p < _ALPHA])

    @property
    def more(self) -> set[str]:
        """The rules from which people gain more than agents."""
        return set(self.within.index[self.within.people < self.within.agents])


@cache
def _differences() -> dict[str, float]:
    """Return the paper's differences over all rules, by the names of the comparisons here."""
    table = compared(cells("bundled"))
    return dict(zip(_SIDES, table.difference[table.rule == "all"], strict=True))


class _Comparison:
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
        every = tests.loc["all"]
        self.limits = every.low, every.high
        self.overall = (
            f"{every.difference:.2f} z [{every.low:.2f}, {every.high:.2f}], t = {every.t:.2f}, p = {every.p:.2g}"
        )
        self.by_rule = f"better in: {_list(self.better)}; equal in: {_list(self.level)}; worse in: {_list(self.worse)}"


def _list(rules: set[str]) -> str:
    return ", ".join(rule for rule in PAPER_RULES if rule in rules) or "none"


def _differ(tests: _Tests) -> str:
    tree = tests.within.loc["tree"]
    return f"differ in {len(tests.differing)} of 8 rules; in tree, F = {tree.f:.2f}, p = {tree.p:.2g}"


def _overall(comparison: _Comparison) -> str:
    return comparison.overall


def _by_rule(comparison: _Comparison) -> str:
    return comparison.by_rule


_EVERY, _BUT_CROSS = set(PAPER_RULES), set(PAPER_RULES) - {"cross"}
_TEXT = "Results"
_CLAIMS = (
    Claim("People and agents gain differently from the rule in each of the eight rules.", _TEXT, _differ,
          lambda tests: tests, lambda tests: tests.differing == _EVERY, power=POWER),
    Claim("Later in the paper: they do so in seven of the eight rules, but not in tree.", _TEXT, _differ,
          lambda tests: tests, lambda tests: tests.differing == _EVERY - {"tree"},
          power=POWER),
    Claim("People gain more from the rule than agents do in seven of the eight rules, but not in cross.", _TEXT,
          lambda more: f"people gain more in: {_list(more)}", lambda tests: tests.more,
          lambda more: more == _BUT_CROSS),
    Claim("Over all rules, people do better on abstract boards than on metamers.", _TEXT, _overall,
          lambda tests: tests.people, lambda people: people.all == "better", people=True),
    Claim("People do equally well on both kinds of boards in symmetry alone.", _TEXT, _by_rule,
          lambda tests: tests.people, lambda people: people.level == {"symmetry"}, people=True),
    Claim("Over all rules, agents do better on metamers than on abstract boards.", _TEXT, _overall,
          lambda tests: tests.conclusive("agents"), lambda agents: agents.all == "better"),
    Claim("Agents are better on abstract boards only in rectangle and cross.", _TEXT, _by_rule,
          lambda tests: tests.agents, lambda agents: agents.worse == {"rectangle", "cross"},
          power=POWER),
    Claim("Over all rules, people beat agents on abstract boards.", _TEXT, _overall,
          lambda tests: tests.conclusive("abstract"), lambda abstract: abstract.all == "better"),
    Claim("People beat agents on abstract boards in seven of the eight rules, but not in cross.", _TEXT, _by_rule,
          lambda tests: tests.abstract, lambda abstract: abstract.better == _BUT_CROSS,
          power=POWER),
    Claim("Over all rules, agents do not beat people on metamers.", _TEXT, _overall,
          lambda tests: tests.metamer, lambda metamer: metamer.all == "level"),
    Claim("Agents beat people on metamers in seven of the eight rules, but not in cross.", _TEXT, _by_rule,
          lambda tests: tests.metamer, lambda metamer: metamer.better == _BUT_CROSS,
          power=POWER),
)  # fmt: skip
