"""The article's claims about its simulations, in our words, checked with result rows.

The claims stand in ``facts/claims.csv``; here are the functions that it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pandas as pd

from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.equivalence.paper.reported import GROUPS, PER_PAIR, means, result_rows
from cogkit.equivalence.problems.records import STRUCTURES, Design
from cogkit.equivalence.scoring import MASTERY, band
from cogkit.stats.claims import Claim, Evidence, Missing, bottom, evidence, judge, survey, text, top

AGENTS = ("GPT", "BERT")
_CASES = product(("select-reject", "select-only"), STRUCTURES, AGENTS)
SIMULATIONS: dict[tuple[str, ...], int] = {case[::-1]: number for number, case in enumerate(_CASES, 1)}
_OTM = SIMULATIONS["BERT", "OTM", "select-reject"]


def claims(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the article's claims about its simulations, each checked with result rows.

    Seeds of the rows, from `data.results.load`, are averaged: those of the article's size, and its answer rule.
    Columns: claim, section (of the article), found, holds. If the rows lack a number that the claim needs, ``holds`` is
    missing and ``found`` names the number. Bands and the random limit are those of the article.

    Notes
    -----
    Differs from the paper: its Results say that reflexivity of the MTO node is above soft mastery in both agents, but
    its Discussion says that simulation 5 is lower. Both claims are listed, and at most one can hold.

    Examples
    --------
    >>> table = claims(result_rows())  # the article's own tables; they print no number of a single pair
    >>> int(table.holds.sum()), int(table.holds.isna().sum())
    (16, 12)
    """
    return judge(_claims(), means(rows), _numbers)


def verdicts() -> pd.DataFrame:
    """Return what the printed tables and the runs that come with the package say to each claim: `stats.claims.survey`.

    Notes
    -----
    Runs ``as_published`` decide, for they have the article's size. Those of ``verified`` stand beside them: smaller
    networks with a shorter training, whose answer is the most probable of all, where the article draws one.

    Examples
    --------
    >>> table = verdicts().set_index("claim")
    >>> table.note["LS select-reject: BERT is slightly above GPT"]
    ''
    """

    def ours(profile: str, rule: str, preset: str) -> Evidence:
        rows, build = shipped("equivalence", preset, profile), partial(means, rule=rule, preset=preset)
        return evidence(rows, build, f"networks of {preset} size")

    return survey(
        _claims(), _numbers, printed=Evidence(means(result_rows())), first="as_published",
        as_published=ours("as_published", "as published", "paper"), verified=ours("verified", "argmax", "lab"),
    )  # fmt: skip


def _claims() -> list[Claim]:
    """Return the claims of the table."""
    return [
        Claim(
            row.claim, row.section, _FOUND.get(row.found) or (row.found if "{}" in row.found else _words(row.found)),
            partial(_values, row), partial(_HOLDS[row.holds], row.than),
        )
        for row in facts(__file__, "claims", str).itertuples()
    ]  # fmt: skip


def _values(row: Any, results: pd.Series) -> Any:
    """Return the values that decide on a claim, a row of the table; ``results`` are as `reported.means` gives them."""
    return _VALUES[row.made](*(_shares(results, row.about, row.groups, name) for name in row.metrics.split(", ")))


def _shares(results: pd.Series, about: str, groups: str, metric: str) -> pd.Series:
    """Return the shares of all simulations that match, by number and group; of one that is fully named, by group."""
    shares = {}
    for case, number in SIMULATIONS.items():
        if re.search(about, " ".join(case)):
            for group in _groups(groups, case[1]):
                if (share := results.get((*case, group, metric))) is None:
                    raise Missing(f"no {metric} of {group} in simulation {number}")
                shares[group if about == " ".join(case) else (number, group)] = share
    return pd.Series(shares, dtype=float)


def _groups(words: str, structure: str) -> list[str]:
    """Return the groups of trials that a table names: the derived types, pairs of members of some types, or others."""
    kind, _, types = words.partition(" of ")
    if kind != "pairs":
        return words.split(", ") if words else [*GROUPS[1:]]
    pairs = zip(Design(structure).pair_names, Design(structure).types().ravel(), strict=True)
    return [pair for pair, name in pairs if name in types or not types]


def _by_agent(shares: pd.Series) -> dict[str, pd.Series]:
    """Return the shares of each agent; simulations are of GPT and BERT in turn."""
    return {who: shares[shares.index.get_level_values(0) % 2 == 1 - k] for k, who in enumerate(AGENTS)}


def _beside(name: str, other: Callable[[pd.Series], pd.Series], shares: pd.Series) -> dict[str, tuple]:
    """Return for each simulation the share of one group, and one of the others."""
    parts = {number: part.droplevel(0) for number, part in shares.groupby(level=0)}
    label = "" if name == "symmetry" else f" {name}"
    return {f"sim. {number}{label}": (part[name], other(part.drop(name))) for number, part in parts.items()}


