"""The paper's statements about architectures and transfer, in our words, beside the results of our own networks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd

from cogkit.core.errors import some
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.stats.claims import Claim, Evidence, Missing, at_least, judge, survey, text
from cogkit.tiles.learners.agents import MIXTURE
from cogkit.tiles.paper import architectures
from cogkit.tiles.paper.preference import MARGIN
from cogkit.tiles.rules import PAPER_RULES

ALIKE = 1.0
"""The range of z within which several agents do about the same: one standard deviation of the luck on a board."""
_ALPHA = 0.05
_OTHERS = ("EPN", "Transformer", "CoRelNet")
RNN = "LSTM, 2 M clicks"
NEEDED = "the paper's network, trained by the paper's program: 2 M clicks of an LSTM (8 M of the others), three runs"
REACHED = "changed: 2 M clicks, many boards at once, settings of our own search; the others rebuilt in another form"


@dataclass(frozen=True)
class _Results:
    """What decides: z of each network, the statistics of each architecture, and z by training and test."""

    means: pd.DataFrame
    comparisons: pd.DataFrame
    interactions: pd.DataFrame
    mixture: pd.DataFrame
    matrix: pd.Series | None

    def of(self, who: str, name: str) -> pd.DataFrame:
        """Return the rows of one architecture, by rule, in one of the tables."""
        table = getattr(self, name)
        part = table[table.who == who].set_index("rule")
        if part.empty:
            raise Missing(f"not run: {who}")
        return part

    def trained(self) -> pd.Series:
        """Return z by test of the agents of all tasks, indexed by training and test."""
        if self.matrix is None:
            raise Missing("not run: agents on each other's boards")
        return self.matrix


# The numbers that decide on a claim, by the name of its test; ``about`` is a column of the table of claims.


def _differing(results: _Results, about: str) -> pd.Series:
    """Return by rule how far people and an architecture differ beyond the margin; at most 0 if no test says so."""
    part = results.of(about, "interactions")
    more = (part.people - part.agents).astype(float).abs() - MARGIN
    return more.where(part.p < _ALPHA, more.clip(upper=0.0))


def _lead(results: _Results, about: str) -> pd.Series:
    """Return in how many tasks the RNN is better than each of the others, by more than the margin."""
    z = results.means.set_index(["who", "rule", "kind"]).value
    names = set(z.index.get_level_values("who"))
    if absent := [who for who in (RNN, *_OTHERS) if who not in names]:
        raise Missing(f"not run: {some(absent)}")
    return pd.Series({who: int((z[who] - z[RNN] > MARGIN).sum()) for who in _OTHERS})


def _worse(results: _Results, about: str) -> pd.Series:
    """Return by rule how much worse on metamers its agent does, or the RNN that learnt all rules."""
    if about == "all rules":
        z = results.mixture[results.mixture.who == RNN].groupby(["rule", "kind"]).z.mean().unstack()
        if len(z) < len(PAPER_RULES):
            raise Missing("not run: an agent of all rules")
        return (z.metamer - z.abstract)[list(PAPER_RULES)]
    own = {rule: results.trained()[f"{rule}/abstract"] for rule in PAPER_RULES}
    return pd.Series({rule: z[f"{rule}/metamer"] - z[f"{rule}/abstract"] for rule, z in own.items()})


def _on_copy(results: _Results, about: str) -> pd.Series:
    """Return z on boards of copy by training task."""
    return results.trained().xs("copy/abstract", level="tested").sort_values()


def _of_zigzag(results: _Results, about: str) -> pd.Series:
    """Return z of the agent of zigzag metamers on the other metamers."""
    z = results.trained().xs("zigzag/metamer", level="trained")
    return z[z.index.str.endswith("/metamer") & (z.index != "zigzag/metamer")].sort_values()


def claims(rows: pd.DataFrame, matrix: pd.DataFrame | None = None, source: str | None = None) -> pd.DataFrame:
    """Return the paper's statements about other architectures and about transfer, each with the result of our networks.

    Parameters
    ----------
    rows, source
        As in `paper.architectures`.
    matrix : DataFrame, optional
        Agents of one architecture on all tasks, as `learners.transfer.matrix` gives it; the paper's is the RNN.

    Returns
    -------
    DataFrame
        Columns claim, section, found, holds (missing for what was not run).

    Notes
    -----
    Differs from the paper: each statement also needs a difference that is no trifle, of more than `MARGIN` in z. Agents
    do better on metamers if the paper's t test is significant and their means differ by more. They differ from people
    in a rule if the interaction is significant and larger. The RNN typically outperforms another architecture if
    it is better by more in over half of the tasks. Agents do about the same if their z lie within `ALIKE`. An agent
    does well on a task if it beats the nearest neighbour by more. It does as well on metamers if it is not worse by
    more, and some rules are two or more.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> len(claims(shipped("tiles"), source="bundled"))
    11
    """
    return judge(_CLAIMS, _results(rows, matrix, source), partial(text, form=".2f"))


def verdicts(matrix: pd.DataFrame | None = None, source: str | None = None) -> pd.DataFrame:
    """Return what the networks that come with the package say to each claim: `stats.claims.survey`.

    ``matrix`` and ``source`` are as in `claims`; the agents of the matrix are those of seed 0. None of them is the
    paper's: they have its clicks, and another training, and those other than the RNN another form.

    Examples
    --------
    >>> verdicts(source="bundled").verdict.unique().tolist()
    ['not at our size']
    """
    rows = shipped("tiles")
    rows = rows[rows.metric.isin(["z", "blue", "finished", "skill"])]
    networks = Evidence(_results(rows, matrix, source), n="the networks of sixteen tasks")
    return survey(_CLAIMS, partial(text, form=".2f"), changed=networks, needed=NEEDED, reached=REACHED)


def _results(rows: pd.DataFrame, matrix: pd.DataFrame | None = None, source: str | None = None) -> _Results:
    values = None
    if matrix is not None:
        values = matrix.set_index(["trained", "tested"]).value
    return _Results(
        architectures.means(rows, source), architectures.comparisons(rows, source),
        architectures.interactions(rows, source), architectures.networks(rows, MIXTURE), values,
    )  # fmt: skip


def _better(test: pd.Series) -> str:
    size = f"{abs(test.difference):.2f} z better on {'metamers' if test.difference < 0 else 'the rule'}"
    return f"{size}; t({test.df:.0f}) = {test.t:.2f}, p = {test.p:.2g}; n = {test.n:.0f} networks"


def _in_rules(more: pd.Series) -> str:
    rules = more.index[more > 0]
    return f"in {len(rules)} of 8 rules: {', '.join(rules) or 'none'}"


def _ends(z: pd.Series) -> str:
    """Return the best and the worst of some z, with their tasks; and again without agents of copy's own tasks."""
    others = z[~z.index.str.startswith("copy/")]
    return "; ".join(
        f"{name}, from {text(part.iloc[[0, -1]], '.2f')}" for name, part in (("all", z), ("others", others))
    )


