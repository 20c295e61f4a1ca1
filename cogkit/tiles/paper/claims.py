"""The paper's statements about people and agents, in our words, tested on the published scores and on our networks.

Kumar et al. 2023, "Results". The tests are the paper's own, at .05.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.stats.claims import Claim, Evidence, Missing, judge, survey
from cogkit.tiles.learners import transfer
from cogkit.tiles.paper import architecture_claims, architectures
from cogkit.tiles.paper.architecture_claims import RNN
from cogkit.tiles.paper.published import cells
from cogkit.tiles.paper.reported import compared, within
from cogkit.tiles.rules import PAPER_RULES

_ALPHA = 0.05
_SIDES = ("people", "agents", "abstract", "metamer")  # the comparisons, in the order of `reported.COMPARISONS`
_VERDICTS = {"better": "better in", "level": "equal in", "worse": "worse in"}
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
    return judge(_CLAIMS, _Tests(cells(source)), str)


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
        as_published=Evidence(_Tests(cells(source)), n="the published scores", units=_PASSES, people=True),
        verified=Evidence(_Tests(table), n=f"{units} networks a task, the published people", units=units),
    )  # fmt: skip
    return pd.concat([own, architecture_claims.verdicts(transfer.stored(rows), source)], ignore_index=True)


class _Tests:
    """The interaction within each rule of a table of cells, and its four comparisons by their side; both by rule."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.within = within(table).set_index("rule")
        tests = compared(table)
        tests["verdict"] = np.where(tests.p >= _ALPHA, "level", np.where(tests.t < 0, "better", "worse"))
        parts = tests.groupby("comparison", sort=False)
        self.sides = {side: part.set_index("rule") for side, (_, part) in zip(_SIDES, parts, strict=True)}

    def overall(self, side: str) -> str:
        """Return a comparison over all rules in words."""
        every = self.sides[side].loc["all"]
        limits = f"[{every.low:.2f}, {every.high:.2f}]"
        return f"{every.difference:.2f} z {limits}, t = {every.t:.2f}, p = {every.p:.2g}"

    def rules(self, test: str, side: str) -> set[str]:
        """Return the rules of which a test is true: people and agents differ, people gain more, or a side is better."""
        if test == "differing":
            true = self.within.p < _ALPHA
        elif test == "more":
            true = self.within.people < self.within.agents
        else:
            true = self.sides[side].drop("all").verdict == test
        return set(true.index[true])


def _claim(row: pd.Series) -> Claim:
    """Return a claim of the table."""
    test, side, wanted = row.test, row.about, row.wanted
    over_all = test in ("overall", "conclusive")
    exceptions = wanted.removeprefix("all but ").split(", ")
    rules = set(PAPER_RULES) - set(exceptions) if wanted.startswith("all") else set(exceptions)

    def values(tests: _Tests) -> _Tests:
        """Return the tests; `Missing` if one must be conclusive, and its interval holds zero and the paper's result."""
        if test == "conclusive":
            every = tests.sides[side].loc["all"]
            if every.verdict == "level" and every.low <= _differences()[side] <= every.high:
                raise Missing(f"{tests.overall(side)}: too few to tell")
        return tests

    def formatter(tests: _Tests) -> str:
        if over_all:
            return tests.overall(side)
        if test == "differing":
            tree = tests.within.loc["tree"]
            n = len(tests.rules(test, side))
            return f"differ in {n} of 8 rules; in tree, F = {tree.f:.2f}, p = {tree.p:.2g}"
        names = {"more": "people gain more in"} if test == "more" else _VERDICTS
        return "; ".join(f"{words}: {_list(tests.rules(name, side))}" for name, words in names.items())

    def holds(tests: _Tests) -> bool:
        return tests.sides[side].verdict["all"] == wanted if over_all else tests.rules(test, side) == rules

    return Claim(row.claim, row.section, formatter, values, holds, people=bool(row.people), power=row.power)


_CLAIMS = [_claim(row) for _, row in facts(__file__, "claims").iterrows()]


@cache
def _differences() -> dict[str, float]:
    """Return the paper's differences over all rules, by the side of the comparison."""
    table = compared(cells("bundled"))
    return dict(zip(_SIDES, table.difference[table.rule == "all"], strict=True))


def _list(rules: set[str]) -> str:
    return ", ".join(rule for rule in PAPER_RULES if rule in rules) or "none"