# What decides on a claim, made of its shares in each of its metrics.
_VALUES: dict[str, Callable[..., Any]] = {
    "all": lambda shares: shares,
    "lowest": bottom,
    "highest": top,
    "highest elsewhere": lambda shares: top(shares.drop([1, 2], level=0)),  # than after LS select-reject
    "all but simulation 5": lambda shares: shares.drop(5, level=0),
    "lowest by simulation": lambda shares: shares.groupby(level=0).min(),
    "means by simulation": lambda *metrics: [shares.groupby(level=0).mean() for shares in metrics],
    "means": lambda shares: pd.Series({who: _by_agent(shares)[who].mean() for who in ("BERT", "GPT")}),
    "lead": lambda shares: shares.groupby(level=1, sort=False).agg(lambda pair: pair.iat[1] - pair.iat[0]),  # of BERT
    "by agent": _by_agent,
    "below mastery": lambda shares: shares[shares < MASTERY],
    "trained in both roles": lambda shares: shares.filter(regex="^[^AG]+$"),
    "node and the best other": partial(_beside, "AA", top),
    "symmetry and the worst other": partial(_beside, "symmetry", bottom),
    "OTM select-reject and the rest": lambda shares: (shares[_OTM], shares.drop(_OTM, level=0)),
}
# Whether a claim holds, by the table's last column and these values.
_HOLDS: dict[str, Callable[[str, Any], Any]] = {
    "above": lambda limit, shares: shares.min() > float(limit),
    "at least": lambda limit, shares: shares.min() >= float(limit),
    "there": lambda _, shares: len(shares),
    "there and at least": lambda limit, shares: len(shares) and shares.min() >= float(limit),
    "at the ends": lambda _, shares: len(shares) and _others(shares).empty,
    "below": lambda limit, shares: shares.max() < float(limit),
    "falling": lambda _, shares: shares.iat[1] < shares.iat[0],
    "mastered by": lambda numbers, lowest: _masters(lowest) == ", ".join(numbers.split()),
    "all in band": lambda name, shares: {band(share, PER_PAIR) for share in shares} == {name},
    "in bands": lambda names, shares: [band(share, PER_PAIR) for share in shares] == names.split(", "),
    "higher for BERT": lambda _, agents: (agents["BERT"].to_numpy() > agents["GPT"].to_numpy()).all(),
    "higher for GPT": lambda _, agents: (agents["GPT"].to_numpy() > agents["BERT"].to_numpy()).all(),
    "first is higher": lambda _, parts: all(first > other.iat[0] for first, other in parts.values()),
    "first is lower": lambda _, parts: all(first < other.iat[0] for first, other in parts.values()),
    "highest": lambda _, parts: (parts[0] > parts[1].groupby(level=1).max()[parts[0].index]).all(),
    "both in": lambda number, parts: parts[0].idxmax() == parts[1].idxmin() == int(number),
}


def _numbers(shares: pd.Series) -> str:
    """Return shares with names: ``symmetry 0.941``, or with the number of a simulation, ``sim. 4 symmetry 0.941``."""
    return text(shares, ".3f", lambda *labels: ("sim. {} {}" if len(labels) > 1 else "{}").format(*labels))


def _masters(lowest: pd.Series) -> str:
    return ", ".join(map(str, lowest.index[lowest >= MASTERY]))


def _others(short: pd.Series) -> pd.Series:
    """Return the pairs that have neither A as comparison nor G as sample."""
    return short.filter(regex="^[^G][^A]")


def _words(sentence: str) -> Callable[[pd.Series], str]:
    """Return how to write shares: what a sentence may name of them."""
    return lambda shares: sentence.format(
        n=len(shares), first=shares.iat[0], last=shares.iat[-1], lowest=_numbers(bottom(shares)),
        highest=_numbers(top(shares)), weak=(shares < MASTERY).sum(),
    )  # fmt: skip


def _ranges(agents: dict[str, pd.Series]) -> str:
    ranges = (f"{who} {part.min():.3f} to {part.max():.3f}" for who, part in agents.items())
    gpt, bert = (part.to_numpy() for part in agents.values())
    return f"{', '.join(ranges)}; higher in {(gpt > bert).sum()} of {len(gpt)}"


# How values are written that no sentence of the table can write.
_FOUND: dict[str, Callable[[Any], str]] = {
    "masters": lambda lowest: f"simulations {_masters(lowest) or 'none'}",
    "others": lambda short: f"of {len(short)} pairs below .9, others: {_numbers(_others(short))}",
    "lowest if any": lambda shares: f"lowest: {_numbers(bottom(shares))}" if len(shares) else "none",
    "against": lambda agents: "; ".join(
        f"{bert:.3f} against {gpt:.3f}" for gpt, bert in zip(agents["GPT"], agents["BERT"], strict=True)
    ),
    "both": lambda agents: "; ".join(f"{who}: {_numbers(agents[who].droplevel(0))}" for who in ("BERT", "GPT")),
    "ranges": _ranges,
    "next": lambda parts: "; ".join(
        f"{name} {share:.3f}, next {_numbers(other)}" for name, (share, other) in parts.items()
    ),
    "elsewhere": lambda parts: f"{_numbers(parts[0])}; highest elsewhere: {_numbers(top(parts[1]))}",
    "most and least": lambda parts: (
        f"most: sim. {parts[0].idxmax()}, {parts[0].max():.3f}; "
        f"lowest accuracy: sim. {parts[1].idxmin()}, {parts[1].min():.3f}"
    ),
}
