"""The paper's statements about people and agents, in our words, tested on the published scores and on our networks.

Kumar et al. 2023, "Results". The tests are the paper's own, at .05.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np
import pandas as pd

from cogkit.core.seeding import stream
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.stats.claims import Claim, Evidence, around, judge, survey, text
from cogkit.stats.claims import power as claims_power
from cogkit.tiles.learners import transfer
from cogkit.tiles.paper import architecture_claims, architectures
from cogkit.tiles.paper.architecture_claims import NEEDED, REACHED, RNN
from cogkit.tiles.paper.preference import MARGIN
from cogkit.tiles.paper.published import cells
from cogkit.tiles.paper.reported import compared, within
from cogkit.tiles.rules import PAPER_RULES

_ALPHA = 0.05
_SIDES = ("people", "agents", "abstract", "metamer")  # the comparisons, in the order of `reported.COMPARISONS`
_VERDICTS = {"better": "better in", "level": "equal in", "worse": "worse in"}
_DRAWS = 100  # of the people's scores, for their error


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
    The published people decide on claims about people. The published agents are 15 passes of one network a task, so
    that they show what the paper found, and decide nothing: one run. Our networks have as many clicks as the paper's
    program takes, and another training.

    Examples
    --------
    >>> table = verdicts("bundled").set_index("claim")
    >>> table.verdict["Over all rules, people do better on abstract boards than on metamers."]
    'holds'
    """
    rows, scores = shipped("tiles"), cells(source)
    ours = architectures.cells_of(rows, source)
    networks = ours[RNN]
    table = pd.concat([ours[architectures.PEOPLE], networks], ignore_index=True)
    own = survey(
        _CLAIMS, partial(text, form=".2f"), needed=NEEDED, reached=REACHED,
        printed=_published(scores),
        changed=Evidence(_Tests(table), n=f"{int(networks.n.iloc[0])} networks a task, the published people"),
    )  # fmt: skip
    return pd.concat([own, architecture_claims.verdicts(transfer.stored(rows), source)], ignore_index=True)


def power() -> pd.DataFrame:
    """Return how often as many people would say that a claim holds, and that it does not: `stats.claims.power`."""
    return claims_power(_CLAIMS, _published(cells("bundled")))


def _published(scores: pd.DataFrame) -> Evidence:
    people = int(scores[scores.who == "person"].n.min())
    draws = [_Tests(_again(scores, stream(0, f"tiles/claims/{k}"))) for k in range(_DRAWS)]
    return Evidence(_Tests(scores), draws=draws, n="the published scores", about={"people": people})


def _again(scores: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return cells as other people might have filled them."""
    return scores.assign(mean=scores["mean"] + rng.normal(size=len(scores)) * scores.sd / np.sqrt(scores.n))


class _Tests:
    """The interaction within each rule of a table of cells, and its four comparisons by their side; both by rule."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        tests = compared(table)
        parts = tests.groupby("comparison", sort=False)
        self.sides = {side: part.set_index("rule") for side, (_, part) in zip(_SIDES, parts, strict=True)}

    @cached_property
    def within(self) -> pd.DataFrame:
        """The interaction of people and agents with the two kinds of boards, by rule."""
        return within(self.table).set_index("rule")

    def overall(self, side: str) -> str:
        """Return a comparison over all rules in words."""
        every = self.sides[side].loc["all"]
        limits = f"[{every.low:.2f}, {every.high:.2f}]"
        return f"{every.difference:.2f} z {limits}, t = {every.t:.2f}, p = {every.p:.2g}"

    def strength(self, test: str, side: str) -> pd.Series:
        """Return how true a test is of each rule: people and agents differ, people gain more, or a side is better."""
        if test == "differing":
            return _ALPHA - self.within.p
        if test == "more":
            return self.within.agents - self.within.people
        table = self.sides[side].drop("all")
        if test == "level":
            return table.p - _ALPHA
        side_is_right = (table.t < 0) == (test == "better")
        return (_ALPHA - table.p).where(side_is_right, -1.0)

    def rules(self, test: str, side: str) -> set[str]:
        """Return the rules of which a test is true."""
        strength = self.strength(test, side)
        return set(strength.index[strength > 0])


def _claim(row: pd.Series) -> Claim:
    """Return a claim of the table."""
    test, side, wanted = row.test, row.about, row.wanted
    exceptions = wanted.removeprefix("all but ").split(", ")
    rules = set(PAPER_RULES) - set(exceptions) if wanted.startswith("all") else set(exceptions)

    def margins(tests: _Tests) -> pd.Series:
        """Return how far each rule, or all together, is on the side that the claim says."""
        if test == "overall":
            every = tests.sides[side].loc["all"]
            by = pd.Series({"over all rules": every.difference})
            margin = -by if wanted == "better" else around(by, 0.0, MARGIN)
            if row.people:
                return margin
            sure = _ALPHA - every.p
            return pd.concat([margin, pd.Series({"p": sure if wanted == "better" else -sure})])
        if test == "level":
            by = tests.sides[side].difference[list(PAPER_RULES)]
            return pd.concat([around(by[list(rules)], 0.0, MARGIN), -by.drop(list(rules))])
        is_named = pd.Series([1.0 if rule in rules else -1.0 for rule in PAPER_RULES], PAPER_RULES)
        return is_named * tests.strength(test, side)

    def formatter(tests: _Tests) -> str:
        if test == "overall":
            return tests.overall(side)
        if test == "differing":
            tree = tests.within.loc["tree"]
            n = len(tests.rules(test, side))
            return f"differ in {n} of 8 rules; in tree, F = {tree.f:.2f}, p = {tree.p:.2g}"
        names = {"more": "people gain more in"} if test == "more" else _VERDICTS
        return "; ".join(f"{words}: {_list(tests.rules(name, side))}" for name, words in names.items())

    return Claim(
        row.claim, row.section, formatter, lambda tests: tests, margins, about="people" if row.people else "model"
    )


_CLAIMS = [_claim(row) for _, row in facts(__file__, "claims").iterrows()]


def _list(rules: set[str]) -> str:
    return ", ".join(rule for rule in PAPER_RULES if rule in rules) or "none"