# By the test of a claim: its numbers, how to write them, and by how much each part holds.
_TESTS = {
    "metamers": (
        lambda results, about: results.of(about, "comparisons").loc["all"], _better,
        lambda test: pd.Series({"z": -MARGIN - test.difference, "p": _ALPHA - test.p}),
    ),
    "gain": (_differing, _in_rules, lambda more: more),
    "lead": (
        _lead, lambda wins: f"LSTM better, of 16 tasks: {', '.join(f'{who} {n}' for who, n in wins.items())}",
        lambda wins: wins - 8.0,
    ),
    "worse": (
        _worse, lambda worse: f"metamers minus rule: {text(worse, '+.2f')}", lambda worse: at_least(MARGIN, worse)
    ),
    "alike": (_on_copy, _ends, lambda z: pd.Series({"range": at_least(ALIKE, z.max() - z.min())})),
    "well": (_of_zigzag, "z: {}", lambda z: -MARGIN - z),
}  # fmt: skip


def _claim(row: pd.Series) -> Claim:
    """Return a claim of the table."""
    values, formatter, margins = _TESTS[row.test]
    return Claim(
        row.claim, row.section, formatter, lambda results: values(results, row.about), margins, row.need or "every"
    )


_CLAIMS = [_claim(row) for _, row in facts(__file__, "architecture_claims", str).iterrows()]
